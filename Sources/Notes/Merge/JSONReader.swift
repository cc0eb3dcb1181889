/// Reads the values that `FieldValue.json` writes.
struct JSONReader {
  private let bytes: [UInt8]
  private var next = 0
  /// Lists and maps inside of each other that are read.
  private static let deepest = 64

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { next == bytes.count }

  /// What was not read yet.
  var rest: String { String(decoding: bytes[next...], as: UTF8.self) }

  /// Reads a text if it comes next.
  mutating func skip(_ text: String) -> Bool {
    guard bytes[next...].starts(with: text.utf8) else { return false }
    next += text.utf8.count
    return true
  }

  /// Reads a name: a string of JSON, or what stands before a colon.
  mutating func name() -> String? {
    if bytes[next...].first == UInt8(ascii: "\"") { return string() }
    guard let end = bytes[next...].firstIndex(of: UInt8(ascii: ":")), end > next else { return nil }
    defer { next = end }
    return String(decoding: bytes[next..<end], as: UTF8.self)
  }

  /// Whether a text can stand without quotes: letters, digits, `-`, `_`, `.` and what is beyond ASCII.
  static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text != "null"
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Reads a word, or a value.
  mutating func wordOrValue() -> FieldValue? {
    let word = String(decoding: bytes[next...].prefix { $0 != 0x20 }, as: UTF8.self)
    guard Self.isWord(word) else { return value() }
    next += word.utf8.count
    return .text(word)
  }

  /// Reads a value; nil where none is well formed.
  mutating func value(depth: Int = 0) -> FieldValue? {
    guard depth < Self.deepest else { return nil }
    if skip("null") { return .empty }
    if skip("[") {
      var elements: [FieldValue] = []
      while !skip("]") {
        if !elements.isEmpty, !skip(", ") { return nil }
        guard let element = value(depth: depth + 1) else { return nil }
        elements.append(element)
      }
      return .list(elements)
    }
    if skip("{") {
      var entries: [MapEntry] = []
      while !skip("}") {
        if !entries.isEmpty, !skip(", ") { return nil }
        guard let key = string(), skip(": "), let value = value(depth: depth + 1) else { return nil }
        entries.append(MapEntry(key: key, value: value))
      }
      return .map(entries)
    }
    return string().map { .text($0) }
  }

  private mutating func string() -> String? {
    guard skip("\"") else { return nil }
    var text: [UInt8] = []
    while next < bytes.count {
      let byte = bytes[next]
      next += 1
      if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let scalar = escaped() else { return nil }
      text += Array(String(Character(scalar)).utf8)
    }
    return nil
  }

  /// Reads what follows a backslash.
  private mutating func escaped() -> Unicode.Scalar? {
    guard next < bytes.count else { return nil }
    let letter = bytes[next]
    next += 1
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = unit() else { return nil }
      if (0xD800..<0xDC00).contains(unit) {
        guard skip("\\u"), let low = self.unit(), (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      }
      return Unicode.Scalar(unit)
    default: return Unicode.Scalar(letter)
    }
  }

  /// Reads four hexadecimal digits.
  private mutating func unit() -> UInt32? {
    guard next + 4 <= bytes.count else { return nil }
    defer { next += 4 }
    return UInt32(String(decoding: bytes[next..<next + 4], as: UTF8.self), radix: 16)
  }
}
