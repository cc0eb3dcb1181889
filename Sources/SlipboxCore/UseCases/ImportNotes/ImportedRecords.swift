import Foreign
import NoteIndex
import Notes
import Text

/// The records of one file on their way into the box, with the ids that they get.
struct ImportedRecords {
  /// One record.
  struct Row {
    let record: ForeignRecord
    let kind: String
    /// Nil for a note that goes by its path.
    let id: NoteID?
    /// The note of the box that it is.
    let existing: Entry?
    /// As it is to be written; nil leaves it out.
    let created: String?
    /// The group that it belongs to, by its key.
    var group: String?
    /// Why it is left out.
    var failure: String?
  }

  /// Finds records of the box by their names in the source.
  let naming: RecordNaming
  var rows: [Row] = []
  /// The groups that are to be made, by their ids.
  var groups: [String: ImportedGroup] = [:]
  /// The places of the rows by the names of the records in their source.
  private(set) var places: [String: Int] = [:]
  private var ids: [String: [String: NoteID]] = [:]
  /// The ids by the folded titles of each kind; nil where several records have one.
  private var titles: [String: [String: NoteID?]] = [:]

  init(_ naming: RecordNaming) { self.naming = naming }

  /// Adds a row.
  mutating func append(_ row: Row) {
    places[row.record.sourceName] = rows.count
    rows.append(row)
    guard let id = row.id else { return }
    let kind = row.kind.lowercased()
    ids[kind, default: [:]][id.description] = id
    guard let title = row.record.title else { return }
    let name = Folding.fold(Note.titleOnOneLine(title))
    titles[kind, default: [:]][name] = titles[kind]?[name] == nil ? .some(id) : .some(nil)
  }

  /// The id of the record of a kind that a text names by its id or title.
  func key(of kind: String, named name: String) -> String? {
    if has(kind, name) { return name }
    return (titles[kind.lowercased()]?[Folding.fold(name)] ?? nil)?.description
  }

  /// Whether a record of the file has a kind and an id, or a group is to be made that has it.
  func has(_ kind: String, _ key: String) -> Bool {
    ids[kind.lowercased()]?[key] != nil || (groups[key].map { $0.kind.isSameName(as: kind) } ?? false)
  }
}

/// A group that the records of a file belong to, and that the box does not have.
struct ImportedGroup {
  let id: NoteID
  let kind: String
  let title: String
  /// The earliest of its records.
  var created: Timestamp
  let place: ImportResult.Place
}
