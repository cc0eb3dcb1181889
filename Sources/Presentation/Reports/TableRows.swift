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

  /// Whether a column has numbers alone.
  package func isNumeric(column: Int) -> Bool { areNumeric[column] }

  /// The table for a terminal, with its headings.
  package func lines(_ display: Display) -> [String] {
    let style = display.style
    let columns = areNumeric.map { isNumeric in
      Table.Column(alignment: isNumeric ? .trailing : .leading, isFlexible: !isNumeric, minimumWidth: 6)
    }
    var lines = Table(columns: columns, style: style, width: display.width)
    lines.add(headings.map { Table.Cell($0, paint: style.dim) })
    for (day, table) in tables {
      let first = day.map { [Table.Cell($0)] } ?? []
      for row in table.rows {
        let texts = Self.shownCells(row, of: table, empty: "-")
        lines.add(first + zip(row.cells, texts).map { Table.Cell($1, paint: $0.isEmpty ? style.dim : nil) })
      }
      guard let total = totalCells(table, day) else { continue }
      lines.add(total.map { Table.Cell($0, paint: style.bold) })
    }
    return lines.lines()
  }

  /// A row for a pipe on each line, with tabs between the cells; no headings.
  package func rows() -> [String] {
    allRows.map { Tabs.row($0.map { Visible.escape($0) }) }
  }

  /// The queries of the groups, a line each.
  package func queries(after query: [String]) -> [String] {
    tables.flatMap(\.table.rows).compactMap(\.terms).map { terms in
      (query + terms).map { ShellWord.quoted(Array($0.utf8)) }.joined(separator: " ")
    }
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
      for (heading, cell) in zip(headings, row.cells) {
        writer.key(heading)
        switch cell.count {
        case 0: writer.null()
        case 1: Self.write(cell[0], to: &writer)
        default:
          writer.beginArray()
          for value in cell { Self.write(value, to: &writer) }
          writer.endArray()
        }
      }
    }
  }

  private static func write(_ value: TableValue, to writer: inout JSONWriter) {
    guard let number = value.number else { return writer.string(value.text) }
    let written = ScalarType(value.exactText, isPlain: true) == .number ? value : .number(number)
    writer.number(written.exactText)
  }

  /// A table of Markdown.
  package func markdown() -> [String] {
    let marks = areNumeric.map { $0 ? "---:" : "---" }
    let rows = tables.flatMap { day, table in
      table.rows.map { (day.map { [$0] } ?? []) + Self.shownCells($0, of: table, empty: "") }
        + (totalCells(table, day).map { [$0] } ?? [])
    }
    return [Self.markdown(headings), Self.markdown(marks)] + rows.map(Self.markdown)
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
            return MarkdownLine.escaped(cell)
          }
      } + (totalCells(table, day).map { [$0.map(MarkdownLine.escaped)] } ?? [])
    }
    return [row(headings.map(MarkdownLine.escaped)), row(marks)] + lines.map(row)
  }

  private static func markdown(_ cells: [String]) -> String {
    "| "
      + cells.map { cell in
        Visible.escape(cell).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      }.joined(separator: " | ") + " |"
  }
}

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
