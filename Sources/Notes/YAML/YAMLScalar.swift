/// Writes text as a YAML scalar on one line that every reader of YAML 1.1 and 1.2 reads back as that text.
///
/// Dates, times, integers, `true` and `false` are written plain, as the box shows them.
enum YAMLScalar {
  /// Where a scalar is to stand.
  enum Place {
    case value, flowElement, key
  }

  /// Returns the scalar in the style that stood there before, where that can carry the text.
  ///
  /// - Parameter previous: The text that a plain scalar stood for; a plain decimal fraction may follow another.
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
  /// Says whether nothing in the text means something else when it stands without quotes.
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
  /// Whether YAML lets the character stand as it is within one line.
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

/// Where one element of a list stands.
struct ElementSpan: Equatable {
  /// The scalar with its quotes.
  let range: Range<Int>
  let style: ScalarStyle
  /// The whole lines of an element of a block list; the scalar alone in a flow list.
  let lines: Range<Int>
}
