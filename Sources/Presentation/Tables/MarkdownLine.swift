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

  /// A link to a note by its path, relative to the folder of another note.
  static func link(to note: Note, from path: [UInt8]) -> String {
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
    return "[\(escaped(note.title))](\(address))"
  }
}
