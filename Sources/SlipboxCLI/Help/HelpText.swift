import Text

/// Help on a screen: lines that are too long go on under their own text.
enum HelpText {
  /// Texts are written for this width.
  static let usualWidth = 80
  /// A line that begins further in than this goes on with the text of the line above it.
  private static let deepest = 12
  /// A line of a paragraph that is at least so long goes on in the next line.
  private static let longLine = 60

  /// The lines of a text, none longer than the screen unless a word alone is.
  static func lines(_ text: String, width: Int?) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let width else { return lines }
    return (width < usualWidth ? rows(of: lines) : lines.map(Row.init)).flatMap { $0.fitted(to: width) }
  }

  /// The lines with those that only go on with another one put to it.
  private static func rows(of lines: [String]) -> [Row] {
    var rows: [Row] = []
    var last = ""
    for line in lines {
      let row = Row(line)
      if let above = rows.last, !line.isEmpty, !last.isEmpty, row.goesOn(above, lineAbove: last) {
        rows[rows.count - 1].text += " " + row.text
      } else {
        rows.append(row)
      }
      last = line
    }
    return rows
  }

  /// A line: an indentation, in a table what is explained, and the text.
  private struct Row {
    let indent: Int
    let head: String
    /// Where the text begins.
    let column: Int
    var text: String

    init(_ line: String) {
      let letters = Array(line)
      let indent = letters.prefix { $0 == " " }.count
      self.indent = indent
      var gap: Int?
      for index in letters.indices.dropFirst(indent + 1).dropLast(2)
      where letters[index] == " " && letters[index + 1] == " " && letters[index + 2] != " " {
        gap = index + 2
      }
      column = gap ?? indent
      head = gap.map { String(letters[indent..<$0]) } ?? ""
      text = String(letters[column...])
    }

    func goesOn(_ above: Row, lineAbove: String) -> Bool {
      guard head.isEmpty else { return false }
      if indent > HelpText.deepest { return true }
      return above.head.isEmpty && indent == above.indent && lineAbove.count >= HelpText.longLine
    }

    func fitted(to width: Int) -> [String] {
      let whole = String(repeating: " ", count: indent) + head + text
      guard CellWidth.of(whole) > width else { return [whole] }
      let hanging = min(head.isEmpty ? indent : indent + 4, width / 2)
      guard !head.isEmpty else { return Self.wrapped(text, from: hanging, to: width) }
      guard column > width / 2 else {
        let lines = Self.wrapped(text, from: column, to: width)
        return [String(repeating: " ", count: indent) + head + (lines[0].dropFirst(column))]
          + lines.dropFirst()
      }
      return Self.wrapped(head, from: min(indent, width / 2), to: width)
        + Self.wrapped(text, from: hanging, to: width)
    }

    private static func wrapped(_ text: String, from column: Int, to width: Int) -> [String] {
      let start = String(repeating: " ", count: column)
      var lines: [String] = []
      var current = ""
      for word in text.split(separator: " ") {
        if !current.isEmpty, column + CellWidth.of(current) + 1 + CellWidth.of(String(word)) > width {
          lines.append(start + current)
          current = ""
        }
        current += (current.isEmpty ? "" : " ") + word
      }
      return lines + [start + current]
    }
  }
}
