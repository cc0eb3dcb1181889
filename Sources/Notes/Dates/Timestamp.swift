import Synchronization

/// An instant to the millisecond together with the offset from UTC at which it was written.
///
/// Most instants are whole seconds. They are ordered by time; two writings of one instant are ordered by their offsets.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  package let seconds: Int64
  /// The milliseconds after the second, 0 to 999.
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
  /// The timestamp as `2026-11-21T09:30:00+01:00`, always with a numeric offset, and as `09:30:00.001` if it has
  /// milliseconds.
  ///
  /// The seconds of an offset (only old local times have them) are left out, for the same instant.
  package var rfc3339: String {
    let whole = wholeSeconds
    guard milliseconds > 0 else { return whole }
    let fraction = ".\(CivilDate.padded(milliseconds, to: 3))"
    return String(whole.prefix(19)) + fraction + String(whole.dropFirst(19))
  }

  /// The timestamp in its own offset as `2026-11-21 09:30`, for people.
  package var shownMinute: String {
    String(wholeSeconds.prefix(16)).split(separator: "T").joined(separator: " ")
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

extension Timestamp {
  /// Reads a date in any of the forms that other tools write; a date alone is midnight UTC.
  ///
  /// The forms: RFC 3339 and similar ones (blank for `T`, no seconds, fractions, `Z`, `+01:00`, `+0100`, `+1`,
  /// `/` or `.` between the parts of the date), epoch seconds and milliseconds (from 1e11 on), 14, 12 and 8 digits
  /// of a calendar date, Denote's `20210319T202401`, and English (`May 7, 2021`, `7 May 2021`, `Fri, 07 May 2021
  /// 10:00:00 +0200`). Brackets around a date are ignored.
  ///
  /// - Parameter isLocal: whether a time without an offset is in the local zone, otherwise UTC.
  /// - Returns: nil for anything else, and for dates that the calendar does not have.
  package static func adopted(_ text: String, isLocal: Bool = false) -> Timestamp? {
    guard text.utf8.count <= TimeReader.longestText else { return nil }
    let bytes = withoutBrackets(Array(text.utf8)[...])
    guard let first = bytes.first else { return nil }
    if bytes.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: ".") }) {
      if let number = fromNumber(bytes, isLocal) { return number }
    }
    if first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9"), let stamp = fromCalendar(bytes, isLocal) {
      return stamp
    }
    return EnglishDate.read(bytes, isLocal)
  }

  /// `2021-03-19 20:24:01 +0100`, `20210319T202401` and the like.
  private static func fromCalendar(_ bytes: ArraySlice<UInt8>, _ isLocal: Bool) -> Timestamp? {
    var reader = TimeReader(bytes)
    if let date = reader.looseDate() {
      return stamp(of: date, then: &reader, isLocal) { $0.clockTime() }
    }
    guard let date = reader.compactDate() else { return nil }
    return stamp(of: date, then: &reader, isLocal) { $0.compactTime() ?? $0.clockTime() }
  }

  private static func stamp(
    of date: CivilDate, then reader: inout TimeReader, _ isLocal: Bool,
    _ time: (inout TimeReader) -> Int?
  ) -> Timestamp? {
    if reader.isAtEnd { return Timestamp(date: date, secondOfDay: 0, offsetSeconds: 0) }
    guard reader.skipOne(of: "Tt \t") else { return nil }
    reader.skipBlanks()
    guard let second = time(&reader) else { return nil }
    reader.skipBlanks()
    let isWithoutOffset = reader.isAtEnd
    let offset = isWithoutOffset ? 0 : reader.offset()
    guard let offset, reader.isAtEnd else { return nil }
    let stamp = Timestamp(
      date: date, secondOfDay: second, offsetSeconds: offset, milliseconds: reader.milliseconds)
    return isWithoutOffset && isLocal ? LocalZone.stamp(stamp) : stamp
  }

  /// A number alone: digits of a calendar date, or time since 1970.
  private static func fromNumber(_ bytes: ArraySlice<UInt8>, _ isLocal: Bool) -> Timestamp? {
    guard let whole = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).first,
      bytes.filter({ $0 == UInt8(ascii: ".") }).count <= 1
    else { return nil }
    if whole.count == bytes.count, [8, 12, 14].contains(bytes.count) {
      if let stamp = fromDigits(bytes, isLocal) { return stamp }
      if bytes.count != 12 { return nil }
    }
    guard whole.count >= 9, let number = CivilDate.number(whole) else { return nil }
    let seconds = number >= 100_000_000_000 ? number / 1000 : number
    let stamp = Timestamp(seconds: Int64(seconds), offsetSeconds: 0)
    return stamp.seconds == Int64(seconds) ? stamp : nil
  }

  /// `20210319`, `202103192024`, `20210319202401`; of 12 digits only years near to ours, for milliseconds are as long.
  private static func fromDigits(_ bytes: ArraySlice<UInt8>, _ isLocal: Bool) -> Timestamp? {
    var reader = TimeReader(bytes)
    guard let date = reader.compactDate(), bytes.count != 12 || nearYears.contains(date.year) else {
      return nil
    }
    if reader.isAtEnd { return Timestamp(date: date, secondOfDay: 0, offsetSeconds: 0) }
    guard let second = reader.compactTime(), reader.isAtEnd else { return nil }
    let stamp = Timestamp(date: date, secondOfDay: second, offsetSeconds: 0)
    return isLocal ? LocalZone.stamp(stamp) : stamp
  }

  /// The years that a number without separators may mean.
  static let nearYears = 1900...2199

  /// The text without blanks, `[[ ]]`, `[ ]`, `< >` and quotes around it.
  private static func withoutBrackets(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = trimmed(bytes)
    while let first = bytes.first, let last = bytes.last, bytes.count >= 2 {
      switch (first, last) {
      case (UInt8(ascii: "["), UInt8(ascii: "]")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
        (UInt8(ascii: "\""), UInt8(ascii: "\"")), (UInt8(ascii: "'"), UInt8(ascii: "'")):
        bytes = trimmed(bytes.dropFirst().dropLast())
      default: return bytes
      }
    }
    return bytes
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    var rest = bytes.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

extension Timestamp {
  /// Reads the date in a file name, with a time if one follows; midnight UTC otherwise. A time is in the
  /// local zone.
  ///
  /// A name may begin with `2024-03-01`, `2024_03_01`, `2024.03.01`, `20240301`, 12 or 14 digits, or Denote's
  /// `20210319T202401`. `2024-03-01`, and after a dot `2024.03.01` as in Dendron's journals, may also be further
  /// on. Dates that no calendar has, and longer runs of digits, don't count. Of a path only its last part is read.
  package static func fromFileName(_ name: ArraySlice<UInt8>) -> Timestamp? {
    let start = (name.lastIndex(of: UInt8(ascii: "/")) ?? name.startIndex - 1) + 1
    let name = name[start...]
    return leading(name) ?? within(name)
  }

  private static func leading(_ name: ArraySlice<UInt8>) -> Timestamp? {
    var reader = TimeReader(name)
    if let date = reader.looseDate() { return stamp(of: date, before: reader) }
    let digits = name.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
    guard [8, 12, 14].contains(digits), let date = reader.compactDate(), nearYears.contains(date.year) else {
      return nil
    }
    if digits > 8 {
      guard let second = reader.compactTime() else { return nil }
      return LocalZone.stamp(Timestamp(date: date, secondOfDay: second, offsetSeconds: 0))
    }
    return stamp(of: date, before: reader)
  }

  /// The first `2024-03-01` with no digit on either side, or `2024.03.01` after a dot.
  private static func within(_ name: ArraySlice<UInt8>) -> Timestamp? {
    var before: UInt8 = 0
    for index in name.indices {
      var reader = TimeReader(name[index...])
      if !reader.isDigit(before), reader.isDigit(name[index]),
        let date = before == UInt8(ascii: ".") ? reader.looseDate() : reader.isoDate(),
        let stamp = stamp(of: date, before: reader)
      {
        return stamp
      }
      before = name[index]
    }
    return nil
  }

  /// The date with the time that follows it, if one does; nil if the digits of the date go on.
  private static func stamp(of date: CivilDate, before reader: TimeReader) -> Timestamp? {
    if let next = reader.next, reader.isDigit(next) { return nil }
    let second = timeOfDay(after: reader)
    let stamp = Timestamp(date: date, secondOfDay: second ?? 0, offsetSeconds: 0)
    return second == nil ? stamp : LocalZone.stamp(stamp)
  }

  /// `T202401`, `T2024`, `T20-24-01`, ` 20.24`, `_20-24-01`; digits without separators only after a `T`.
  private static func timeOfDay(after date: TimeReader) -> Int? {
    var reader = date
    guard let mark = reader.next, reader.skipOne(of: "Tt _") else { return nil }
    guard let hour = reader.digits(2) else { return nil }
    let separator = reader.next
    let isSeparated = reader.skipOne(of: ".:-h")
    guard isSeparated || mark | 0x20 == UInt8(ascii: "t"), let minute = reader.digits(2) else { return nil }
    var second = 0
    if isSeparated ? reader.next == separator && reader.skipOne(of: ".:-") : true {
      second = reader.digits(2) ?? 0
    }
    if let next = reader.next, reader.isDigit(next) { return nil }
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }
}

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
  /// If clocks skip midnight, it is the instant of the skip.
  package func start(of day: CivilDate) -> Int64 {
    instant(of: day, secondOfDay: 0)
  }

  /// The instant at which the user's clocks show a time of a day; the earlier one if they show it twice.
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

  /// The instant at which local clocks show the time that the timestamp shows at its own offset.
  static func stamp(_ shown: Timestamp) -> Timestamp {
    guard let reading = clock.withLock({ $0 }) else { return shown }
    let seconds = reading.instant(of: shown.civilDate, secondOfDay: shown.secondOfDay)
    return Timestamp(
      seconds: seconds, offsetSeconds: reading.offset(seconds), milliseconds: shown.milliseconds)
  }
}
