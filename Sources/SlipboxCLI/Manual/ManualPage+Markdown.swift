import Bytes

/// Pages as notes of a box, of which `slip export html` makes a site.
extension ManualPage {
  /// The title of the page: `slip list`, `Queries`.
  var title: String {
    section == 1 ? name.replacing("-", with: " ", maxReplacements: 1) : HelpTopic.title(of: name)
  }

  /// The file of the page below a folder of notes.
  var noteFile: [UInt8] { Array("\(section == 1 ? "commands" : "chapters")/\(name).md".utf8) }

  /// The page as Markdown with front-matter.
  var markdown: String {
    var parts = ["---\ntitle: \(title)\ntags: [\(section == 1 ? "command" : "chapter")]\n---", summary]
    if !synopsis.isEmpty { parts.append(Self.fenced([synopsis])) }
    parts += blocks.map(Self.markdown)
    for table in tables {
      parts.append("## \(table.heading)")
      if !table.text.isEmpty { parts.append(Self.escaped(table.text)) }
      if !table.terms.isEmpty {
        parts.append(
          table.terms.map { "- `\($0.name)`: \(Self.escaped($0.meaning))" }.joined(separator: "\n"))
      }
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func markdown(_ block: HelpBlock) -> String {
    switch block {
    case .heading(let name): "## \(name)"
    case .paragraph(let text): escaped(text)
    case .lines(let lines): fenced(lines)
    }
  }

  private static func fenced(_ lines: [String]) -> String {
    let isSession = lines.contains { $0.hasPrefix("$ ") }
    return (["```\(isSession ? "console" : "")"] + lines + ["```"]).joined(separator: "\n")
  }

  /// Text in which nothing but what stands in backticks has a meaning for Markdown.
  private static func escaped(_ text: String) -> String {
    var result = ""
    var isCode = false
    for letter in text {
      if letter == "`" { isCode.toggle() }
      if !isCode, "*_[]<>#\\".contains(letter) { result.append("\\") }
      result.append(letter)
    }
    return result
  }
}
