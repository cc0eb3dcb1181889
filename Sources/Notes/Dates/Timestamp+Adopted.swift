extension Timestamp {
  /// Reads a date in any of the forms that other tools write; a date alone is midnight UTC.
  ///
  /// The forms: RFC 3339 and what is near to it (blank for `T`, no seconds, fractions, `Z`, `+01:00`, `+0100`, `+1`,
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
