import NoteIndex
import Notes
import Rendering
import SlipboxCore
import Text

/// Notes as rows on a terminal.
struct NoteRows {
  let style: Style
  let width: Int?
  let catalogue: Catalogue
  let schema: Schema

  /// A row a note: that of its kind where all are of one, else id, day, title and tags.
  func listed(_ entries: [Entry], as kind: Kind? = nil) -> [String] {
    if let kind, kind.name != "note", !kind.row.isEmpty { return records(entries, of: kind) }
    let (style, catalogue) = (style, catalogue)
    var table = Table(
      columns: [
        .init(paint: { Self.marked($0, catalogue, style) }), .init(),
        .init(isFlexible: true, minimumWidth: 10), .init(isFlexible: true, paint: style.dim),
      ], style: style, width: width)
    for entry in entries {
      table.add([
        entry.note.id?.description ?? "-", entry.created.civilDate.description, entry.note.title,
        entry.note.tags.map { "#" + $0 }.joined(separator: " "),
      ])
    }
    return table.lines()
  }

  /// The rows of one kind: the id, then the columns that the kind declares.
  private func records(_ entries: [Entry], of kind: Kind) -> [String] {
    let (style, catalogue) = (style, catalogue)
    let columns = kind.row.map { column in
      let isTitle = column.content == .field("title")
      return Table.Column(isFlexible: Self.isProse(column, kind), minimumWidth: isTitle ? 10 : 0)
    }
    var table = Table(
      columns: [.init(paint: { Self.marked($0, catalogue, style) })]
        + columns,
      style: style, width: width)
    let titles = RecordTitles(catalogue.entries, schema)
    for entry in entries {
      let surroundings = RowSurroundings(
        created: entry.created, count: { titles.count(of: $0, referringTo: entry) }, title: titles.title)
      table.add(
        [entry.note.id?.description ?? "-"]
          + kind.row.map { $0.text(for: entry.note, kind: kind, unicode: style.unicode, surroundings) })
    }
    return table.lines()
  }

  /// Whether a column gives way on a narrow terminal: what a person wrote, not signs, numbers and days.
  private static func isProse(_ column: RowColumn, _ kind: Kind) -> Bool {
    guard case .field(let name) = column.content, let field = kind.field(name), column.symbols.isEmpty else {
      return false
    }
    return field.isList || [.text, .tags, .reference].contains(field.type)
  }

  /// A row a note, and under it the lines that were found.
  func found(_ matches: [Match]) -> [String] {
    var lines: [String] = []
    for (row, match) in zip(listed(matches.map(\.entry)), matches) {
      lines.append(row)
      for snippet in match.snippets { lines.append(self.snippet(snippet)) }
    }
    return lines
  }

  /// An id with the letters that it takes to name it marked.
  private static func marked(_ text: String, _ catalogue: Catalogue, _ style: Style) -> String {
    guard let id = NoteID(text) else { return style.dim(text) }
    let unique = catalogue.shortestPrefix(of: id)
    return style.bold(String(text.prefix(unique))) + style.dim(String(text.dropFirst(unique)))
  }

  private func snippet(_ snippet: Snippet) -> String {
    let bytes = Array(snippet.text.utf8)
    var line = ""
    var position = 0
    for hit in snippet.highlights where hit.lowerBound >= position && hit.upperBound <= bytes.count {
      line += Visible.escape(bytes[position..<hit.lowerBound])
      line += style.bold(style.red(Visible.escape(bytes[hit])))
      position = hit.upperBound
    }
    line += Visible.escape(bytes[position...])
    return "  " + style.dim("\(snippet.line):") + " " + line
  }
}
