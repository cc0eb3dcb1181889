/// A cursor over the bytes of a date, for the forms that people and tools write.
///
/// Every method that reads either moves past the bytes that it read or, returning nil or false, stays where it was.
package struct TimeReader {
  /// Longer texts are no dates, and are not looked at.
  static let longestText = 100

  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int
  /// The milliseconds of the last fraction of a second that was read.
  private(set) var milliseconds = 0

  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  var rest: ArraySlice<UInt8> { bytes[position...] }

  /// The next byte, without reading it.
  var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  mutating func skipBlanks() {
    while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
  }

  mutating func skipOne(of set: StaticString) -> Bool {
    guard let byte = next, set.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    position += 1
    return true
  }

  /// Reads decimal digits, as many as there are, and gives up where their count is not allowed.
  mutating func number(digits: ClosedRange<Int>) -> Int? {
    var end = position
    while end < bytes.endIndex, isDigit(bytes[end]) { end += 1 }
    guard digits.contains(end - position), let number = CivilDate.number(bytes[position..<end]) else {
      return nil
    }
    position = end
    return number
  }

  /// Reads exactly so many digits, whatever follows them.
  mutating func digits(_ count: Int) -> Int? {
    guard bytes.endIndex - position >= count,
      let number = CivilDate.number(bytes[position..<position + count])
    else { return nil }
    position += count
    return number
  }

  func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}

extension TimeReader {
  /// Whether a text is a time of day: `17:30`, `17:30:00`, `9am`, `noon`.
  package static func isClockTime(_ text: String) -> Bool { secondOfDay(text) != nil }

  /// The second of the day that a text names as a time of day; nil for any other text.
  package static func secondOfDay(_ text: String) -> Int? {
    guard text.utf8.count <= longestText else { return nil }
    return secondOfDay(Array(text.lowercased().utf8)[...])
  }

  /// The second of the day that bytes in lower case name; nil for any others.
  static func secondOfDay(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.elementsEqual("noon".utf8) { return 43_200 }
    var reader = TimeReader(bytes)
    guard let second = reader.clockTime() ?? reader.clockHour(), reader.isAtEnd else { return nil }
    return second
  }

  /// A time of day as `09:00`, or as `09:00:30` if it has seconds; nil for any other text.
  package static func clockText(_ text: String) -> String? {
    secondOfDay(text).map(DatedLine.time)
  }

  /// Reads `YYYY-MM-DD`.
  mutating func isoDate() -> CivilDate? {
    reading { reader in
      guard let year = reader.digits(4), reader.skipOne(of: "-"), let month = reader.digits(2),
        reader.skipOne(of: "-"), let day = reader.digits(2)
      else { return nil }
      return CivilDate(year: year, month: month, day: day)
    }
  }

  /// Reads `2020-8-1`, `2020/08/21` or `2020.08.21`: the year first, one kind of separator.
  mutating func looseDate() -> CivilDate? {
    reading { reader in
      guard let year = reader.digits(4), let separator = reader.next, reader.skipOne(of: "-/._"),
        let month = reader.number(digits: 1...2), reader.next == separator, reader.skipOne(of: "-/._"),
        let day = reader.number(digits: 1...2)
      else { return nil }
      return CivilDate(year: year, month: month, day: day)
    }
  }

  /// Reads `20200821`.
  mutating func compactDate() -> CivilDate? {
    reading { reader in
      guard let year = reader.digits(4), let month = reader.digits(2), let day = reader.digits(2) else {
        return nil
      }
      return CivilDate(year: year, month: month, day: day)
    }
  }

  /// Reads `HH:MM:SS`, a fraction after it (`milliseconds`), and, unless seconds are required, `H:MM`, with `am` or `pm`.
  mutating func clockTime(secondsRequired: Bool = false) -> Int? {
    reading { reader in
      guard let hour = reader.number(digits: secondsRequired ? 2...2 : 1...2), reader.skipOne(of: ":"),
        let minute = reader.digits(2)
      else { return nil }
      var second = 0
      if reader.skipOne(of: ":") {
        guard let written = reader.digits(2) else { return nil }
        second = written
        if reader.skipOne(of: ".,") {
          guard reader.fraction() else { return nil }
        }
      } else if secondsRequired {
        return nil
      }
      return reader.secondOfDay(secondsRequired ? hour : reader.halfDay(hour), minute, second)
    }
  }

