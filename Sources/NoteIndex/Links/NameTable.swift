package import Notes
import Synchronization
import Text

/// The names of notes, by their hashes.
struct NameTable: Sendable {
  let entries: Entries
  private let rows: NameRows

  /// Makes the table of all notes, or of those at some places. These must include all notes that the names to be looked
  /// up may mean.
  ///
  /// - Parameters:
  ///   - uses: the uses of names that the table has.
  ///   - keys: the fields whose values are names of records.
  /// - Complexity: O(n) in the number of places; notes are decoded only if kinds have keys of their own.
  init(
    _ entries: Entries, among places: [Int]?, uses: Set<NameUse>, keys: RecordKeys = .none,
    executor: ParallelExecutor?
  ) {
    self.entries = entries
    let count = places?.count ?? entries.count
    let parts = ParallelChunks(count: count, executor: executor).map { stretch in
      var rows: [NameRows.Row] = []
      for index in stretch {
        let place = places?[index] ?? index
        NoteNames(of: entries.names(at: place)).forEachHash(of: uses) {
          rows.append(NameRows.Row(hash: $0, place: place))
        }
        if !keys.isEmpty, let key = keys.key(of: entries[place]) {
          rows.append(NameRows.Row(hash: NameHash(.key, Array(key.utf8)[...]), place: place))
        }
      }
      return rows
    }
    rows = NameRows(parts)
  }

  /// The places of the notes that have a name, ascending.
  func places(_ use: NameUse, _ name: ArraySlice<UInt8>) -> [Int] { rows.places(NameHash(use, name)) }

  /// Returns the places of the notes with a path from the root of the box, with or without its ending.
  ///
  /// Two places if the ending is omitted and only the ending distinguishes the notes.
  func places(path: [UInt8]) -> [Int] {
    let withEnding = filesWithEnding(.path, path) { $0 == path }
    return withEnding.isEmpty ? places(.path, path[...]) : withEnding
  }

  /// The notes whose files have exactly a name, and the notes whose files have it followed by the ending of a note.
  typealias Files = (withEnding: [Int], withoutEnding: [Int])

  /// The notes that a path, or the end of one, names.
  ///
  /// - Parameter isPath: whether the path of a note is the one that is named, ending included.
  func files(_ use: NameUse, _ name: [UInt8], isPath: ([UInt8]) -> Bool) -> Files {
    (filesWithEnding(use, name, isPath: isPath), places(use, name[...]))
  }

  private func filesWithEnding(_ use: NameUse, _ name: [UInt8], isPath: ([UInt8]) -> Bool) -> [Int] {
    let stem = LinkPath.withoutEnding(name)
    guard stem.count < name.count else { return [] }
    return places(use, stem).filter { isPath(entries.path(at: $0)) }
  }
}

/// Names by their hashes, each with the places of the notes that have it: a hash table whose rows never move.
struct NameRows: Sendable {
  /// 16 bytes, for a large box has millions of them.
  struct Row: Sendable {
    let hash: NameHash
    private let number: UInt32

    init(hash: NameHash, place: Int) {
      self.hash = hash
      number = UInt32(place)
    }

    var place: Int { Int(number) }
  }

  /// A row and the next one of its slot, side by side, for a look-up needs both; -1 for none.
  private struct LinkedRow: Sendable {
    let row: Row
    let next: Int32
  }

  /// The first row of each slot; -1 for none.
  private var slots: [Int32]
  private var rows: [LinkedRow] = []

  /// - Parameter parts: the rows; each part is let go once it is taken in.
  /// - Complexity: O(n).
  init(_ parts: consuming [[Row]]) {
    let count = parts.reduce(0) { $0 + $1.count }
    var size = 16
    while size < count { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    rows.reserveCapacity(count)
    for index in parts.indices {
      let part = parts[index]
      parts[index] = []
      for row in part {
        let slot = row.hash.slot(of: size)
        rows.append(LinkedRow(row: row, next: slots[slot]))
        slots[slot] = Int32(rows.count - 1)
      }
    }
  }

  /// The places of the notes that have a name, ascending, each once.
  func places(_ hash: NameHash) -> [Int] {
    var found: [Int] = []
    var index = slots[hash.slot(of: slots.count)]
    while index >= 0 {
      let linked = rows[Int(index)]
      if linked.row.hash == hash { found.append(linked.row.place) }
      index = linked.next
    }
    guard found.count > 1 else { return found }
    return Set(found).sorted()
  }
}

/// The hash of a name in one of its uses, long enough to identify the name: 96 bits, by a key of the process.
struct NameHash: Hashable, Sendable {
  /// Words of 32 bits: larger ones would leave gaps between the rows of a table.
  private let low: UInt32
  private let middle: UInt32
  private let high: UInt32

