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
    /// nil for a note that is identified by its path.
    let id: NoteID?
    /// The note of the box that it is.
    let existing: Entry?
    /// As it is to be written; nil leaves it out.
    let created: String?
    /// The group that it belongs to, by its key.
    var group: String?
    /// Why it is left out.
    var failure: Phrase?
  }

  /// Finds records of the box by their names in the source.
  let naming: RecordNaming
  var rows: [Row] = []
  /// The groups that are to be made, by their ids.
  var groups: [String: ImportedGroup] = [:]
  /// The places of the rows by the names of the records in their source.
  private(set) var places: [String: Int] = [:]
  private var ids: [String: [String: NoteID]] = [:]
  /// The ids by the folded titles of each kind; nil if several records have one.
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

/// Records of a file that depend on themselves by way of others: none of them can be finished first.
struct ImportRings {
  private let lookup: RecordLookup
  private let known: Entries
  /// The records of the file as they are to be written.
  private let entries: [Entry?]
  /// The places of records of the file by their ids.
  private let rows: [String: Int]

  init(
    _ records: ImportedRecords, _ texts: [NoteText?], _ lookup: RecordLookup, _ known: Entries, now: Timestamp
  ) {
    self.lookup = lookup
    self.known = known
    entries = zip(records.rows, texts).map { row, text in
      text.map {
        Entry(note: Note(path: row.existing?.note.path ?? [], text: $0), created: now, kind: row.kind)
      }
    }
    rows = Dictionary(
      records.rows.indices.compactMap { index in records.rows[index].id.map { ($0.description, index) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The titles of the records of each ring, from one of the file on.
  ///
  /// - Complexity: O(n) in the references that block.
  var titles: [[String]] {
    var done: Set<Int> = []
    return entries.indices.compactMap { start in
      guard entries[start] != nil, let ring = ring(from: start, &done) else { return nil }
      return ring.map { note($0).title }
    }
  }

  /// A ring that a record leads to, of records that no earlier search has seen.
  private func ring(from start: Int, _ done: inout Set<Int>) -> [Int]? {
    guard done.insert(start).inserted else { return nil }
    var way = [start]
    var rest = [targets(of: start)]
    while !way.isEmpty {
      guard let next = rest[rest.count - 1].popLast() else {
        way.removeLast()
        rest.removeLast()
        continue
      }
      if let first = way.firstIndex(of: next) { return Array(way[first...]) }
      guard done.insert(next).inserted else { continue }
      way.append(next)
      rest.append(targets(of: next))
    }
    return nil
  }

  /// The dependencies of a record: records of the file by their places there, those of the box by places after them.
  private func targets(of place: Int) -> [Int] {
    guard let entry = place < entries.count ? entries[place] : known[place - entries.count]
    else { return [] }
    var found: [Int] = []
    for field in lookup.schema.kind(named: entry.kind)?.blockingFields ?? [] {
      for name in field.storedValue(in: entry.note)?.names ?? [] {
        if let row = rows[name] {
          found.append(row)
        } else if let target = field.target {
          found += lookup.places(of: target, stored: name).prefix(1).map(ofBox)
        }
      }
    }
    return found.reversed()
  }

  /// The place of a record of the box: that in the file if it is there too.
  private func ofBox(_ place: Int) -> Int {
    known.key(at: place).id.flatMap { rows[$0.description] } ?? entries.count + place
  }

  private func note(_ place: Int) -> Note {
    place < entries.count
      ? entries[place]?.note ?? Note(path: [], text: NoteText([])) : known[place - entries.count].note
  }
}

extension ImportPlanning {
  /// How many rings are named.
  private static let mostRings = 5

  /// Says which records depend on each other in a ring.
  mutating func nameRings(_ rings: ImportRings) {
    let titles = rings.titles
    for ring in titles.prefix(Self.mostRings) {
      let names = (ring + ring.prefix(1)).joined(separator: ", which depends on ")
      result.remarks.append("dependency cycle: \(names)")
    }
    if titles.count > Self.mostRings {
      result.remarks.append(
        "\(titles.count - Self.mostRings) more dependency cycles; \(slip: "doctor") lists them")
    }
  }
}
