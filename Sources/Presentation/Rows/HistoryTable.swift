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

extension NoteName {
  /// The title of the note; nil if it is not in the box now.
  package func title(in snapshot: BoxSnapshot) -> String? {
    guard let catalogue = try? snapshot.catalogue() else { return nil }
    switch self {
    case .id(let id): return catalogue.entry(id: id)?.note.title
    case .path(let path): return catalogue.entry(path: path)?.note.title
    }
  }
}

/// Periods in which notes matched, as lines.
extension HistoryHit {
  /// A row for a pipe and one for each line that was found: name, first and last day, title; name, line, text. Notes that
  /// still hold it have no last day.
  package func rows(_ style: Style) -> [String] {
    let columns = NoteColumns(modified: nil)
    let name = columns.known("name", of: entry)
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

extension HistoryEntry {
  /// The commit as a JSON object on a line of its own.
  package func json(_ types: ChangeTypes) -> [UInt8] {
    var writer = JSONWriter()
    write(types, to: &writer)
    writer.newLine()
    return writer.takeBytes()
  }

  /// Writes the commit as an object.
  ///
  /// - Parameter types: those of the values; nil for strings alone.
  package func write(_ types: ChangeTypes? = nil, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("commit", commit.id.hex)
      operation.writeMembers(to: &writer)
      writer.key("changes")
      writer.beginArray()
      for change in changes { change.write(types, to: &writer) }
      writer.endArray()
    }
  }
}

extension PastOperation {
  /// The operation as a JSON object on a line of its own.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("commit", commit.id.hex)
      operation.writeMembers(to: &writer)
      writer.member("device", operation.device)
      writer.member("stands", stands)
      writer.member("undone", isTakenBack)
      writer.member("redoable", isRedoable)
    }
    writer.newLine()
    return writer.takeBytes()
  }
}

extension Operation {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("time", time.rfc3339)
    writer.member("author", author)
    writer.member("operation", id?.description)
    writer.member("command", command)
    if let face { writer.member("face", face) }
    switch reversal {
    case .undo(let id, _): writer.member("undoes", id.description)
    case .redo(let id): writer.member("redoes", id.description)
    case nil: break
    }
    writer.member("subject", subject)
  }
}

extension NoteChange {
  /// The change as objects: note, field, old and new value.
  func write(_ types: ChangeTypes?, to writer: inout JSONWriter) {
    if let file {
      begin("path", &writer)
      value("old", file.paths.old, &writer) { $1.string(bytes: $0) }
      value("new", file.paths.new, &writer) { $1.string(bytes: $0) }
      writer.endObject()
    }
    for field in fields {
      begin(field.name, &writer)
      for (key, value, plain) in [
        ("old", field.old, field.plainScalars.old), ("new", field.new, field.plainScalars.new),
      ] {
        // A field without a value is an empty string here, as null says that it is absent.
        self.value(key, value, &writer) { value, writer in
          guard let types else {
            return FieldJSON.write(value, plainScalars: [], emptyIsText: true, to: &writer)
          }
          types.write(value, plainScalars: plain, of: field, in: self, to: &writer)
        }
      }
      writer.endObject()
    }
    guard let body else { return }
    begin("body", &writer)
    if body.old != nil || body.new != nil {
      value("old", body.old, &writer) { $1.string($0.hex) }
      value("new", body.new, &writer) { $1.string($0.hex) }
    }
    writer.endObject()
  }

  private func begin(_ field: String, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("note")
    switch note {
    case .id(let id): writer.string(id.description)
    case .path(let path): writer.string(bytes: path)
    }
    writer.key("field")
    writer.string(field)
  }

  /// Writes a member; an absent value is null.
  private func value<Value>(
    _ key: String, _ value: Value?, _ writer: inout JSONWriter, _ write: (Value, inout JSONWriter) -> Void
  ) {
    writer.key(key)
    if let value { write(value, &writer) } else { writer.null() }
  }
}

extension HistoryHit {
  /// Periods in which notes matched, as a JSON object with its line end.
  package static func json(_ hits: [HistoryHit]) -> [UInt8] {
    JSONDocument.list("versions", hits) { hit, writer in
      writer.object { writer in
        let note = hit.entry.note
        writer.member("id", note.id?.description)
        writer.member("path", bytes: note.path)
        writer.member("title", note.title)
        writer.member("kind", hit.entry.kind)
        write("from", hit.began, to: &writer)
        if let ended = hit.ended { write("to", ended, to: &writer) }
        writer.member("versions", hit.versions)
        writer.member("blob", hit.blob.hex)
        writer.member("snippets", of: hit.snippets) { snippet, writer in
          writer.object {
            $0.member("line", snippet.line)
            $0.member("text", snippet.text)
          }
        }
      }
    }
  }

  private static func write(_ key: String, _ end: End, to writer: inout JSONWriter) {
    writer.key(key)
    writer.object {
      $0.member("commit", end.commit.hex)
      $0.member("time", end.time.rfc3339)
    }
  }
}

extension PastDeletion {
  /// Writes the deletion as a member of the note's object.
  func write(to writer: inout JSONWriter) {
    writer.key("deleted")
    writer.object { writer in
      writer.member("time", time.rfc3339)
      writer.member("commit", commit.hex)
      writer.member("command", command)
    }
  }
}

extension DiffVersions {
  /// The difference as one JSON object: the changes of fields, and the lines that differ.
  package func json(_ diff: NoteDiff, _ types: ChangeTypes) -> [UInt8] {
    JSONDocument.object(types.json) { writer in
      writer.member("note", note?.id?.description)
      if let note { writer.member("path", bytes: note.path) }
      writer.member("old", old?.name)
      writer.member("new", new?.name)
      writer.key("changes")
      writer.beginArray()
      diff.change?.write(types, to: &writer)
      writer.endArray()
      writer.member("text", of: diff.hunks) { hunk, writer in
        writer.object { writer in
          writer.member("oldLine", hunk.oldLines.lowerBound + 1)
          writer.member("newLine", hunk.newLines.lowerBound + 1)
          writer.member("old", bytes: Self.text(hunk) { if case .added = $0 { false } else { true } })
          writer.member("new", bytes: Self.text(hunk) { if case .removed = $0 { false } else { true } })
        }
      }
    }
  }

  private static func text(_ hunk: TextDiff.Hunk, _ isWanted: (TextDiff.Piece) -> Bool) -> [UInt8] {
    hunk.pieces.filter(isWanted).flatMap(\.bytes)
  }
}
