/// An instant to the millisecond together with the offset from UTC at which it was written.
///
/// Most instants are whole seconds. They are ordered by time; two writings of one instant are ordered by their offsets.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  package let seconds: Int64
  /// What lies between the second and the instant, 0 to 999.
  package let milliseconds: Int
  /// Seconds east of UTC.
  package let offsetSeconds: Int

  /// Makes a timestamp; what no RFC 3339 text can say is moved to the nearest that one can.
  ///
  /// Local times stay within the years 1 to 9999, offsets within 23:59 hours.
  package init(seconds: Int64, offsetSeconds: Int, milliseconds: Int = 0) {
    self.milliseconds = min(max(milliseconds, 0), 999)
    let offset = min(max(offsetSeconds, -86_340), 86_340)
    self.offsetSeconds = offset
    self.seconds = min(max(seconds, Self.firstSecond - Int64(offset)), Self.lastSecond - Int64(offset))
  }

  /// The instant at which clocks at an offset show a time of a day.
  package init(date: CivilDate, secondOfDay: Int, offsetSeconds: Int, milliseconds: Int = 0) {
    let local = Int64(date.dayNumber) * 86_400 + Int64(secondOfDay)
    self.init(
      seconds: local - Int64(offsetSeconds), offsetSeconds: offsetSeconds, milliseconds: milliseconds)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  package var millisecondsSince1970: Int64 { seconds * 1_000 + Int64(milliseconds) }

  /// The day at the timestamp's own offset.
  package var civilDate: CivilDate { CivilDate(dayNumber: dayNumber) }

  /// The number of that day, counted from 1970-01-01.
  package var dayNumber: Int { Self.split(localSeconds).day }

  /// The seconds since midnight at the timestamp's own offset.
  package var secondOfDay: Int { Self.split(localSeconds).second }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.millisecondsSince1970, left.offsetSeconds) < (right.millisecondsSince1970, right.offsetSeconds)
  }

  private static let firstSecond: Int64 = -719_162 * 86_400
  private static let lastSecond: Int64 = 2_932_897 * 86_400 - 1

  private var localSeconds: Int64 { seconds + Int64(offsetSeconds) }

  private static func split(_ seconds: Int64) -> (day: Int, second: Int) {
    let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return second < 0 ? (Int(day) - 1, Int(second) + 86_400) : (Int(day), Int(second))
  }
}

extension Timestamp {
  /// The timestamp as `2026-11-21T09:30:00+01:00`, always with a numeric offset, and as `09:30:00.001` where it is no
  /// whole second.
  ///
  /// An offset with seconds (only old local times have them) is written without, for the same instant.
  package var rfc3339: String {
    let whole = wholeSeconds
    guard milliseconds > 0 else { return whole }
    let fraction = ".\(CivilDate.padded(milliseconds, to: 3))"
    return String(whole.prefix(19)) + fraction + String(whole.dropFirst(19))
  }

  private var wholeSeconds: String {
    let minutes = offsetSeconds / 60
    let whole = Timestamp(seconds: seconds, offsetSeconds: minutes * 60)
    let (day, time) = (whole.civilDate, whole.secondOfDay)
    return String(unsafeUninitializedCapacity: 25) { text in
      let digits = { (value: Int, start: Int, count: Int) in
        var rest = value
        for place in (start..<start + count).reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      digits(day.year, 0, 4)
      digits(day.month, 5, 2)
      digits(day.day, 8, 2)
      digits(time / 3600, 11, 2)
      digits(time / 60 % 60, 14, 2)
      digits(time % 60, 17, 2)
      digits(abs(minutes) / 60, 20, 2)
      digits(abs(minutes) % 60, 23, 2)
      for place in [4, 7] { text[place] = UInt8(ascii: "-") }
      for place in [13, 16, 22] { text[place] = UInt8(ascii: ":") }
      text[10] = UInt8(ascii: "T")
      text[19] = minutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
      return 25
    }
  }

  /// Reads a full RFC 3339 date and time: of a fraction of the second the milliseconds, `-00:00` is UTC.
  package init?(rfc3339: String) {
    guard rfc3339.utf8.count <= TimeReader.longestText else { return nil }
    var reader = TimeReader(Array(rfc3339.utf8))
    guard let date = reader.isoDate(), reader.skipOne(of: "Tt "),
      let time = reader.clockTime(secondsRequired: true), let offset = reader.strictOffset(), reader.isAtEnd
    else { return nil }
    self.init(date: date, secondOfDay: time, offsetSeconds: offset, milliseconds: reader.milliseconds)
  }
}