  /// Reads `9am` or `9 pm`.
  mutating func clockHour() -> Int? {
    reading { reader in
      guard let hour = reader.number(digits: 1...2) else { return nil }
      let start = reader.position
      let whole = reader.halfDay(hour)
      return reader.position == start ? nil : reader.secondOfDay(whole, 0, 0)
    }
  }

  /// Reads `202401` or `2024`, without separators.
  mutating func compactTime() -> Int? {
    reading { reader in
      guard let hour = reader.digits(2), let minute = reader.digits(2) else { return nil }
      return reader.secondOfDay(hour, minute, reader.digits(2) ?? 0)
    }
  }

  /// Reads `Z`, `+01:00`.
  mutating func strictOffset() -> Int? {
    if skipOne(of: "Zz") { return 0 }
    return reading { reader in
      guard let sign = reader.sign(), let hour = reader.digits(2), reader.skipOne(of: ":"),
        let minute = reader.digits(2), hour < 24, minute < 60
      else { return nil }
      return sign * (hour * 3600 + minute * 60)
    }
  }

  /// Reads `Z`, `UTC`, `GMT`, `GMT+0200`, `+01:00`, `+0100`, `+1`.
  mutating func offset() -> Int? {
    if skipOne(of: "Zz") { return 0 }
    return reading { reader in
      let isNamed = reader.skip(word: "UTC") || reader.skip(word: "GMT")
      guard let sign = reader.sign() else { return isNamed ? 0 : nil }
      guard let (hour, minute) = reader.offsetDigits(), hour < 24, minute < 60 else { return nil }
      return sign * (hour * 3600 + minute * 60)
    }
  }

  private mutating func offsetDigits() -> (hour: Int, minute: Int)? {
    if let both = number(digits: 4...4) { return (both / 100, both % 100) }
    guard let hour = number(digits: 1...2) else { return nil }
    guard skipOne(of: ":") else { return (hour, 0) }
    guard let minute = digits(2) else { return nil }
    return (hour, minute)
  }

  private mutating func sign() -> Int? {
    if skipOne(of: "+") { return 1 }
    return skipOne(of: "-") ? -1 : nil
  }

  private mutating func skip(word: StaticString) -> Bool {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.endIndex, word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) }) else {
      return false
    }
    position = end
    return true
  }

  private mutating func fraction() -> Bool {
    let start = position
    while let byte = next, isDigit(byte) { position += 1 }
    milliseconds = (0..<3).reduce(0) { number, place in
      let index = start + place
      return number * 10 + (index < position ? Int(bytes[index] - UInt8(ascii: "0")) : 0)
    }
    return position > start
  }

  /// Turns the hour of a half day into one of the whole day where `am` or `pm` follows.
  private mutating func halfDay(_ hour: Int) -> Int {
    let half: Int? = reading { reader in
      reader.skipBlanks()
      guard let letter = reader.next, reader.skipOne(of: "aApP"), reader.skipOne(of: "mM") else { return nil }
      return letter | 0x20 == UInt8(ascii: "p") ? 12 : 0
    }
    guard let half else { return hour }
    return (1...12).contains(hour) ? hour % 12 + half : 24
  }

  /// The seconds since midnight; nil if clocks never show that. A leap second is the one after it.
  private func secondOfDay(_ hour: Int, _ minute: Int, _ second: Int) -> Int? {
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Restores the position if the attempt fails.
  private mutating func reading<Value>(_ attempt: (inout TimeReader) -> Value?) -> Value? {
    var copy = self
    guard let value = attempt(&copy) else { return nil }
    self = copy
    return value
  }
}
