import Synchronization

/// The time at which a command began, and the user's time zone: what "now" and "today" mean while it runs.
package struct ClockReading: Sendable {
  /// The moment the command began, with the user's offset at that moment.
  package let now: Timestamp
  /// The user's offset from UTC in seconds at an instant, given as seconds since 1970.
  package let offset: @Sendable (Int64) -> Int

  /// Fixes the time of a command.
  package init(now: Timestamp, offset: @escaping @Sendable (Int64) -> Int) {
    self.now = now
    self.offset = offset
  }

  /// The user's day at `now`.
  package var today: CivilDate { now.civilDate }

  /// The first instant of a day in the user's zone, in seconds since 1970.
  ///
  /// Where clocks skip midnight, it is the instant of the skip.
  package func start(of day: CivilDate) -> Int64 {
    instant(of: day, secondOfDay: 0)
  }

  /// The instant at which the user's clocks show a time of a day; the earlier one where they show it twice.
  package func instant(of day: CivilDate, secondOfDay: Int) -> Int64 {
    let local = Int64(day.dayNumber) * 86_400 + Int64(secondOfDay)
    let before = Int64(offset(local - 86_400))
    let after = Int64(offset(local + 86_400))
    let candidates = [local - max(before, after), local - min(before, after)]
    for candidate in candidates where candidate + Int64(offset(candidate)) == local {
      return candidate
    }
    return local - before
  }
}

/// The local time zone, in which a creation date with a time and without an offset is read.
///
/// It belongs to the process, as in libc, because notes are read without a clock. UTC until a program sets it.
package enum LocalZone {
  private static let clock = Mutex<ClockReading?>(nil)

  /// Sets the zone to that of a clock.
  package static func use(_ reading: ClockReading) { clock.withLock { $0 = reading } }

  /// The offsets of the zone at instants of 40 years: if they are equal, two zones read dates alike.
  package static var rules: [Int] {
    guard let reading = clock.withLock({ $0 }) else { return [] }
    let quarter: Int64 = 7_889_400
    return (0..<160).map { reading.offset($0 * quarter + 662_688_000) }
  }

  /// The instant at which local clocks show what the timestamp shows at its own offset.
  static func stamp(_ shown: Timestamp) -> Timestamp {
    guard let reading = clock.withLock({ $0 }) else { return shown }
    let seconds = reading.instant(of: shown.civilDate, secondOfDay: shown.secondOfDay)
    return Timestamp(
      seconds: seconds, offsetSeconds: reading.offset(seconds), milliseconds: shown.milliseconds)
  }
}
