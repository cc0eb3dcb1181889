/// Bytes as letters of ASCII.
package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes as Base64: three bytes as four letters, with `=` for missing bytes at the end.
  ///
  /// Source: RFC 4648, section 4.
  package static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let group = part.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
      for index in 0..<4 {
        let letter = letters[Int(group >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= part.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Bytes of addresses as `%` and two digits.
///
/// Source: RFC 3986, section 2.
package enum PercentEncoding {
  /// Whether a byte means the same in each part of an address, encoded or not.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }

  /// Encodes all bytes but some.
  package static func encoded(
    _ bytes: some Collection<UInt8>, keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if isKept(byte) { result.append(byte) } else { result += escape(byte) }
    }
    return result
  }

  /// A byte as `%` and two digits.
  package static func escape(_ byte: UInt8) -> [UInt8] {
    [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
  }

  /// Decodes escapes; a `%` without two digits after it stays.
  package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    // Most names have nothing to decode, and those of all links go through here.
    guard bytes.contains(sign) else { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() { result.append(byte == sign ? takeByte(&rest) ?? byte : byte) }
    return result
  }

  /// Decodes percent-encoded bytes; nil if a `%` is not followed by two digits.
  package static func strictlyDecoded(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      guard let decoded = byte == sign ? takeByte(&rest) : byte else { return nil }
      result.append(decoded)
    }
    return result
  }

  private static let sign = UInt8(ascii: "%")

  /// Takes the byte that two digits encode; takes nothing if they are missing.
  private static func takeByte(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    let digits = rest.prefix(2).compactMap(Hexadecimal.value)
    guard digits.count == 2 else { return nil }
    rest = rest.dropFirst(2)
    return digits[0] << 4 | digits[1]
  }

  /// The upper-case digit of a number below 16.
  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
  }
}

/// Words as they are typed in a shell, for commands that a message suggests.
package enum ShellWord {
  /// Returns the bytes as one word that every shell reads back unchanged, in letters that a terminal can show.
  ///
  /// The word is unquoted if no character in it has a meaning, else in double or single quotes. Control characters, and
  /// bytes beyond ASCII that are not UTF-8, need the form `$'\x1b'`, which bash, zsh and ksh read.
  package static func quoted(_ bytes: some Collection<UInt8>) -> String {
    if !bytes.isEmpty, bytes.first != UInt8(ascii: "-"), bytes.allSatisfy(isPlain) {
      return String(decoding: bytes, as: UTF8.self)
    }
    if bytes.contains(where: isControl) || !isText(bytes) { return escaped(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    let hasMeaning = bytes.contains { Array("$`\"\\!".utf8).contains($0) }
    if !hasMeaning { return "\"\(text)\"" }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// Returns the text as one word; see above.
  package static func quoted(_ text: String) -> String { quoted(ByteText.bytes(of: text)) }

  /// Whether a byte means itself anywhere in a word, in bash, zsh and fish alike.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
      || Array("_@%+:,./-".utf8).contains(byte)
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  /// Whether bytes are UTF-8 without controls beyond ASCII: those would act on the terminal in quotes too.
  private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
      default: true
      }
    }
  }

  private static func escaped(_ bytes: some Collection<UInt8>) -> String {
    var result = "$'"
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): result += "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: result += String(UnicodeScalar(byte))
      default:
        let hex = String(byte, radix: 16)
        result += "\\x" + (hex.count == 1 ? "0" : "") + hex
      }
    }
    return result + "'"
  }
}

/// JSON strings that are safe for one line of a terminal: quotes, backslashes, control characters, Unicode's line
/// separators and bidi controls are escaped.
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

  /// The action for each byte: 0 copies it, 1 decodes it together with the following bytes, 2 writes `\u00..`. Any other
  /// value is the letter after a backslash.
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

  /// Whether a scalar is a C1 control, a line end of JavaScript or a control of text direction: JSON may be printed on a
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
