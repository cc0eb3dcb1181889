/// The comments of HTML in which a merge keeps what front-matter can't hold.
enum MergeComment {
  /// Keeps lines of text below a sentence.
  static func text(_ sentence: String, _ lines: ArraySlice<UInt8>) -> [UInt8] {
    var comment = Array("<!-- slip: \(sentence)\n".utf8) + safe(Array(lines))
    if comment.last != 0x0A { comment.append(0x0A) }
    return comment + Array("-->\n".utf8)
  }

  /// Keeps one line.
  static func line(_ text: String) -> [UInt8] {
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
}
