import Bytes
import Notes

/// The parser of the words of a `Slip-Change` trailer, one after another. Each function returns nil if its word is not
/// next.
struct TrailerReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether each scalar of the value that is being parsed is not a string.
  private var plainScalars: [Bool] = []

  init(_ line: String) { bytes = Array(line.utf8) }

  var isAtEnd: Bool { position == bytes.count }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Skips a byte if it is next.
  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  /// Parses up to the next space or the end: one or more bytes without quotes or control characters.
  mutating func bareWord() -> String? {
    let rest = bytes[position...]
    let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
    let word = rest[..<end]
    let isBare = word.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
    guard !word.isEmpty, isBare else { return nil }
    position = end
    return String(decoding: word, as: UTF8.self)
  }

  /// Parses a string of text.
  mutating func string() -> String? {
    quoted(allowsBytes: false).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Parses a string of the form of `TrailerValues.json(path:)`.
  mutating func path() -> [UInt8]? { quoted(allowsBytes: true) }

  /// A field's value; nil for an absent field.
  struct Value {
    let value: FieldValue?
    /// Whether each scalar is a number or boolean, not a string.
    var plainScalars: [Bool] = []
  }

  /// Parses a field's value; nil if the text does not have the form.
  mutating func value() -> Value? {
    if skip("~") { return Value(value: .empty) }
    if skipNull() { return Value(value: nil) }
    plainScalars = []
    return nested(depth: 0).map { Value(value: $0, plainScalars: plainScalars) }
  }

  mutating func skipNull() -> Bool {
    guard bytes[position...].starts(with: "null".utf8) else { return false }
    position += 4
    return true
  }

  private mutating func nested(depth: Int) -> FieldValue? {
    guard depth < TrailerValues.deepest else { return nil }
    switch next {
    case UInt8(ascii: "\""):
      plainScalars.append(false)
      return string().map { .text($0) }
    case UInt8(ascii: "["): return list(depth: depth)
    case UInt8(ascii: "{"): return map(depth: depth)
    default:
      plainScalars.append(true)
      if depth > 0, skipNull() { return .empty }
      return plainWord().map { .text($0) }
    }
  }

  /// Parses a number or a boolean.
  private mutating func plainWord() -> String? {
    let word = bytes[position...].prefix { !" ,]}".utf8.contains($0) }
    let text = String(decoding: word, as: UTF8.self)
    guard ScalarType(text, isPlain: true) != .text else { return nil }
    position = word.endIndex
    return text
  }

  private mutating func list(depth: Int) -> FieldValue? {
    guard skip("[") else { return nil }
    var elements: [FieldValue] = []
    if skip("]") { return .list(elements) }
    repeat {
      guard let element = nested(depth: depth + 1) else { return nil }
      elements.append(element)
    } while skip(",")
    return skip("]") ? .list(elements) : nil
  }

  private mutating func map(depth: Int) -> FieldValue? {
    guard skip("{") else { return nil }
    var entries: [MapEntry] = []
    if skip("}") { return .map(entries) }
    repeat {
      guard let key = string(), skip(":"), let value = nested(depth: depth + 1) else { return nil }
      entries.append(MapEntry(key: key, value: value))
    } while skip(",")
    return skip("}") ? .map(entries) : nil
  }
}

extension TrailerReader {
  /// - Parameter allowsBytes: whether a lone surrogate from U+DC80 to U+DCFF represents a byte.
  private mutating func quoted(allowsBytes: Bool) -> [UInt8]? {
    guard skip("\"") else { return nil }
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"):
        guard let escaped = escaped(allowsBytes: allowsBytes) else { return nil }
        text += escaped
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escaped(allowsBytes: Bool) -> [UInt8]? {
    guard let letter = next else { return nil }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let unit = fourDigits() else { return nil }
    if allowsBytes, (0xDC80...0xDCFF).contains(unit) { return [UInt8(unit - 0xDC00)] }
    var value = unit
    if (0xD800...0xDBFF).contains(unit) {
      guard skip("\\"), skip("u"), let low = fourDigits(), (0xDC00...0xDFFF).contains(low) else {
        return nil
      }
      value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    return Unicode.Scalar(value).map { Array(String($0).utf8) }
  }

  private mutating func fourDigits() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        value = value << 4 | UInt32((byte | 32) - 87)
      default: return nil
      }
    }
    position += 4
    return value
  }
}

/// Field values and paths as JSON on one line of a commit message.
///
/// A scalar is a string, or a plain number or boolean if it has no quotes in the file (see `ScalarType`). A field without
/// a value is `~`, inside a list or a map `null`; an absent field is `null`. A byte of a path that is not UTF-8 becomes
/// the lone surrogate U+DC80 to U+DCFF, which no UTF-8 text has, so that the encoding of any path is lossless.
/// Source: RFC 8259; PEP 383 for the bytes.
enum TrailerValues {
  /// The maximum nesting of values that are parsed; front matter is not parsed deeper than 64.
  static let deepest = 128

  /// Returns a field's value as JSON; nil if the field is absent.
  ///
  /// - Parameter plainScalars: whether each scalar has no quotes; empty for strings alone.
  static func json(_ value: FieldValue?, _ plainScalars: [Bool] = []) -> String {
    var plain = plainScalars[...]
    return switch value {
    case nil: "null"
    case .empty?: "~"
    case let value?: nested(value, &plain)
    }
  }

  private static func nested(_ value: FieldValue, _ plain: inout ArraySlice<Bool>) -> String {
    switch value {
    case .empty:
      _ = plain.popFirst()
      return "null"
    case .text(let text):
      return ScalarType(text, isPlain: plain.popFirst() ?? false) == .text ? JSONString.quoted(text) : text
    case .list(let elements): return "[" + elements.map { nested($0, &plain) }.joined(separator: ",") + "]"
    case .map(let entries):
      let members = entries.map { JSONString.quoted($0.key) + ":" + nested($0.value, &plain) }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  /// Returns a path of any bytes as JSON.
  static func json(path: [UInt8]) -> String {
    if let text = String(validating: path, as: UTF8.self) { return JSONString.quoted(text) }
    var json = "\""
    var start = 0
    var offset = 0
    // By scalars: a quote and a mark that combines with it are one character.
    let text = { (range: Range<Int>) in
      String(
        JSONString.quoted(String(decoding: path[range], as: UTF8.self)).unicodeScalars.dropFirst().dropLast())
    }
    while offset < path.count {
      let scalar = DecodedScalar(in: path.span, at: offset)
      let next = offset + scalar.length
      if !scalar.isValid {
        json += text(start..<offset)
        for byte in path[offset..<next] { json += "\\udc" + String(byte, radix: 16) }
        start = next
      }
      offset = next
    }
    return json + text(start..<path.count) + "\""
  }
}
