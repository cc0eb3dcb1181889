import Synchronization

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
