package import NoteIndex
package import Notes
import Platform
package import SlipboxCore
import Text

/// Takes the bytes of a result, part by part, in order.
package typealias ByteOutput = (_ bytes: [UInt8]) -> Void

/// A list of notes in the requested format.
package struct NoteList {
  private let presenter: NotePresenter
  private let form: ListForm
  private let parts: Set<RequestedPart>
  private let lineEnd: String
  private let isSearch: Bool
  private let display: Display
  private let deletion: (@Sendable (Entry) -> PastDeletion?)?

  /// - Parameters:
  ///   - parts: what JSON and CSV have besides the fields.
  ///   - lineEnd: the end of a row or path.
  ///   - isSearch: whether scores and snippets belong to the result.
  ///   - deletion: says of a deleted note when and how it was deleted, which is then shown.
  package init(
    _ presenter: NotePresenter, _ form: ListForm, parts: Set<RequestedPart> = [], lineEnd: String = "\n",
    isSearch: Bool = false, display: Display, deletion: (@Sendable (Entry) -> PastDeletion?)? = nil
  ) {
    self.presenter = presenter
    self.form = form
    self.parts = parts
    self.lineEnd = lineEnd
    self.isSearch = isSearch
    self.display = display
    self.deletion = deletion
  }

  /// The list as lines of a terminal, by the row of a kind if all notes are of one.
  package func table(_ matches: [Match], kind: Kind?) throws(SlipboxError) -> [String] {
    let rows = try presenter.rows(display)
    if let deletion { return rows.deleted(matches.map(\.entry), deletion) }
    return isSearch ? rows.found(matches, as: kind) : rows.listed(matches.map(\.entry), as: kind)
  }

  /// Groups of notes as lines of a terminal: a heading with the number of notes, then their rows; columns are aligned
  /// across groups.
  package func table(_ groups: [NoteGroup], kind: Kind?) throws(SlipboxError) -> [String] {
    let rows = try table(groups.flatMap(\.matches), kind: kind)
    var (lines, place): ([String], Int) = ([], 0)
    for group in groups {
      if !lines.isEmpty { lines.append("") }
      lines.append(display.style.bold(group.heading) + display.style.dim(" \(group.matches.count)"))
      lines += rows[place..<place + group.matches.count]
      place += group.matches.count
    }
    return lines
  }

  /// Writes the list part by part, as the parts are made on all processors.
  ///
  /// - Complexity: O(n) in time; in memory a few parts, and the times and links of all.
  ///
  /// - Parameter kind: the kind that the query names.
  package func write(_ matches: [Match], kind: Kind?, to sink: ByteOutput) throws(SlipboxError) {
    switch form {
    case .count: sink(Array("\(matches.count)\n".utf8))
    case .json, .jsonLines: try writeJSON(matches, to: sink)
    case .csv: try writeCSV(matches, kind, to: sink)
    case .paths: for match in matches { sink(path(match)) }
    case .template(let template): try writeLines(matches, template, to: sink)
    case .rows:
      let (columns, paint) = (
        NoteColumns(modified: nil), RowPaint(display.style, try presenter.states())
      )
      writeRows(matches, to: sink) { columns.row($0, paint.callAsFunction) }
    case .kindRows:
      let row = try presenter.plainRow(of: matches.map(\.entry), as: kind)
      let columns = NoteColumns(modified: nil)
      writeRows(matches, to: sink) { columns.row($0, row.cells(of: $0)) }
    }
  }
}

extension NoteList {
  private func writeJSON(_ matches: [Match], to sink: ByteOutput) throws(SlipboxError) {
    let shape = try presenter.json(of: matches, parts)
    let times = try presenter.modified(of: matches)
    let (isSearch, isWhole, deletion) = (isSearch, form == .json, deletion)
    if isWhole { sink(JSONDocument.opening(presenter.json, ofList: "notes")) }
    try Self.write(matches, to: sink) { (range) throws(SlipboxError) in
      var writer = JSONWriter()
      for place in range {
        let match = matches[place]
        let entry = match.entry
        try shape.write(
          entry, modified: times[place], found: isSearch ? match : nil, deleted: deletion?(entry), to: &writer
        )
        if !isWhole { writer.newLine() }
      }
      let bytes = writer.takeBytes()
      return isWhole && range.lowerBound > 0 ? [UInt8(ascii: ",")] + bytes : bytes
    }
    if isWhole { sink(JSONDocument.closing) }
  }

