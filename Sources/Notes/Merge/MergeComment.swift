import Bytes

/// The comments of HTML in which a merge keeps what it did not take.
enum MergeComment {
  /// Says what a field was also set to.
  static func field(_ name: String, _ value: FieldValue?) -> [UInt8] {
    let change =
      switch value {
      case nil: "was also removed"
      case .empty: "was also cleared"
      case .some(let value): "was also set to \(json(value))"
      }
    let words = name.utf8.contains { $0 < 0x20 } ? JSONString.quoted(name) : name
    return line("\(words) \(change)")
  }

  /// Keeps lines of text below a sentence.
  static func text(_ sentence: String, _ lines: ArraySlice<UInt8>) -> [UInt8] {
    var comment = Array("<!-- slip: \(sentence)\n".utf8) + safe(Array(lines))
    if comment.last != 0x0A { comment.append(0x0A) }
    return comment + Array("-->\n".utf8)
  }

  private static func line(_ text: String) -> [UInt8] {
    Array("<!-- slip: ".utf8) + safe(Array(text.utf8)) + Array(" -->\n".utf8)
  }

  /// The bytes with every second of two hyphens written as an escape, so that they can't end the comment.
  private static func safe(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if byte == UInt8(ascii: "-"), result.last == byte {
        result.append(contentsOf: "\\u002d".utf8)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func json(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): JSONString.quoted(text)
    case .list(let elements): "[\(elements.map(json).joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { "\(JSONString.quoted($0.key)): \(json($0.value))" }.joined(separator: ", "))}"
    case .empty: "null"
    }
  }
}
