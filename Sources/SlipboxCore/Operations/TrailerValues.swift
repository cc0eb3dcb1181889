import Bytes
import Notes

/// Field values and paths as JSON on one line of a commit message.
///
/// A scalar is a string, as front-matter has no other. A field without a value is `~`, inside a list or a map `null`;
/// an absent field is `null`. A byte of a path that is no UTF-8 becomes the lone surrogate U+DC80 to U+DCFF, which no
/// UTF-8 text has, so that any path comes back as it was.
/// Source: RFC 8259; PEP 383 for the bytes.
enum TrailerValues {
  /// Values nested deeper are not read; front-matter is not read deeper than 64.
  static let deepest = 128

  /// A field's value; nil where the field is absent.
  static func json(_ value: FieldValue?) -> String {
    switch value {
    case nil: "null"
    case .empty?: "~"
    case let value?: nested(value)
    }
  }

  private static func nested(_ value: FieldValue) -> String {
    switch value {
    case .empty: "null"
    case .text(let text): JSONString.quoted(text)
    case .list(let elements): "[" + elements.map(nested).joined(separator: ",") + "]"
    case .map(let entries):
      "{" + entries.map { JSONString.quoted($0.key) + ":" + nested($0.value) }.joined(separator: ",") + "}"
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