  /// The columns that every note has, the fields of the requested kind, and others by name.
  private static func fieldColumns(_ matches: [Match], _ kind: Kind?) -> [String] {
    var names = NoteColumn.allCases.map(\.rawValue)
    var seen = Set(names)
    names += kind?.fields.map(\.name).filter { seen.insert($0).inserted } ?? []
    if kind?.urgency.isEmpty == false, seen.insert(NoteColumns.urgencyColumn).inserted {
      names.append(NoteColumns.urgencyColumn)
    }
    // All matches are of one catalogue.
    let fields = matches.first?.entries.fieldNames(of: matches.lazy.map(\.place)) ?? []
    return names + Set(fields).subtracting(seen).sorted()
  }

  private func writeCSV(_ matches: [Match], _ kind: Kind?, to sink: ByteOutput) throws(SlipboxError) {
    var names = Self.fieldColumns(matches, kind)
    var seen = Set(names)
    let links = try presenter.links(of: matches, parts)
    for part in RequestedPart.allCases where parts.contains(part) && seen.insert(part.rawValue).inserted {
      names.append(part.rawValue)
    }
    let columns = names.map { name in
      (name: name, part: RequestedPart(rawValue: name).flatMap(asked), column: NoteColumn(rawValue: name))
    }
    let (times, isTerminal, deletion) = (
      try presenter.modified(of: matches), display.isTerminal, deletion
    )
    let meter = names.contains(NoteColumns.urgencyColumn) ? try presenter.meter() : nil
    sink(Self.csvRow(names + (deletion == nil ? [] : Self.deletionColumns), isTerminal: isTerminal))
    try Self.write(matches, to: sink) { (range) throws(SlipboxError) in
      var rows: [UInt8] = []
      for place in range {
        let (entry, values) = (
          matches[place].entry, NoteColumns(modified: times[place], meter: meter, schema: presenter.schema)
        )
        let cells = try columns.map { (column) throws(SlipboxError) in
          switch (column.part, column.column) {
          case (.body, _): try Self.body(of: entry.note)
          case (let part?, _): links?.names(part, of: entry.note) ?? ""
          case (nil, let column?): values.value(column, of: entry)
          case (nil, nil): try values.cell(column.name, of: entry, presenter.schema)
          }
        }
        rows += Self.csvRow(
          cells + (deletion.map { Self.cells(of: $0(entry)) } ?? []), isTerminal: isTerminal)
      }
      return rows
    }
  }

  /// The columns that a list of deleted notes has besides: the time, and the command.
  private static let deletionColumns = ["deleted", "deleted-by"]

  private static func cells(of deletion: PastDeletion?) -> [String] {
    [deletion?.time.rfc3339 ?? "", deletion?.maker ?? ""]
  }

  /// The part, if it is requested.
  private func asked(_ part: RequestedPart) -> RequestedPart? { parts.contains(part) ? part : nil }

  private static func body(of note: Note) throws(SlipboxError) -> String {
    let text = try note.text
    return String(decoding: text.bytes[text.body], as: UTF8.self)
  }

  private static func csvRow(_ cells: [String], isTerminal: Bool) -> [UInt8] {
    let row = CSVWriter.row(cells)
    return isTerminal ? Array(Visible.escape(row, keepingLines: true).utf8) : row
  }

  private func path(_ match: Match) -> [UInt8] {
    let path = match.entries.path(at: match.place)
    return (display.isTerminal ? Array(Visible.escape(path).utf8) : path) + lineEnd.utf8
  }

