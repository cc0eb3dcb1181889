extension DateInterval {
  /// A distance from today, such as `7d` or `-2w`.
  struct Distance: Sendable, Equatable {
    enum Unit: Sendable { case days, weeks, months, years }

    let count: Int
    let unit: Unit
    /// Minus one, plus one, or nil where no sign was written.
    let sign: Int?

    /// Reads an optional sign, up to six digits and one of `d w m y`.
    init?(_ bytes: [UInt8]) {
      var digits = bytes[...]
      switch bytes.first {
      case UInt8(ascii: "-"): sign = -1
      case UInt8(ascii: "+"): sign = 1
      default: sign = nil
      }
      if sign != nil { digits.removeFirst() }
      guard let letter = digits.popLast(), digits.count <= 6, let count = CivilDate.number(digits) else {
        return nil
      }
      switch letter | 0x20 {
      case UInt8(ascii: "d"): unit = .days
      case UInt8(ascii: "w"): unit = .weeks
      case UInt8(ascii: "m"): unit = .months
      case UInt8(ascii: "y"): unit = .years
      default: return nil
      }
      self.count = count
    }

    /// The day so far from another one; its sign goes before the direction.
    func day(from today: CivilDate, looking: Direction) -> CivilDate {
      let signed = count * (sign ?? (looking == .back ? -1 : 1))
      return switch unit {
      case .days: today.adding(days: signed)
      case .weeks: today.adding(days: signed * 7)
      case .months: today.adding(months: signed)
      case .years: today.adding(months: signed * 12)
      }
    }

    /// Without a sign the time between now and the day so far away, with one the day.
    func interval(clock: ClockReading, looking: Direction) -> DateInterval {
      let target = day(from: clock.today, looking: looking)
      guard sign == nil, count > 0 else { return .day(target, clock: clock) }
      let now = clock.now.seconds
      switch looking {
      case .back:
        return .instants(
          from: instant(on: target, -1, clock), on: target, before: now + 1, within: clock.today)
      case .ahead:
        return .instants(
          from: now, on: clock.today, before: instant(on: target, 1, clock) + 1, within: target)
      }
    }

    /// The instant so far from now, which lies on a day: days and weeks have hours, months and years have none.
    private func instant(on target: CivilDate, _ sign: Int64, _ clock: ClockReading) -> Int64 {
      switch unit {
      case .days: clock.now.seconds + sign * Int64(count) * 86_400
      case .weeks: clock.now.seconds + sign * Int64(count) * 7 * 86_400
      case .months, .years: clock.instant(of: target, secondOfDay: clock.now.secondOfDay)
      }
    }
  }
}
