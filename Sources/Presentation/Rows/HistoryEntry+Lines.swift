import Git
import NoteIndex
import Notes
package import SlipboxCore
import Text

extension HistoryEntry {
  /// The letters by which the entry is named: of its operation, else of its commit.
  package var shownID: String { operation.shownID(in: commit.id) }

  /// The entry on one line: on a terminal the short id of the operation (of another program's commit: that of the commit),
  /// minute, subject and author; elsewhere with tabs the whole id of the commit, time, subject, author and operation.
  package func line(_ display: Display) -> String {
    let (time, style) = (operation.time, display.style)
    let (subject, author) = (Visible.escape(commit.subject), Visible.escape(commit.author.name))
    guard display.isTerminal else {
      let cells = [
        style.bold(commit.id.hex), style.dim(time.rfc3339), subject, style.dim(author),
        operation.id?.description ?? "",
      ]
      return Tabs.row(cells)
    }
    return "\(style.bold(shownID)) \(style.dim(time.minute)) \(subject) \(style.dim(author))"
  }
}

/// The entries of a history, a line each: on a terminal with the authors in a column of their own.
package struct HistoryTable {
  private let display: Display
  private var table: Table
  private var rows: [String] = []

  package init(_ display: Display) {
    self.display = display
    let style = display.style
    var author = RowLayout.text(leaves: 1)
    author.paint = style.dim
    table = Table(
      columns: [
        Table.Column(paint: { style.bold($0) }), Table.Column(paint: { style.dim($0) }), RowLayout.title,
        author,
      ], style: style, width: display.width)
  }

  package mutating func add(_ entry: HistoryEntry) {
    guard display.isTerminal else { return rows.append(entry.line(display)) }
    table.add([entry.shownID, entry.operation.time.minute, entry.commit.subject, entry.commit.author.name])
  }

  package func lines() -> [String] { display.isTerminal ? table.lines() : rows }
}

/// The changes of a history, a line each thing that changed.
package struct FieldHistoryRows {
  /// The columns of the rows in a pipe and in CSV.
  package static let columns = [
    "time", "note", "title", "field", "old", "new", "author", "operation", "commit",
  ]

  private let display: Display
  private let title: (NoteName) -> String?

  /// - Parameter title: the title of a note of now; nil for one that is gone.
  package init(_ display: Display, title: @escaping (NoteName) -> String?) {
    self.display = display
    self.title = title
  }

  /// The cells of an entry's rows, as they are.
  package func cells(_ entry: HistoryEntry) -> [[String]] {
    values(entry).map { change, field, old, new in
      [
        entry.operation.time.rfc3339, Self.name(change.note), title(change.note) ?? "", field, old ?? "",
        new ?? "",
        entry.operation.author, entry.operation.id?.description ?? "", entry.commit.id.hex,
      ]
    }
  }

  /// The entry's lines: on a terminal minute, title, field, old and new value, author; elsewhere all with tabs.
  package func lines(_ entry: HistoryEntry) -> [String] {
    guard display.isTerminal else {
      return cells(entry).map { Tabs.row($0.map { Visible.escape($0) }) }
    }
    let style = display.style
    return values(entry).map { change, field, old, new in
      let name = Visible.escape(title(change.note) ?? Self.name(change.note))
      let arrow = style.unicode ? "→" : "->"
      let values =
        field == "body"
        ? "changed" : "\(Self.shown(old, style.red)) \(arrow) \(Self.shown(new, style.green))"
      return
        "\(style.bold(entry.shownID)) \(style.dim(entry.operation.time.minute)) \(name)  "
        + "\(Visible.escape(field)): \(values) \(style.dim(Visible.escape(entry.operation.author)))"
    }
  }

  private static func shown(_ value: String?, _ paint: (String) -> String) -> String {
    guard let value, !value.isEmpty else { return "-" }
    return paint(Visible.escape(value))
  }

  private typealias Value = (change: NoteChange, field: String, old: String?, new: String?)

  private func values(_ entry: HistoryEntry) -> [Value] {
    entry.changes.flatMap { change in
      var rows: [Value] = []
      if let paths = change.file?.paths {
        rows.append((change, "path", paths.old.map(Self.text), paths.new.map(Self.text)))
      }
      for field in change.fields {
        rows.append((change, field.name, field.old.map(\.inOneLine), field.new.map(\.inOneLine)))
      }
      if let body = change.body { rows.append((change, "body", body.old?.hex, body.new?.hex)) }
      return rows
    }
  }

  private static func name(_ note: NoteName) -> String {
    switch note {
    case .id(let id): id.description
    case .path(let path): text(path)
    }
  }

  private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

/// Rows for programs.
enum Tabs {
  /// Cells with tabs between them; a tab inside one becomes a blank.
  static func row(_ cells: [String]) -> String {
    cells.map { $0.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: " ") }
      .joined(separator: "\t")
  }
}

extension BoxSnapshot {
  /// The title of a note by its name in history; nil where it is not in the box now.
  package func title(of note: NoteName) -> String? {
    guard let catalogue = try? catalogue() else { return nil }
    switch note {
    case .id(let id): return catalogue.entry(id: id)?.note.title
    case .path(let path): return catalogue.entry(path: path)?.note.title
    }
  }
}

/// Times for which notes held what was looked for, as lines.
extension HistoryHit {
  /// A row for a pipe and one for each line that was found: name, first and last day, title; name, line, text. Notes that
  /// still hold it have no last day.
  package func rows(_ style: Style) -> [String] {
    let columns = NoteColumns(modified: nil)
    let name = columns.value("name", of: entry)
    let days = [began.time.civilDate.description, ended?.time.civilDate.description ?? ""]
    return [columns.row(entry, days + [entry.note.title])]
      + snippets.map { "\(name)\t\($0.line)\t\($0.shown(style))" }
  }

  /// The rows of a terminal: name, days and title, and under it the lines that were found.
  package static func table(_ hits: [HistoryHit], _ display: Display) -> [String] {
    let style = display.style
    let isAlone = hits.allSatisfy { $0.entry.note.id == nil }
    var table = Table(
      columns: [
        RowLayout.name(display.width, isAlone: isAlone) { style.bold($0) }, RowLayout.fixed(leaves: 3),
        RowLayout.title,
      ], style: style, width: display.width)
    for hit in hits {
      let last = hit.ended?.time.civilDate.description ?? "now"
      table.add([
        Table.Cell(hit.entry.name), Table.Cell("\(hit.began.time.civilDate)..\(last)"),
        Table.Cell(hit.entry.note.title),
      ])
    }
    return zip(table.lines(), hits).flatMap { row, hit in
      [row] + hit.snippets.map { $0.line(display) }
    }
  }
}
