/// HTML or XML written piece by piece.
///
/// Markup is a literal of the program, or checked by `CheckedMarkup`; everything else goes in as text. Nothing that a note
/// says can become markup.
struct MarkupWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Takes markup of another program that `CheckedMarkup` has checked.
  init(checked bytes: [UInt8]) { self.bytes = bytes }

  /// Adds markup as it is.
  mutating func add(_ markup: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
  }

  /// Adds what another writer has written.
  mutating func add(_ other: MarkupWriter) { bytes += other.bytes }

  /// Removes the bytes written after a position.
  mutating func cut(to count: Int) { bytes.removeSubrange(min(count, bytes.count)...) }

  /// Adds a whole number.
  mutating func add(number: Int) { bytes += String(number).utf8 }

  /// Adds a text, escaped for elements and for values between quotes.
  mutating func text(_ text: String) { escape(text.utf8) }

  /// Adds a text in UTF-8, escaped for elements and for values between quotes.
  mutating func text(_ text: [UInt8]) { escape(text) }

  /// A text, escaped for elements and for values between quotes.
  static func escaped(_ text: String) -> [UInt8] {
    var writer = MarkupWriter()
    writer.text(text)
    return writer.bytes
  }

  /// Adds an attribute with a blank before it.
  mutating func attribute(_ name: StaticString, _ value: String) {
    add(" ")
    add(name)
    add("=\"")
    text(value)
    add("\"")
  }

  /// Escapes signs of markup; what neither XML nor HTML may hold becomes U+FFFD, a carriage return goes.
  private mutating func escape(_ text: some Collection<UInt8>) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): add("&amp;")
      case UInt8(ascii: "<"): add("&lt;")
      case UInt8(ascii: ">"): add("&gt;")
      case UInt8(ascii: "\""): add("&quot;")
      case UInt8(ascii: "'"): add("&#39;")
      case 0x0D: break
      case 0x09, 0x0A, 0x20...0x7E, 0x80...0xBD: bytes.append(byte)
      case 0xBE, 0xBF:
        // U+FFFE and U+FFFF are in no document of XML.
        let isNone = bytes.suffix(2).elementsEqual([0xEF, 0xBF])
        bytes.append(isNone ? 0xBD : byte)
      case 0xC2...0xF4: bytes.append(byte)
      default: add("\u{FFFD}")
      }
    }
  }
}
