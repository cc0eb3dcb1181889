import Bytes
import NoteIndex
import Notes
package import SlipboxCore
import Text

/// A table of notes, or one for each of several days, as text, CSV, JSON and Markdown.
package struct TableRows {
  private let tables: [(day: String?, table: NoteTable)]
  private let headings: [String]

  package init(_ table: NoteTable) {
    tables = [(nil, table)]
    headings = table.headings
  }

  /// - Parameter tables: the tables of days; each row begins with the day.
  package init(_ tables: [PastTable]) {
    self.tables = tables.map { ($0.day.description, $0.table) }
    headings = tables.first.map { ["date"] + $0.table.headings } ?? []
  }

  private static func text(_ cell: [TableValue]) -> String { cell.map(\.text).joined(separator: ", ") }

  private func cells(
    _ row: NoteTable.Row, _ day: String?, _ text: (TableValue) -> String = \.text
  ) -> [String] {
    (day.map { [$0] } ?? []) + row.cells.map { $0.map(text).joined(separator: ", ") }
  }

  /// The cells of the total, which begins with its name if the first column has no total.
  private func totalCells(
    _ table: NoteTable, _ day: String?, _ text: (TableValue) -> String = \.text
  ) -> [String]? {
    guard let total = table.total else { return nil }
    var cells = cells(total, nil, text)
    if cells.first == "" { cells[0] = table.totalName }
    return (day.map { [$0] } ?? []) + cells
  }

  /// The cells of the total for people: a column without a total has its name, else the first cell begins with it.
  private func shownTotalCells(_ table: NoteTable, _ day: String?) -> [String]? {
    guard var cells = totalCells(table, nil) else { return nil }
    if cells.first != table.totalName {
      if let place = cells.firstIndex(of: "") {
        cells[place] = table.totalName
      } else if let first = cells.first {
        cells[0] = "\(table.totalName) \(first)"
      }
    }
    return (day.map { [$0] } ?? []) + cells
  }

  /// The texts of a row for people: a group without a value is named.
  private static func shownCells(_ row: NoteTable.Row, of table: NoteTable, empty: String) -> [String] {
    row.cells.enumerated().map { column, cell in
      guard cell.isEmpty else { return text(cell) }
      return column < table.absentNames.count ? table.absentNames[column] : empty
    }
  }

  private var allRows: [[String]] {
    tables.flatMap { day, table in
      table.rows.map { cells($0, day) } + (totalCells(table, day).map { [$0] } ?? [])
    }
  }

  /// Whether each column has numbers alone.
  private var areNumeric: [Bool] {
    let hasDay = tables.first?.day != nil
    return headings.indices.map { column in
      guard !hasDay || column > 0 else { return false }
      let values = tables.lazy.flatMap(\.table.rows).flatMap { $0.cells[column - (hasDay ? 1 : 0)] }
      return !values.isEmpty && values.allSatisfy { $0.number != nil }
    }
  }

  /// The cells that each column needs at least: those of its longest number or date, and a few of a text.
  private var leastWidths: [Int] {
    let days = tables.first?.day.map { [CellWidth.of($0)] } ?? []
    return days
      + (0..<headings.count - days.count).map { column in
        tables.flatMap { $0.table.rows + ($0.table.total.map { [$0] } ?? []) }.reduce(6) { width, row in
          let cell = row.cells[column]
          let isShort = cell.allSatisfy { $0.number != nil || $0.date != nil }
          return isShort ? max(width, CellWidth.of(Self.text(cell))) : width
        }
      }
  }

  /// Whether a column has numbers alone.
  package func isNumeric(column: Int) -> Bool { areNumeric[column] }

  /// The table for a terminal, with its headings.
  package func lines(_ display: Display) -> [String] {
    let style = display.style
    // Numbers and dates are never cut, but their headings are.
    let columns = zip(areNumeric, leastWidths).map { isNumeric, width in
      Table.Column(alignment: isNumeric ? .trailing : .leading, isFlexible: true, minimumWidth: width)
    }
    var lines = Table(columns: columns, style: style, width: display.width)
    lines.add(headings.map { Table.Cell($0, paint: style.dim) })
    for (day, table) in tables {
      let first = day.map { [Table.Cell($0)] } ?? []
      for row in table.rows {
        let texts = Self.shownCells(row, of: table, empty: "-")
        lines.add(first + zip(row.cells, texts).map { Table.Cell($1, paint: $0.isEmpty ? style.dim : nil) })
      }
      guard let total = shownTotalCells(table, day) else { continue }
      lines.add(total.map { Table.Cell($0, paint: style.bold) })
    }
    return lines.lines()
  }

  /// A row for a pipe on each line, with tabs between the cells; no headings.
  package func rows() -> [String] {
    allRows.map { Tabs.row($0.map { Visible.escape($0) }) }
  }

  /// The queries of the groups, a line each, and the names of the groups that no query finds, such as those by urgency or
  /// by a value that the kind does not allow.
  package func queries(
    after query: [String], in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> (lines: [String], missing: [String]) {
    var found: [(words: [String], name: String, count: Int, query: Query?)] = []
    for (_, table) in tables {
      for row in table.rows {
        guard let terms = row.terms else { continue }
        let names = Self.shownCells(row, of: table, empty: "-").prefix(table.absentNames.count)
        found.append(
          (query + terms, names.joined(separator: ", "), row.count, try? snapshot.query(query + terms)))
      }
    }
    var counts = try snapshot.places(ofEach: found.compactMap(\.query)).map(\.count)[...]
    var (lines, missing): ([String], [String]) = ([], [])
    for group in found {
      // A limit in the query is one of all groups.
      if let read = group.query, let count = counts.popFirst(), count == group.count || read.limit != nil {
        lines.append(group.words.map { ShellWord.quoted(Array($0.utf8)) }.joined(separator: " "))
      } else {
        missing.append(group.name)
      }
    }
    return (lines, missing)
  }

  package func csv() -> [UInt8] {
    let rows = tables.flatMap { day, table in
      table.rows.map { cells($0, day, \.exactText) }
        + (totalCells(table, day, \.exactText).map { [$0] } ?? [])
    }
    return CSVWriter.row(headings) + rows.flatMap { CSVWriter.row($0) }
  }

  /// `{"schema": 2, "rows": [{"status": "open", "count": 3}], "total": {"count": 3}}`; of several days
  /// `{"schema": 2, "tables": [{"date": "2026-11-30", "rows": [...]}]}`.
  package func json() -> [UInt8] {
    JSONDocument.object { writer in
      if let only = tables.first, only.day == nil { return Self.write(only.table, to: &writer) }
      writer.member("tables", of: tables) { moment, writer in
        writer.object { writer in
          writer.member("date", moment.day)
          Self.write(moment.table, to: &writer)
        }
      }
    }
  }

  private static func write(_ table: NoteTable, to writer: inout JSONWriter) {
    writer.member("rows", of: table.rows) { row, writer in write(row, table.headings, to: &writer) }
    guard let total = table.total else { return }
    writer.key("total")
    write(total, table.headings, to: &writer)
  }

  /// Writes aggregates as an object: `{"sum(hours)": 3}`.
  static func write(_ aggregates: [(heading: String, value: TableValue?)], to writer: inout JSONWriter) {
    writer.object { writer in
      for (heading, value) in aggregates {
        writer.key(heading)
        if let value { write(value, to: &writer) } else { writer.null() }
      }
    }
  }

  private static func write(_ row: NoteTable.Row, _ headings: [String], to writer: inout JSONWriter) {
    writer.object { writer in
      for (column, (heading, cell)) in zip(headings, row.cells).enumerated() {
        writer.key(heading)
        if row.lists.contains(column) || cell.count > 1 {
          writer.array(of: cell) { Self.write($0, to: &$1) }
        } else if let value = cell.first {
          Self.write(value, to: &writer)
        } else {
          writer.null()
        }
      }
    }
  }

  private static func write(_ value: TableValue, to writer: inout JSONWriter) {
    if case .boolean(let flag) = value { return writer.boolean(flag) }
    guard let number = value.number else { return writer.string(value.text) }
    let written = ScalarType(value.exactText, isPlain: true) == .number ? value : .number(number)
    writer.number(written.exactText)
  }

  /// A table of Markdown.
  package func markdown() -> [String] {
    markdown { MarkdownLine.escaped(Self.onOneLine($0.entry.note.title)) }
  }

  /// A table of Markdown in which no text means anything to Markdown.
  /// - Parameter link: writes the title of the note of a row.
  func markdown(_ link: (Match) -> String) -> [String] {
    let marks = areNumeric.map { $0 ? "---:" : "---" }
    let row = { (cells: [String]) in "| \(cells.joined(separator: " | ")) |" }
    let lines = tables.flatMap { day, table in
      table.rows.map { line in
        (day.map { [$0] } ?? [])
          + zip(table.headings, Self.shownCells(line, of: table, empty: "")).map { heading, cell in
            if heading == "title", let match = line.match { return link(match) }
            return MarkdownLine.escaped(Self.onOneLine(cell))
          }
      } + (shownTotalCells(table, day).map { [$0.map(MarkdownLine.escaped)] } ?? [])
    }
    return [row(headings.map(MarkdownLine.escaped)), row(marks)] + lines.map(row)
  }

  /// A text with blanks for its line ends, which would end a row of Markdown.
  private static func onOneLine(_ text: String) -> String {
    text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
  }

}

/// Texts of notes in a line of Markdown, if nothing in them means anything.
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

  /// A text with some ranges replaced by links in Markdown.
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
