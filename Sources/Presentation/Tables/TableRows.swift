import Bytes
package import SlipboxCore
import Text

/// A table of notes as text, CSV, JSON and Markdown.
package struct TableRows {
  private let table: NoteTable

  package init(_ table: NoteTable) { self.table = table }

  private static func text(_ cell: [TableValue]) -> String { cell.map(\.text).joined(separator: ", ") }

  private var allRows: [NoteTable.Row] { table.rows + (table.total.map { [$0] } ?? []) }

  /// Whether a column has numbers alone.
  private func isNumeric(_ column: Int) -> Bool {
    let values = table.rows.flatMap { $0.cells[column] }
    return !values.isEmpty && values.allSatisfy { $0.number != nil }
  }

  /// The table for a terminal, with its headings.
  package func lines(_ display: Display) -> [String] {
    let style = display.style
    let columns = table.headings.indices.map { number -> Table.Column in
      let isNumeric = isNumeric(number)
      return Table.Column(
        alignment: isNumeric ? .trailing : .leading, isFlexible: !isNumeric, minimumWidth: 6)
    }
    var lines = Table(columns: columns, style: style, width: display.width)
    lines.add(table.headings.map { Table.Cell($0, paint: style.dim) })
    for row in table.rows {
      lines.add(
        row.cells.map { $0.isEmpty ? Table.Cell("none", paint: style.dim) : Table.Cell(Self.text($0)) })
    }
    if let total = table.total {
      lines.add(
        total.cells.enumerated().map { number, cell in
          Table.Cell(cell.isEmpty && number == 0 ? "total" : Self.text(cell), paint: style.bold)
        })
    }
    return lines.lines()
  }

  /// A row for a pipe on each line, with tabs between the cells; no headings.
  package func rows() -> [String] {
    allRows.map { Tabs.row($0.cells.map { Visible.escape(Self.text($0)) }) }
  }

  /// The queries of the groups, a line each.
  package func queries(after query: [String]) -> [String] {
    table.rows.compactMap(\.terms).map { terms in
      (query + terms).map { ShellWord.quoted(Array($0.utf8)) }.joined(separator: " ")
    }
  }

  package func csv() -> [UInt8] {
    CSVWriter.row(table.headings) + allRows.flatMap { CSVWriter.row($0.cells.map(Self.text)) }
  }

  /// `{"schema": 2, "rows": [{"status": "open", "count": 3}], "total": {"count": 3}}`.
  package func json() -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("rows", of: table.rows) { row, writer in write(row, to: &writer) }
      guard let total = table.total else { return }
      writer.key("total")
      write(total, to: &writer)
    }
  }

  private func write(_ row: NoteTable.Row, to writer: inout JSONWriter) {
    writer.object { writer in
      for (heading, cell) in zip(table.headings, row.cells) {
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
    if value.number != nil { writer.number(value.text) } else { writer.string(value.text) }
  }

  /// A table of Markdown.
  package func markdown() -> [String] {
    let marks = table.headings.indices.map { isNumeric($0) ? "---:" : "---" }
    return [Self.markdown(table.headings), Self.markdown(marks)]
      + allRows.map { Self.markdown($0.cells.map(Self.text)) }
  }

  private static func markdown(_ cells: [String]) -> String {
    "| "
      + cells.map { cell in
        Visible.escape(cell).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      }.joined(separator: " | ") + " |"
  }
}
