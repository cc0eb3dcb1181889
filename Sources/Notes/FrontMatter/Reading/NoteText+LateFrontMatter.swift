import Bytes

extension NoteText {
  /// The lines in which front-matter is looked for that does not begin at the first one.
  private static let mostLines = 200

  /// What to do about front-matter below other text.
  package static let lateFrontMatterWords =
    "front matter must begin at the first line: move the text above its first --- below it"

  /// Whether front-matter stands below other text, where it is none.
  package var hasLateFrontMatter: Bool {
    guard frontMatter == nil else { return false }
    var line = 0
    for _ in 0..<Self.mostLines {
      guard let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) else { return false }
      line = end + 1
      guard bytes[line...].starts(with: "---".utf8) else { continue }
      let rest = NoteText(Array(bytes[line...]))
      if rest.frontMatter != nil, !FrontMatter(rest).fields.isEmpty { return true }
    }
    return false
  }
}
