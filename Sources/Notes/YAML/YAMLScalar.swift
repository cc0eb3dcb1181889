import Bytes

/// Writes text as a YAML scalar on one line that every reader of YAML 1.1 and 1.2 reads back as that text.
///
/// Dates, times, integers, `true` and `false` are written plain, as the box shows them.
enum YAMLScalar {
  /// The context of a scalar.
  enum Place {
    case value, flowElement, key
  }

  /// Returns the scalar in the style of the previous one, if that can express the text.
  ///
  /// - Parameter previous: the text of the previous plain scalar; a plain decimal fraction may follow another.
  static func write(
    _ text: String, in place: Place, like style: ScalarStyle = .plain, previous: String? = nil
  ) -> [UInt8] {
    switch style {
    case .single where text.unicodeScalars.allSatisfy(\.isPrintable): singleQuoted(text)
    case .single, .double: doubleQuoted(text)
    case .plain, .block, .bracketed:
      canBePlain(text, in: place, previous: previous) ? Array(text.utf8) : doubleQuoted(text)
    }
  }

  private static func canBePlain(_ text: String, in place: Place, previous: String?) -> Bool {
    guard hasPlainSigns(text, in: place) else { return false }
    if YAMLTypes.isText(text) { return true }
    guard place != .key else { return false }
    if YAMLTypes.isPlainByHabit(text) { return true }
    return YAMLTypes.isFraction(text) && previous.map(YAMLTypes.isFraction) == true
  }

  private static func singleQuoted(_ text: String) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    return [quote] + text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }

  private static func doubleQuoted(_ text: String) -> [UInt8] {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isPrintable: result.unicodeScalars.append(scalar)
      default: result += escape(scalar)
      }
    }
    return Array((result + "\"").utf8)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension YAMLScalar {
  /// Whether the text has no signs with a special meaning outside of quotes.
  private static func hasPlainSigns(_ text: String, in place: Place) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, bytes.last != 0x20, canBegin(bytes, first, in: place) else { return false }
    guard text.unicodeScalars.allSatisfy(\.isPrintable) else { return false }
    if place == .key { return bytes.allSatisfy(\.isKeyByte) }
    let isTime = place == .flowElement && YAMLTypes.isTimestamp(text)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: ":"):
        if bytes.isBlankOrEnd(index + 1) || (place == .flowElement && !isTime) { return false }
      case UInt8(ascii: "#"):
        if bytes[index - 1] == 0x20 { return false }
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "?"):
        if place == .flowElement { return false }
      default: continue
      }
    }
    return true
  }

  private static func canBegin(_ bytes: [UInt8], _ first: UInt8, in place: Place) -> Bool {
    if first.isLetterOrDigit || first >= 0x80 || first == UInt8(ascii: "_") { return true }
    switch first {
    case UInt8(ascii: "("), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "~"),
      UInt8(ascii: "$"), UInt8(ascii: "^"), UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: "."),
      UInt8(ascii: ";"), UInt8(ascii: ")"), UInt8(ascii: "\\"):
      return place != .key && !bytes.starts(with: "...".utf8)
    case UInt8(ascii: "-"):
      return place != .key && bytes.count > 1 && bytes[1].isLetterOrDigit
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// Whether YAML allows the character unescaped within one line.
  fileprivate var isPrintable: Bool {
    switch value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
    default: false
    }
  }
}

/// How a scalar is written.
enum ScalarStyle: Equatable {
  case plain, single, double
  /// A literal or folded block scalar.
  case block
  /// `[[Link]]` or `{{date}}`: nested collections to YAML, text to people.
  case bracketed
}

/// The range of one element of a list.
struct ElementSpan: Equatable {
  /// The scalar with its quotes.
  let range: Range<Int>
  let style: ScalarStyle
  /// The whole lines of an element of a block list; the scalar alone in a flow list.
  let lines: Range<Int>
}

/// The types other than text that readers of YAML 1.1 and 1.2 give to plain scalars.
enum YAMLTypes {
  /// Says whether a plain scalar is null.
  static func isNull(_ text: String) -> Bool {
    switch text {
    case "", "~", "null", "Null", "NULL": true
    default: false
    }
  }

  /// Says whether a plain scalar is text to every reader.
  static func isText(_ text: String) -> Bool {
    !isNull(text) && !isWord(text) && !isNumber(text) && !isDateLike(text)
  }

  /// Says whether a scalar is written plain although readers type it: dates, times, integers, true, false.
  static func isPlainByHabit(_ text: String) -> Bool {
    text == "true" || text == "false" || isInteger(text) || isTimestamp(text)
  }

  /// Says whether text is a decimal fraction such as `3.5` to every reader.
  static func isFraction(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, let whole = parts.first, let rest = parts.last, !rest.isEmpty else {
      return false
    }
    return isInteger(String(Substring(whole))) && rest.allSatisfy(\.isDigit)
  }

