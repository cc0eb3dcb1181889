import Notes

/// Reads records from comma-separated values whose first row names the columns: the output of `slip list --csv`, and
/// tables of any other program.
///
/// `id`, `title`, `kind`, `created`, `tags` and `body` have the same meaning as in a note; every other column is a field
/// of its name. In slip's form `path` is the place of the file, and `modified` is computed.
package enum CSVRecords {
  /// - Parameters:
  ///   - name: the name of the file, which distinguishes records without an id of slip's from those of other files.
  ///   - mapping: the fields of columns.
  package static func read(
    _ bytes: [UInt8], file name: String, _ mapping: ColumnNames = ColumnNames()
  ) -> ForeignFile {
    var file = ForeignFile()
    var table: Columns?
    var names = SourceNames()
    CSVText.read(bytes) { row in
      do throws(ForeignProblem) {
        guard let columns = table else {
          table = try Columns(row, mapping)
          return
        }
        file.records.append(try columns.record(row, name, &names))
      } catch {
        file.problems.append(error)
        // Without the names of the columns nothing can be read.
        if table == nil { table = Columns.none }
      }
    } fault: {
      file.problems.append($0)
      if table == nil { table = Columns.none }
    }
    if table?.names.isEmpty ?? true, file.records.isEmpty, file.problems.isEmpty {
      file.problems.append(ForeignProblem(line: 1, "the first row must name the columns"))
    }
    return file
  }
}

/// The columns of a table.
private struct Columns {
  let names: [String]
  /// Whether it is a table that slip made.
  let isSlips: Bool

  static let none = Columns(names: [], isSlips: false)
  private static let slips = ["id", "path", "title", "kind", "created", "modified", "tags"]

  private init(names: [String], isSlips: Bool) {
    self.names = names
    self.isSlips = isSlips
  }

  init(_ header: CSVText.Row, _ mapping: ColumnNames) throws(ForeignProblem) {
    var names: [String] = []
    for cell in header.cells {
      let own = mapping.field(Note.titleOnOneLine(cell))
      guard !names.contains(where: { $0.isSameName(as: own) && !own.isEmpty }) else {
        throw ForeignProblem(line: header.line, "the column \(own) occurs twice")
      }
      names.append(own)
    }
    if let missing = mapping.missing(among: header.cells.map(Note.titleOnOneLine)).first {
      throw ForeignProblem(line: header.line, "there is no column \(missing)")
    }
    guard names.contains("title") || names.contains("body") else {
      throw ForeignProblem(
        line: header.line,
        "no column is named title: the first row must name the columns, or --map COLUMN=title one of them")
    }
    self.init(names: names, isSlips: names.starts(with: Self.slips))
  }

  func record(
    _ row: CSVText.Row, _ file: String, _ sources: inout SourceNames
  ) throws(ForeignProblem) -> ForeignRecord {
    guard !names.isEmpty else {
      throw ForeignProblem(line: row.line, "skipped, because the first row has an error")
    }
    guard row.cells.count == names.count else {
      let cells = row.cells.count == 1 ? "1 cell" : "\(row.cells.count) cells"
      throw ForeignProblem(line: row.line, "\(cells), but the first row has \(names.count)")
    }
    var record = ForeignRecord(line: row.line, sourceName: "")
    var id: String?
    for (name, cell) in zip(names, row.cells) where !cell.isEmpty {
      switch name {
      case "id": id = cell
      case "title": record.title = cell
      case "kind": record.kind = cell == "note" ? nil : cell
      case "tags": record.tags = TagList.tags(in: cell)
      case "body": record.body = Self.body(cell)
      case "created":
        let day = SpelledDate.day(cell).map { Timestamp(date: $0, secondOfDay: 0, offsetSeconds: 0) }
        guard let stamp = Timestamp.adopted(cell) ?? day else {
          throw ForeignProblem(line: row.line, "created: \(cell) is not a date")
        }
        record.created = stamp
      case "path" where isSlips: record.path = Array(cell.utf8)
      case "modified" where isSlips, "urgency" where isSlips, "": continue
      default: record.addTyped(name, cell)
      }
    }
    if names.contains("body"), record.body == nil { record.body = [] }
    self.name(&record, id, file, &sources)
    return record
  }

  /// A text with a line end as those before it.
  private static func body(_ cell: String) -> [UInt8] {
    let bytes = Array(cell.utf8)
    guard let last = bytes.last, last != 0x0A else { return bytes }
    let isOfWindows = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
    return bytes + (isOfWindows ? [0x0D, 0x0A] : [0x0A])
  }

  private func name(
    _ record: inout ForeignRecord, _ id: String?, _ file: String, _ sources: inout SourceNames
  ) {
    record.id = id.flatMap { NoteID($0) }
    record.isOfSlip = isSlips
    record.goesByPath = isSlips && id == nil && record.path != nil
    if let id, record.id == nil {
      record.fields.insert(("identifier", .text(id)), at: 0)
      record.proof = "identifier"
      record.sourceName = sources.next("csv \(file) \(id)")
    } else {
      record.sourceName = sources.next("csv \(file) title \(record.title ?? "")")
    }
  }
}
