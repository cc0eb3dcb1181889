extension Timestamp {
  /// Reads the date that a file name carries, with a time where one follows; midnight UTC otherwise. A time is in the
  /// local zone.
  ///
  /// A name may begin with `2024-03-01`, `2024_03_01`, `2024.03.01`, `20240301`, 12 or 14 digits, or Denote's
  /// `20210319T202401`; `2024-03-01`, and after a dot `2024.03.01` as Dendron's journals have it, may also stand further
  /// on. What no calendar has, and digits that go on,
  /// are no dates. Of a path only its last part counts.
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

  /// The first `2024-03-01` with no digit on either side, or `2024.03.01` that a dot parts from what is before it.
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

  /// The date with the time that follows it, if one does; nil where the digits of the date go on.
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
