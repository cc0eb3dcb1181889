import Bytes
import CUTF8Proc

/// Makes text safe for a terminal: characters that would control the terminal are escaped.
///
/// Control characters (but tab), bidirectional and other format controls and line separators become `\x1b` or `\u202e`.
/// Invalid UTF-8 becomes `\xff`.
///
/// Joiners, variation selectors, flags and right-to-left text itself stay. The letters of `ByteText` are shown as the
/// bytes that they represent. A backslash stays too, so the function is idempotent.
package enum Visible {
  /// Returns UTF-8 bytes in a form that is safe for a terminal.
  ///
  /// - Parameter keepingLines: keeps line feeds, and converts CRLF to line feeds.
  /// - Complexity: O(n).
  package static func escape(_ bytes: some Collection<UInt8>, keepingLines: Bool = false) -> String {
    let escaped = bytes.withContiguousStorageIfAvailable { buffer in
      escape(buffer.span, keepingLines: keepingLines)
    }
    return escaped ?? escape(Array(bytes).span, keepingLines: keepingLines)
  }

  /// Returns the text in a form that is safe for a terminal.
  ///
  /// - Parameter keepingLines: keeps line feeds, and converts CRLF to line feeds.
  /// - Complexity: O(n).
  package static func escape(_ text: String, keepingLines: Bool = false) -> String {
    var text = text
    let escaped: String? = text.withUTF8 { utf8 in
      isPlain(utf8.span) ? nil : escape(utf8.span, keepingLines: keepingLines)
    }
    return escaped ?? text
  }

  private static func escape(_ bytes: Span<UInt8>, keepingLines: Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    append(bytes, keepingLines: keepingLines, to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether bytes are printable ASCII throughout.
  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] < 0x20 || bytes[index] >= 0x7F { return false }
    return true
  }

  /// Appends UTF-8 bytes in a form that is safe for a terminal; the result is valid UTF-8.
  ///
  /// - Complexity: O(n).
  package static func append(_ bytes: Span<UInt8>, keepingLines: Bool = false, to result: inout [UInt8]) {
    var offset = 0
    var isInTagSequence = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte >= 0x20 && byte < 0x7F || byte == 0x09 {
        result.append(byte)
        offset += 1
        isInTagSequence = false
        continue
      }
      if keepingLines, let length = lineEnd(in: bytes, at: offset) {
        result.append(0x0A)
        offset += length
        isInTagSequence = false
        continue
      }
      let scalar = DecodedScalar(in: bytes, at: offset)
      let raw = bytes.extracting(offset..<offset + scalar.length)
      // The flags of England, Scotland and Wales are a black flag and invisible letters.
      isInTagSequence =
        scalar.value == 0x1F3F4 || isInTagSequence && (0xE0020...0xE007F).contains(scalar.value)
      if let byte = ByteText.byte(of: scalar.value) {
        appendHex("\\x", UInt32(byte), digits: 2, to: &result)
      } else if !scalar.isValid {
        for index in raw.indices { appendHex("\\x", UInt32(raw[index]), digits: 2, to: &result) }
      } else if isInTagSequence || !isControl(scalar.value) {
        result.append(raw)
      } else {
        appendEscape(scalar.value, to: &result)
      }
      offset += scalar.length
    }
  }

  private static func lineEnd(in bytes: Span<UInt8>, at offset: Int) -> Int? {
    if bytes[offset] == 0x0A { return 1 }
    let isPair = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
    return isPair ? 2 : nil
  }

  /// Whether a scalar acts on the terminal or on the order of the text.
  private static func isControl(_ value: UInt32) -> Bool {
    if value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value) { return true }
    switch utf8proc_category(Int32(bitPattern: value)) {
    case UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP: return true
    case UTF8PROC_CATEGORY_CF: return !isHarmless(value)
    default: return false
    }
  }

  /// Joiners, and signs of Arabic, Syriac and Kaithi that are visible though of the class of format controls.
  private static func isHarmless(_ value: UInt32) -> Bool {
    switch value {
    case 0x200C, 0x200D, 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  private static func appendEscape(_ value: UInt32, to result: inout [UInt8]) {
    switch value {
    case 0..<0x80: appendHex("\\x", value, digits: 2, to: &result)
    case 0x80..<0x10000: appendHex("\\u", value, digits: 4, to: &result)
    default:
      appendHex("\\u{", value, digits: value > 0xFFFFF ? 6 : 5, to: &result)
      result.append(UInt8(ascii: "}"))
    }
  }

  private static func appendHex(_ prefix: String, _ value: UInt32, digits: Int, to result: inout [UInt8]) {
    result.append(contentsOf: prefix.utf8)
    for place in stride(from: digits - 1, through: 0, by: -1) {
      let digit = UInt8(value >> (4 * UInt32(place)) & 0xF)
      result.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

/// Checks whether bytes are valid UTF-8.
package enum UTF8Check {
  /// Returns the index, in the slice's own indices, of the first byte that is not part of valid UTF-8.
  ///
  /// - Complexity: O(n).
  package static func firstInvalidOffset(in bytes: ArraySlice<UInt8>) -> Int? {
    let span = bytes.span
    var offset = 0
    while offset < span.count {
      if span[offset] < 0x80 {
        offset += 1
        continue
      }
      let scalar = DecodedScalar(in: span, at: offset)
      guard scalar.isValid else { return bytes.startIndex + offset }
      offset += scalar.length
    }
    return nil
  }
}