  init(_ use: NameUse, _ name: ArraySlice<UInt8>) {
    self = name.withUnsafeBytes { bytes in NameHash(use, bytes) }
  }

  private init(_ use: NameUse, _ bytes: UnsafeRawBufferPointer) {
    var (first, second) = (Hasher(), Hasher())
    first.combine(use.rawValue)
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
    second.combine(use.rawValue)
    let number = UInt(bitPattern: first.finalize())
    low = UInt32(truncatingIfNeeded: number)
    middle = UInt32(truncatingIfNeeded: number >> 32)
    high = UInt32(truncatingIfNeeded: second.finalize())
  }

  /// The slot of a table with a power of two of them, 2^32 at most.
  func slot(of count: Int) -> Int { Int(low) & (count - 1) }
}

/// A use of a name: a row of the table of names belongs to one of these.
enum NameUse: UInt8, Sendable, CaseIterable {
  /// The value of the field that names records of a kind; see `RecordKeys`.
  case key
  case id
  /// Another tool's id, exactly.
  case foreignID
  /// Another tool's id, folded.
  case foldedForeignID
  /// The path from the root of the box, without the ending of a note.
  case path
  /// A title or an alias, or another title of a journal of Logseq, folded.
  case title
  /// The end of a path from one of its parts on, folded, without the ending of a note.
  case pathEnd
  /// The slug of a title or an alias, or the slug in the name of a file that slip named.
  case slug

  /// The uses by which links name notes.
  static let ofLinks: Set<NameUse> = [.id, .foreignID, .path, .title, .pathEnd]
}

/// The names of one note.
struct NoteNames {
  private let note: NamesOfNote

  init(of note: NamesOfNote) { self.note = note }

  /// Hands on the hash of each name in some uses; a name may come twice.
  func forEachHash(of uses: Set<NameUse>, _ body: (NameHash) -> Void) {
    let paths = LinkPath.withoutEndings(note.path)
    if uses.contains(.path) { for path in paths { body(NameHash(.path, path)) } }
    if uses.contains(.id), let id = note.id { body(NameHash(.id, id.bytes[...])) }
    if let name = note.foreignID {
      if uses.contains(.foreignID) { body(NameHash(.foreignID, Array(name.utf8)[...])) }
      if uses.contains(.foldedForeignID) { body(NameHash(.foldedForeignID, Self.folded(name)[...])) }
    }
    for title in titles {
      if uses.contains(.title) { body(NameHash(.title, Self.folded(title)[...])) }
      if uses.contains(.slug) { body(NameHash(.slug, Array(Slug.make(title).utf8)[...])) }
    }
    // A page whose own title is the date precedes the journal of that day.
    if uses.contains(.title), let names = PageNames.current {
      for title in names.otherTitles(of: note.path) { body(NameHash(.title, Self.folded(title)[...])) }
    }
    if uses.contains(.slug), let id = note.id, let slug = FileName.slug(of: note.path, id: id) {
      body(NameHash(.slug, slug))
    }
    if uses.contains(.pathEnd) {
      for path in paths {
        for end in LinkPath.ends(of: Folding.fold(path)[...]) { body(NameHash(.pathEnd, end)) }
      }
    }
  }

  /// Whether a text is exactly the title or an alias.
  func isTitle(_ name: [UInt8]) -> Bool { titles.contains { $0.utf8.elementsEqual(name) } }

  private var titles: [String] { [note.title] + note.aliases }

  private static func folded(_ name: String) -> [UInt8] { Folding.fold(Array(name.utf8)[...]) }
}

/// One name, compared with a table of names; each way is looked up on first use.
final class NameMatches {
  private let table: NameTable
  private let name: [UInt8]
  private lazy var path = LinkPath.normalised(name)
  private lazy var folded = Folding.fold(name[...])
  private lazy var titled = table.places(.title, folded[...])
  private lazy var files: NameTable.Files = path.map(files(pathEnd:)) ?? ([], [])

  init(_ name: [UInt8], in table: NameTable) {
    self.table = table
    self.name = name
  }

