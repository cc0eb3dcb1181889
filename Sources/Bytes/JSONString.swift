/// Strings of JSON, fit for one line of a terminal: quotes, backslashes, control characters, Unicode's line separators and
/// bidi controls are escaped.
///
/// Source: RFC 8259, section 7.
package enum JSONString {
  /// The text in quotes.
  package static func quoted(_ text: String) -> String {
    var result: [UInt8] = []
    var text = text
    text.withUTF8 { appendQuoted($0.span, to: &result) }
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends UTF-8 bytes in quotes; each invalid sequence becomes U+FFFD.
  ///
  /// - Complexity: O(n).
  package static func appendQuoted(_ text: Span<UInt8>, to result: inout [UInt8]) {
    result.append(UInt8(ascii: "\""))
    append(text, to: &result)
    result.append(UInt8(ascii: "\""))
  }

  /// For each byte: 0 as it is, 1 to be looked at with what follows, 2 as `\u00..`, else the letter that
  /// follows a backslash.
  private static let actions: [UInt8] = {
    var actions = [UInt8](repeating: 0, count: 256)
    for byte in 0..<0x20 { actions[byte] = 2 }
    actions[0x7F] = 2
    for byte in 0x80...0xFF { actions[byte] = 1 }
    let letters: [(UInt8, Unicode.Scalar)] = [
      (0x08, "b"), (0x09, "t"), (0x0A, "n"), (0x0C, "f"), (0x0D, "r"), (0x22, "\""), (0x5C, "\\"),
    ]
    for (byte, letter) in letters { actions[Int(byte)] = UInt8(ascii: letter) }
    return actions
  }()

  /// Appends the escaped form of UTF-8 bytes; each invalid sequence becomes U+FFFD.
  ///
  /// - Complexity: O(n).
  package static func append(_ text: Span<UInt8>, to result: inout [UInt8]) {
    let actions = Self.actions.span
    var copied = 0
    var offset = 0
    while offset < text.count {
      if offset + 8 <= text.count {
        let word = text.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if areAllPlain(word) {
          offset += 8
          continue
        }
      }
      let byte = text[offset]
      let action = actions[Int(byte)]
      var length = 1
      var escape: UInt32?
      switch action {
      case 0:
        offset += 1
        continue
      case 1:
        let scalar = DecodedScalar(in: text, at: offset)
        length = scalar.length
        if scalar.isValid && !isHidden(scalar.value) {
          offset += length
          continue
        }
        escape = scalar.isValid ? scalar.value : nil
      case 2:
        escape = UInt32(byte)
      default:
        break
      }
      result.append(text.extracting(copied..<offset))
      if let escape {
        append(escape: escape, to: &result)
      } else if action == 1 {
        result.append(scalar: 0xFFFD)
      } else {
        result += [UInt8(ascii: "\\"), action]
      }
      offset += length
      copied = offset
    }
    result.append(text.extracting(copied..<offset))
  }

  /// Whether each of eight bytes is printable ASCII that needs no escape.
  @inline(__always)
  private static func areAllPlain(_ word: UInt64) -> Bool {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var found = word | (word &- 0x20 &* ones)
    for sign: UInt64 in [0x22, 0x5C, 0x7F] { found |= (word ^ sign &* ones) &- ones }
    return found & highs == 0
  }

  /// C1 controls, what JavaScript takes for line ends, and what turns the direction of text: JSON may end up on a
  /// terminal.
  private static func isHidden(_ value: UInt32) -> Bool {
    value < 0xA0 || (0x2028...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }

  /// Appends `\u` and the four digits of a code point below U+10000.
  package static func append(escape value: UInt32, to result: inout [UInt8]) {
    result += "\\u".utf8
    for shift: UInt32 in [12, 8, 4, 0] {
      let digit = UInt8(value >> shift & 0xF)
      result.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
