import Notes
import Text

/// Texts of notes in a line of Markdown, where nothing in them means anything.
enum MarkdownLine {
  /// A text in which no character means anything to Markdown or ends a comment of HTML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in Visible.escape(text) {
      if "\\`*_[]<>#&|~$%!".contains(character) { result += "\\" }
      result.append(character == "\t" ? " " : character)
    }
    return result
  }

  /// A text with some links, each by its bytes and what is written in its place.
  static func escaped(_ text: String, links: [(range: Range<Int>, markdown: String)]) -> String {
    let bytes = Array(text.utf8)
    var (result, place) = ("", 0)
    for link in links where link.range.lowerBound >= place {
      result += escaped(String(decoding: bytes[place..<link.range.lowerBound], as: UTF8.self)) + link.markdown
      place = link.range.upperBound
    }
    return result + escaped(String(decoding: bytes[place...], as: UTF8.self))
  }

  /// A link to a note by its path, relative to the folder of another note.
  /// - Parameter label: the text of the link; nil for the title of the note.
  static func link(to note: Note, from path: [UInt8], label: String? = nil) -> String {
    let (target, folder) = (note.path.split(separator: 0x2F), path.split(separator: 0x2F).dropLast())
    let common = zip(target.dropLast(), folder).prefix { $0 == $1 }.count
    let steps = folder.dropFirst(common).map { _ in Array("..".utf8)[...] } + target.dropFirst(common)
    let address = steps.map { step in
      step.map { byte -> String in
        let isPlain = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._~".utf8.contains(byte)
        let hex = String(byte, radix: 16, uppercase: true)
        return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
      }.joined()
    }.joined(separator: "/")
    return "[\(escaped(label ?? note.title))](\(address))"
  }
}