  /// Returns the places of the notes that the name matches in a way, ascending; empty for the ways that read all notes.
  ///
  /// - Parameter isStepwise: whether the folded form of a way is the step right after the exact one and contains no other
  ///   way. Then a single note that matches the folded form is not checked for the exact one.
  func places(_ way: NameWay, isStepwise: Bool) -> [Int] {
    switch way {
    case .key: table.places(.key, name[...])
    case .id: table.places(.id, name[...])
    case .foreignID: table.places(.foreignID, name[...])
    case .path: path.map { table.places(path: $0) } ?? []
    case .title: isStepwise && titled.count == 1 ? titled : titled.filter(isTitle)
    case .foldedTitle: titled
    case .foldedID: table.places(.id, folded[...]) + table.places(.foldedForeignID, folded[...])
    case .pathEnd: isStepwise && allFiles.count == 1 ? allFiles : filesAsTheyStand
    case .foldedPathEnd: files.withEnding.isEmpty ? files.withoutEnding : files.withEnding
    case .fileName: isFileName ? exactFiles.withEnding + exactFiles.withoutEnding : []
    case .foldedFileName: isFileName ? allFiles : []
    case .slug: table.places(.slug, folded[...])
    case .idPrefix, .fuzzyTitle: []
    }
  }

  private var isFileName: Bool { !name.contains(UInt8(ascii: "/")) }

  private func isTitle(of place: Int) -> Bool { NoteNames(of: table.entries.names(at: place)).isTitle(name) }

  /// The notes whose paths end with a name, without case and diacritics.
  private func files(pathEnd name: [UInt8]) -> NameTable.Files {
    let folded = Folding.fold(name[...])
    return table.files(.pathEnd, folded) { LinkPath.hasEnd(Folding.fold($0[...])[...], folded) }
  }

  private var allFiles: [Int] { files.withEnding + files.withoutEnding }

  private var filesAsTheyStand: [Int] {
    let files = exactFiles
    return files.withEnding.isEmpty ? files.withoutEnding : files.withEnding
  }

  private var exactFiles: NameTable.Files {
    guard let path else { return ([], []) }
    return (
      files.withEnding.filter { LinkPath.hasEnd(table.entries.path(at: $0)[...], path) },
      files.withoutEnding.filter {
        LinkPath.withoutEndings(table.entries.path(at: $0)).contains { LinkPath.hasEnd($0, path) }
      }
    )
  }
}

/// The fields whose values name the records of some kinds: the `key:` of each kind that declares one.
///
/// `key: id` counts: it also names records by ids that slip did not make.
package struct RecordKeys: Sendable, Hashable {
  private let fields: [String: String]

  package init(_ schema: Schema) {
    var fields: [String: String] = [:]
    for kind in schema.kinds {
      if let key = kind.key { fields[kind.name.lowercased()] = key }
    }
    self.fields = fields
  }

  /// No kind has a key of its own.
  package static let none = RecordKeys(Schema(kinds: []))

  package var isEmpty: Bool { fields.isEmpty }

  /// Returns the field that names the records of a kind, compared regardless of case; nil if the id names them.
  package func field(of kind: String) -> String? { fields[kind] ?? fields[kind.lowercased()] }

  /// The key of a record as its field has it; nil if the kind has no such field or the record no value.
  package func key(of entry: Entry) -> String? {
    guard !isEmpty, let field = field(of: entry.kind), let key = entry.note.frontMatter[field]?.text,
      !key.isEmpty
    else { return nil }
    return key
  }
}

extension Schema {
  /// The name by which references call a record: the value of its kind's key field, else its id, else its path.
  package func recordKey(of entry: Entry) -> String {
    if let field = kind(named: entry.kind)?.key, let key = entry.note.frontMatter[field]?.text { return key }
    return entry.name
  }
}

/// A record of a catalogue, for testing whether references mean it.
final class ReferredRecord: Sendable {
  private let place: Int
  private let names: NameResolver
  private let rule: NameRule
  private let keys: RecordKeys
  /// The keys that the names of the record have.
  private let nameKeys: LinkKeySet
  /// The value of its kind's key field.
  private let recordKey: String?
  /// Whether names that may be those of the record mean it.
  private let known = Mutex<[[UInt8]: Bool]>([:])

  /// - Parameter rule: by which references name records.
  init(_ place: Int, of names: NameResolver, _ rule: NameRule, _ keys: RecordKeys) {
    let entry = names.entries[place]
    self.place = place
    self.names = names
    self.rule = rule
    self.keys = keys
    nameKeys = LinkKeySet(entry.note.nameKeys + LinkKey.slugKeys(ofPath: entry.note.path))
    recordKey = keys.key(of: entry)
  }

  /// Whether a name, as stored in a field, means the record.
  ///
  /// - Complexity: a look-up for the first test of a name that may be the record's.
  func isMeant(by name: String) -> Bool {
    let bytes = Array(name.utf8)
    let isKey = recordKey.map { $0.hasSameBytes(as: name) } ?? false
    guard isKey || LinkKey(bytes).map(nameKeys.contains) ?? false else { return false }
    if let known = known.withLock({ $0[bytes] }) { return known }
    let isMeant = names.places(named: bytes, rule, keys) == [place]
    known.withLock { $0[bytes] = isMeant }
    return isMeant
  }
}