  private func writeLines(
    _ matches: [Match], _ template: String, to sink: ByteOutput
  ) throws(SlipboxError) {
    let times = template.contains("{modified}") ? try presenter.modified(of: matches) : []
    let meter = template.contains("{\(NoteColumns.urgencyColumn)}") ? try presenter.meter() : nil
    let (lineEnd, isTerminal, schema) = (lineEnd, display.isTerminal, presenter.schema)
    try Self.write(matches, to: sink) { (range) throws(SlipboxError) in
      var text = ""
      for place in range {
        let columns = NoteColumns(
          modified: times.isEmpty ? nil : times[place], meter: meter, schema: schema)
        text += try columns.line(template, of: matches[place].entry, isTerminal: isTerminal) + lineEnd
      }
      return Array(text.utf8)
    }
  }

  private func writeRows(
    _ matches: [Match], to sink: ByteOutput, _ row: @escaping @Sendable (Entry) -> String
  ) {
    let columns = NoteColumns(modified: nil)
    let (lineEnd, isSearch, style, deletion) = (lineEnd, isSearch, display.style, deletion)
    Self.write(matches, to: sink) { range in
      var text = ""
      for match in matches[range] {
        let entry = match.entry
        let cells = [row(entry)] + (deletion.map { Self.cells(of: $0(entry)) } ?? [])
        text += cells.joined(separator: "\t") + lineEnd
        guard isSearch else { continue }
        let name = columns.known("name", of: entry)
        for snippet in match.snippets {
          text += "\(name)\t\(snippet.line)\t\(snippet.shown(style))\(lineEnd)"
        }
      }
      return Array(text.utf8)
    }
  }
}

extension NoteList {
  /// The notes of one part, and the parts that may wait to be written.
  private static let partLength = 128
  private static let mostWaiting = 32

  /// Makes parts on all processors and writes them in order; only a few are in memory at a time.
  private static func write<Failure: Error>(
    _ matches: [Match], to sink: ByteOutput,
    _ make: @escaping @Sendable (Range<Int>) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let starts = stride(from: 0, to: matches.count, by: partLength)
    let parts = starts.map { $0..<min($0 + partLength, matches.count) }
    try concurrentStream(throwing: parts, ahead: mostWaiting, make) { sink($0) }
  }
}

extension NoteGroup {
  /// The value, safe for a terminal; `no status` if the notes have none.
  package var heading: String { value.map { Visible.escape($0.text) } ?? Visible.escape(absentName) }
}

/// A form in which a list of notes is written.
package enum ListForm: Sendable, Equatable {
  /// A table on a terminal, rows with tabs between the columns elsewhere.
  case rows
  /// The rows of the notes' kind with tabs between the columns, on a terminal too.
  case kindRows
  /// One JSON object with all notes.
  case json
  /// A JSON object a line.
  case jsonLines
  /// Comma-separated values with a header.
  case csv
  /// The paths of the files.
  case paths
  /// A line a note by a template such as `{id} {title}`.
  case template(String)
  /// The number of notes.
  case count

  /// Whether the result is one whole, of which the first lines alone mean nothing.
  package var isWhole: Bool { [.json, .csv, .count].contains(self) }
}

/// Writes rows of comma-separated values.
///
/// Source: RFC 4180, with a line feed as the line end.
package enum CSVWriter {
  /// Returns one row, its line end included; a cell is quoted if it has to be.
  ///
  /// - Complexity: O(n).
  package static func row(_ cells: [String]) -> [UInt8] {
    var row: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { row.append(UInt8(ascii: ",")) }
      append(cell, to: &row)
    }
    // A row of one empty cell would read as no row at all.
    if cells.count == 1 && row.isEmpty { row += "\"\"".utf8 }
    row.append(UInt8(ascii: "\n"))
    return row
  }

  private static func append(_ cell: String, to row: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard needsQuotes(cell) else {
      row += cell.utf8
      return
    }
    row.append(quote)
    for byte in cell.utf8 {
      if byte == quote { row.append(quote) }
      row.append(byte)
    }
    row.append(quote)
  }

  private static func needsQuotes(_ cell: String) -> Bool {
    if cell.utf8.first == 0x20 || cell.utf8.last == 0x20 { return true }
    return cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
  }
}