  /// Whether some reader takes the word for a boolean, a default or a merge, in any case of letters.
  private static func isWord(_ text: String) -> Bool {
    guard text.utf8.count <= 5 else { return false }
    switch text.lowercased() {
    case "y", "yes", "n", "no", "true", "false", "on", "off", "null", "=", "<<": return true
    default: return false
    }
  }

  /// Whether it is an integer that every reader keeps digit by digit.
  private static func isInteger(_ text: String) -> Bool {
    var digits = Array(text.utf8)
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    guard let first = digits.first, digits.count <= 15, digits.allSatisfy(\.isDigit) else { return false }
    return first != UInt8(ascii: "0") || (digits.count == 1 && !isNegative)
  }

  /// Whether some reader takes it for a number: of any base, with underscores, exponent or sixties.
  private static func isNumber(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    if bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
    guard let first = bytes.first, first.isDigit || first == UInt8(ascii: ".") else { return false }
    if first == UInt8(ascii: "0"), let base = bytes.dropFirst().first, "xXoObB".utf8.contains(base) {
      return bytes.dropFirst(2).allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: "_") }
    }
    if first == UInt8(ascii: "."), ["inf", "nan"].contains(String(Substring(text).lowercased().suffix(3))),
      bytes.count == 4
    {
      return true
    }
    return isDecimal(bytes)
  }

  private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
    var dots = 0
    var digits = 0
    var index = bytes.startIndex
    while index < bytes.endIndex {
      switch bytes[index] {
      case let byte where byte.isDigit: digits += 1
      case UInt8(ascii: "."): dots += 1
      case UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: ","): break
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        return digits > 0 && dots <= 1 && isExponent(bytes[(index + 1)...])
      default: return false
      }
      index += 1
    }
    return digits > 0 && dots <= 1
  }

  private static func isExponent(_ bytes: ArraySlice<UInt8>) -> Bool {
    var digits = bytes
    if digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-") { digits.removeFirst() }
    return digits.allSatisfy(\.isDigit)
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// Whether the byte is a hexadecimal digit.
  var isHexDigit: Bool {
    isDigit || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "f"))
  }
}

extension YAMLTypes {
  /// Whether text begins like a date: four digits, one or two, one or two, and then nothing or a time.
  static func isDateLike(_ text: String) -> Bool {
    var scan = DigitScan(text)
    guard scan.digits(4) != nil, scan.take("-"), scan.digits(1...2) != nil, scan.take("-"),
      scan.digits(1...2) != nil
    else { return false }
    return scan.isAtEnd || scan.next == UInt8(ascii: "T") || scan.next == UInt8(ascii: "t")
      || scan.next == 0x20
  }

  /// Whether text is a real date, `2026-11-21`, or time, `2026-11-21T09:30:00+01:00`, to every reader.
  static func isTimestamp(_ text: String) -> Bool {
    var scan = DigitScan(text)
    guard let year = scan.digits(4), year > 0, scan.take("-"), let month = scan.digits(2), scan.take("-"),
      let day = scan.digits(2), (1...12).contains(month), day >= 1,
      day <= days(inMonth: month, year: year)
    else { return false }
    if scan.isAtEnd { return true }
    guard scan.take("T") || scan.take(" "), let hour = scan.digits(2), hour < 24, scan.take(":"),
      let minute = scan.digits(2), minute < 60, scan.take(":"), let second = scan.digits(2), second < 60
    else { return false }
    if scan.take("."), scan.digits(1...6) == nil { return false }
    if scan.isAtEnd || (scan.take("Z") && scan.isAtEnd) { return true }
    guard scan.take("+") || scan.take("-"), let hours = scan.digits(2), hours < 24, scan.take(":"),
      let minutes = scan.digits(2), minutes < 60
    else { return false }
    return scan.isAtEnd
  }

  private static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 31
    }
  }
}

/// Reads digits and signs from the start of text.
private struct DigitScan {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }

  /// Takes one sign, or leaves all as it is.
  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digits(_ count: Int) -> Int? { digits(count...count) }

  /// Takes as many digits as there are up to a limit, or returns nil if they are too few.
  mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
    var value = 0
    var taken = 0
    while taken < counts.upperBound, let byte = rest.first, byte.isDigit {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      rest.removeFirst()
      taken += 1
    }
    return counts.contains(taken) ? value : nil
  }
}

/// A plain decimal number: `5`, `-1.5`; not `012`, not `1e3`.
package enum PlainNumber {
  package static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, digits.count <= 18,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 &- 0x30 < 10 } })
    else { return false }
    return whole.count == 1 || whole.first != UInt8(ascii: "0")
  }
}
