import Bytes
import Notes

/// Field values and paths as JSON on one line of a commit message.
///
/// A scalar is a string, but a plain number or boolean if it has no quotes in the file (see `ScalarType`). A field without a value is `~`, inside a list or a map `null`;
/// an absent field is `null`. A byte of a path that is no UTF-8 becomes the lone surrogate U+DC80 to U+DCFF, which no
/// UTF-8 text has, so that any path comes back as it was.
/// Source: RFC 8259; PEP 383 for the bytes.
enum TrailerValues {
  /// Values nested deeper are not read; front-matter is not read deeper than 64.
  static let deepest = 128

  /// A field's value; nil where the field is absent.
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

  /// A path of any bytes.
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
