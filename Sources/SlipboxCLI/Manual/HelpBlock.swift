/// A part of a text of help, which is written for terminals: paragraphs begin at the margin, examples and tables are
/// indented, and a heading is a short line right above one of these.
enum HelpBlock: Equatable {
  case heading(String)
  case paragraph(String)
  /// Lines as they stand, without the indentation that all of them share.
  case lines([String])

  /// The first line of a paragraph that goes on is longer.
  private static let longestHeading = 40

  /// The parts of a text in their order.
  static func blocks(of text: String) -> [HelpBlock] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blocks: [HelpBlock] = []
    var verbatim: [String] = []
    func close() {
      if !verbatim.isEmpty { blocks.append(.lines(unindented(verbatim))) }
      verbatim = []
    }
    for run in lines.split(separator: "") {
      var run = run
      if run.count > 1, let first = run.first, let name = heading(first) {
        close()
        blocks.append(.heading(name))
        run = run.dropFirst()
      }
      if !verbatim.isEmpty, run.first?.hasPrefix(" ") == true { verbatim.append("") }
      while let first = run.first {
        let part = run.prefix { $0.hasPrefix(" ") == first.hasPrefix(" ") }
        run = run.dropFirst(part.count)
        if first.hasPrefix(" ") {
          verbatim += part
        } else {
          close()
          blocks.append(.paragraph(part.joined(separator: " ")))
        }
      }
    }
    close()
    return blocks
  }

  /// The heading that a line is: short, at the margin, and no sentence; `Examples:` is one too.
  private static func heading(_ line: String) -> String? {
    let name = line.hasSuffix(":") && !line.contains(" ") ? String(line.dropLast()) : line
    guard name.count <= longestHeading, !name.hasPrefix(" "), let last = name.last, !".:,;".contains(last)
    else {
      return nil
    }
    return name
  }

  private static func unindented(_ lines: [String]) -> [String] {
    let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indent)) }
  }
}
