/// A minute of the ten years 2016 to 2025 of the corpus, whose months all have 28 days.
struct CorpusDay: Equatable, Sendable {
  static let days = 10 * 12 * 28
  private let day: Int
  private let minute: Int

  /// - Parameter minutes: Since the first of January 2016 in that calendar.
  init(minutes: Int) {
    day = min(minutes / 1_440, Self.days - 1)
    minute = minutes % 1_440
  }

  /// The same minute some days later, at most on the last day.
  func later(by days: Int) -> CorpusDay {
    CorpusDay(minutes: min(day + days, Self.days - 1) * 1_440 + minute)
  }

  /// Such as `2016/01`, the folder of a note that was made then.
  var folder: String { "\(year)/\(Self.two(month))" }

  /// Such as `2016-01-28`.
  var date: String { "\(year)-\(Self.two(month))-\(Self.two(day % 28 + 1))" }

  /// The date and the time in UTC.
  var text: String { "\(date)T\(Self.two(minute / 60)):\(Self.two(minute % 60)):00Z" }

  private var year: Int { 2_016 + day / 336 }
  private var month: Int { day % 336 / 28 + 1 }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
