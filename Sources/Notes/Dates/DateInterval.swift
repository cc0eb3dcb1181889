import Text

/// A stretch of time that a query or a change names: half-open, and unbounded if a bound is nil.
///
/// A bound that came from a calendar date in a text is compared with the day that a timestamp shows in its own
/// offset. A bound that is relative to today, and one with a time, is an instant. Each bound also has a day, for
/// fields that hold days.
package struct DateInterval: Sendable, Equatable {
  /// Which way a weekday or a duration without a sign lies from today.
  package enum Direction: Sendable {
    /// Into the past, as in `created` and `modified`.
    case back
    /// Into the future, as in `due` and in changes.
    case ahead
  }

  /// One end of the stretch.
  struct Bound: Sendable, Equatable {
    /// For days: the first one inside (lower bound) or the first one beyond (upper bound).
    let day: CivilDate
    /// For timestamps: seconds since 1970; nil if their own day is compared with `day`.
    let instant: Int64?
    /// The number of `day`, by which the days of timestamps are compared.
    fileprivate let dayNumber: Int

    init(day: CivilDate, instant: Int64?) {
      self.day = day
      self.instant = instant
      dayNumber = day.dayNumber
    }
  }

  /// The first moment inside; nil for all of the past.
  let lower: Bound?
  /// The first moment beyond; nil for all of the future.
  let upper: Bound?

  /// All of time.
  package static let all = DateInterval(lower: nil, upper: nil)

  /// Says whether a timestamp lies inside.
  package func contains(_ stamp: Timestamp) -> Bool {
    !Self.isBefore(stamp, lower) && (upper == nil || Self.isBefore(stamp, upper))
  }

  /// Says whether a day lies inside.
  package func contains(_ date: CivilDate) -> Bool {
    if let lower, date < lower.day { return false }
    if let upper, date >= upper.day { return false }
    return true
  }

  /// The day, if the interval names one: the stored value for `due:friday`.
  package var day: CivilDate? {
    guard let lower else { return nil }
    guard let upper else { return lower.day == CivilDate.range.upperBound ? lower.day : nil }
    return upper.day.dayNumber == lower.day.dayNumber + 1 ? lower.day : nil
  }

  /// The first day inside; nil if the past has no end.
  package var firstDay: CivilDate? { lower?.day }

  /// The last day inside; nil if the future has no end.
  package var lastDay: CivilDate? { upper.map { $0.day.adding(days: -1) } }

  /// The first and the last day, if both are known.
  var days: (first: CivilDate, last: CivilDate)? {
    guard let lower, let upper else { return nil }
    return (lower.day, upper.day.adding(days: -1))
  }

  /// All that comes before the interval.
  package var before: DateInterval {
    guard let lower else { return .nothing }
    return DateInterval(lower: nil, upper: lower)
  }

  /// All that comes after the interval.
  package var after: DateInterval {
    guard let upper else { return .nothing }
    return DateInterval(lower: upper, upper: nil)
  }

  private static let nothing = DateInterval(
    lower: Bound(day: CivilDate.range.lowerBound, instant: .min),
    upper: Bound(day: CivilDate.range.lowerBound, instant: .min))

  private static func isBefore(_ stamp: Timestamp, _ bound: Bound?) -> Bool {
    guard let bound else { return false }
    guard let instant = bound.instant else { return stamp.dayNumber < bound.dayNumber }
    return stamp.seconds < instant
  }
}

extension DateInterval {
  /// Whole days of the calendar, compared in each timestamp's own offset.
  static func days(from first: CivilDate, before end: CivilDate?) -> DateInterval {
    DateInterval(
      lower: Bound(day: first, instant: nil), upper: end.map { Bound(day: $0, instant: nil) })
  }

  /// One day in the user's zone.
  static func day(_ day: CivilDate, clock: ClockReading) -> DateInterval {
    let next = following(day)
    return DateInterval(
      lower: Bound(day: day, instant: clock.start(of: day)),
      upper: next.map { Bound(day: $0, instant: clock.start(of: $0)) })
  }

  /// A time between two instants, with the days they fall on in the user's zone.
  static func instants(from first: Int64, on day: CivilDate, before end: Int64, within last: CivilDate)
    -> DateInterval
  {
    DateInterval(
      lower: Bound(day: day, instant: first),
      upper: Bound(day: following(last) ?? last, instant: end))
  }

  /// The day after, if the calendar has one.
  static func following(_ day: CivilDate) -> CivilDate? {
    day == CivilDate.range.upperBound ? nil : day.adding(days: 1)
  }
}

/// The ends of an interval as instants, for moments that have no offset of their own.
extension DateInterval {
  /// The first second inside, in seconds since 1970; days begin in the user's zone. Nil for all of the past.
  package func start(clock: ClockReading) -> Int64? { lower.map { Self.instant(of: $0, clock) } }

  /// The first second beyond, in seconds since 1970; days begin in the user's zone. Nil for all of the future.
  package func end(clock: ClockReading) -> Int64? { upper.map { Self.instant(of: $0, clock) } }

  private static func instant(of bound: Bound, _ clock: ClockReading) -> Int64 {
    bound.instant ?? clock.start(of: bound.day)
  }
}

extension ClockReading {
  /// The same clock at another moment, in seconds since 1970.
  package func at(_ seconds: Int64) -> ClockReading {
    ClockReading(now: Timestamp(seconds: seconds, offsetSeconds: offset(seconds)), offset: offset)
  }
}

extension DateInterval {
  /// Returns the ways to write the date that a text may mean: both days of `11/12`, or the name that it almost is.
  package static func meant(_ text: String, clock: ClockReading, looking: Direction) -> [String] {
    let slashed = slashedDays(text, clock: clock, looking: looking)
    return slashed.isEmpty ? nameNear(text).map { [$0] } ?? [] : slashed.map(\.description)
  }

  private static let names =
    ["today", "tomorrow", "yesterday", "next week", "next month", "next year", "last week", "last month"]
    + EnglishDate.weekdays

  /// Returns the name of a day or a period that a text almost is; nil for a text of a few letters, and if none is near.
  package static func nameNear(_ text: String) -> String? {
    text.utf8.count > 3 ? Spelling.nearest(to: text, among: names) : nil
  }
}
