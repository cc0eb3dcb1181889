import Notes
import SlipboxCore

/// The commits of the days of a review: a bar for each of a few days, else a square for each day of some weeks.
struct ActivityCalendar {
  private static let mostBars = 14
  private static let levels = 4

  private let review: Review
  private let style: Style
  private let width: Int
  private let most: Int

  init(_ review: Review, _ style: Style, width: Int) {
    self.review = review
    self.style = style
    self.width = width
    most = max(1, review.days.values.max() ?? 1)
  }

  func lines() -> [String] {
    review.last.dayNumber - review.first.dayNumber < Self.mostBars ? bars() : weeks()
  }

  // MARK: Bars

  private func bars() -> [String] {
    let room = max(1, min(30, width - 18))
    return (review.first.dayNumber...review.last.dayNumber).map { number in
      let day = CivilDate(dayNumber: number)
      let date = (day.day < 10 ? " " : "") + "\(day.day) \(ReviewWords.shortMonth(day))"
      let label = "\(ReviewWords.weekdays[day.weekday - 1].prefix(3)) \(date)"
      guard let count = review.days[day] else { return style.dim(label) }
      let length = most <= room ? count : max(1, count * room / most)
      let bar = String(repeating: style.unicode ? "█" : "#", count: length)
      return "\(label)  \(style.painted(bar, .green)) \(count)"
    }
  }

  // MARK: Weeks

  private func weeks() -> [String] {
    let end = review.last.adding(days: 7 - review.last.weekday)
    let wanted = (end.dayNumber - review.first.dayNumber) / 7 + 1
    let count = max(1, min(wanted, (width - 4) / 2))
    let start = end.adding(days: 1 - 7 * count)
    let rows = (0..<7).map { weekday in
      let label = weekday % 2 == 0 ? String(ReviewWords.weekdays[weekday].prefix(3)) : "   "
      let squares = (0..<count).map { square(start.adding(days: 7 * $0 + weekday)) }
      return style.dim(label) + " " + squares.joined(separator: " ")
    }
    return [months(from: start, count)] + rows
  }

  private func square(_ day: CivilDate) -> String {
    guard day >= review.first, day <= review.last else { return " " }
    guard let count = review.days[day] else { return style.dim(style.unicode ? "·" : ".") }
    let level = min(Self.levels - 1, (count * Self.levels - 1) / most)
    let sign = (style.unicode ? ["░", "▒", "▓", "█"] : ["-", "+", "*", "#"])[level]
    return style.painted(sign, .green)
  }

  /// The names of months over the weeks in which they begin.
  private func months(from start: CivilDate, _ count: Int) -> String {
    var line = "    "
    for week in 0..<count {
      let last = start.adding(days: 7 * week + 6)
      let column = 4 + 2 * week
      guard last.day <= 7 || week == 0, line.utf8.count <= column, column + 3 <= width else { continue }
      line += String(repeating: " ", count: column - line.utf8.count) + ReviewWords.shortMonth(last) + " "
    }
    while line.last == " " { line.removeLast() }
    return style.dim(line)
  }
}
