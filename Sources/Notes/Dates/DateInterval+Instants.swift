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
