import Bytes
import Notes
import Synchronization

/// The facts of all documents of a snapshot in columns, by which questions about all notes are answered without making
/// notes.
package final class StoredFacts: Sendable {
  /// The layout of the row of a document.
  enum Row {
    /// The number of the kind above eight bits of flags.
    static let kind = 0
    static let fields = 4
    /// The number after the last tag; the tags of a document follow those of the one before.
    static let tagsEnd = 8
    static let length = 12
    /// Marks a document whose record can't be read.
    static let unknown = UInt32.max
  }

  /// The kinds that notes name, each once by its bytes; "note" is also the kind of notes that name no kind.
  package let kinds: [String]
  /// The tags of the notes, each once by its bytes.
  package let tags: [String]
  /// The lists of field names that notes have, each once.
  package let fieldLists: [[String]]
  private let bytes: ByteSlice
  private let rows: Range<Int>
  private let tagNumbers: Range<Int>

  /// Reads the tables of columns whose checksums are verified; nil if the bytes have another format.
  init?(_ bytes: ByteSlice, documentCount: Int) {
    guard bytes.count >= 4 else { return nil }
    let length = Int(bytes.bytes.little32(at: 0))
    let rowsLength = documentCount * Row.length
    guard length <= bytes.count - 4, rowsLength <= bytes.count - 4 - length else { return nil }
    var tables = ByteUnpacker(bytes.bytes.extracting(4..<4 + length))
    guard let kinds = tables.bytes(), let tags = tables.bytes(), let lists = tables.bytes() else {
      return nil
    }
    self.kinds = PackedFacts.names(in: kinds)
    self.tags = PackedFacts.names(in: tags)
    var fieldLists: [[String]] = []
    var unpacker = ByteUnpacker(lists)
    while let list = unpacker.bytes() { fieldLists.append(PackedFacts.names(in: list)) }
    self.fieldLists = fieldLists
    self.bytes = bytes
    rows = 4 + length..<4 + length + rowsLength
    tagNumbers = rows.upperBound..<bytes.count
  }

  /// Returns the number of a document's kind in `kinds`; nil if its record can't be read.
  func kindNumber(of document: Int) -> Int? {
    let kind = Int(number(document, Row.kind) >> 8)
    return kind < kinds.count ? kind : nil
  }

  /// Returns the flags of a document; all flags if its record can't be read.
  func flags(of document: Int) -> NoteFacts.Flags {
    NoteFacts.Flags(rawValue: UInt8(truncatingIfNeeded: number(document, Row.kind)))
  }

  /// Returns the number of a document's field names in `fieldLists`; nil if its record can't be read.
  func fieldsNumber(of document: Int) -> Int? {
    guard kindNumber(of: document) != nil else { return nil }
    let number = Int(number(document, Row.fields))
    return number < fieldLists.count ? number : nil
  }

  /// Whether a document has tags; nil if its record can't be read.
  func hasTags(_ document: Int) -> Bool? {
    kindNumber(of: document).map { _ in !tagRange(of: document).isEmpty }
  }

  /// Returns the numbers of a document's tags in `tags`, in their order; nil if its record can't be read.
  func tagNumbers(of document: Int) -> TagNumbers? {
    kindNumber(of: document).map { _ in
      TagNumbers(bytes: bytes, range: tagRange(of: document), limit: tags.count)
    }
  }

  private func tagRange(of document: Int) -> Range<Int> {
    let most = tagNumbers.count / 4
    let end = min(Int(number(document, Row.tagsEnd)), most)
    let start = document > 0 ? min(Int(number(document - 1, Row.tagsEnd)), end) : 0
    return tagNumbers.lowerBound + start * 4..<tagNumbers.lowerBound + end * 4
  }

  private func number(_ document: Int, _ offset: Int) -> UInt32 {
    bytes.withBytes { $0.little32(at: rows.lowerBound + document * Row.length + offset) }
  }

  /// The numbers of one document's tags.
  struct TagNumbers: RandomAccessCollection {
    fileprivate let bytes: ByteSlice
    fileprivate let range: Range<Int>
    fileprivate let limit: Int

    var startIndex: Int { 0 }
    var endIndex: Int { range.count / 4 }

    subscript(index: Int) -> Int {
      Swift.min(Int(bytes.withBytes { $0.little32(at: range.lowerBound + index * 4) }), limit - 1)
    }
  }
}

/// Encodes the facts of documents, taken from their records, as the columns that `StoredFacts` reads.
///
/// The columns are, in this order:
/// - the length of a run, and the run: the names of kinds, the names of tags, and the lists of field names that notes
///   have
/// - for each document the number of its kind, the number of its list and the end of its tags
/// - the numbers of the tags
struct FactsEncoder {
  /// Names by their bytes, numbered in the order in which they were met.
  private struct Numbering {
    private var numbers: [[UInt8]: UInt32] = [:]
    private(set) var packer = BytePacker()

    mutating func number(of name: RawSpan) -> UInt32 {
      let name = Array(name)
      if let known = numbers[name] { return known }
      let number = UInt32(numbers.count)
      numbers[name] = number
      packer.append(name)
      return number
    }
  }

  private var kinds = Numbering()
  private var tags = Numbering()
  private var lists = Numbering()
  private var rows: [UInt8] = []
  private var tagNumbers: [UInt8] = []

  /// - Parameter count: the expected number of documents.
  init(reserving count: Int) { rows.reserveCapacity(count * StoredFacts.Row.length) }

  /// Adds the next document; one whose record can't be read has no facts.
  mutating func add(_ record: RawSpan) {
    guard let facts = NoteSummary.facts(in: record) else {
      rows.append(little: StoredFacts.Row.unknown)
      rows.append(little: UInt32(0))
      rows.append(little: UInt32(tagNumbers.count / 4))
      return
    }
    rows.append(little: kinds.number(of: facts.kind) << 8 | UInt32(facts.flags.rawValue))
    rows.append(little: lists.number(of: facts.fields))
    var unpacker = ByteUnpacker(facts.tags)
    while let tag = unpacker.bytes() { tagNumbers.append(little: tags.number(of: tag)) }
    rows.append(little: UInt32(tagNumbers.count / 4))
  }

  /// The bytes of the columns.
  var bytes: [UInt8] {
    var tables = BytePacker()
    for numbering in [kinds, tags, lists] { tables.append(numbering.packer.bytes) }
    var bytes: [UInt8] = []
    bytes.append(little: UInt32(tables.bytes.count))
    bytes += tables.bytes
    bytes += rows
    bytes += tagNumbers
    return bytes
  }
}

/// The keys of the names and links of stored notes. After a few passes over all notes they are cached in tables.
///
/// A command makes few passes; a long-lived process such as an editor's server queries with every keystroke. Thread-safe.
package final class StoredKeys: Sendable {
  /// The kinds of keys.
  enum Use {
    case names, links
  }

  /// The number of passes that cost about as much as a table.
  private static let looksBeforeTable = 8

  private struct State {
    var looks: [Use: Int] = [:]
    var tables: [Use: KeyTable] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The table of some stored notes, whose keys these are; nil while it does not pay.
  func table(_ use: Use, of stored: StoredEntries, _ executor: ParallelExecutor?) -> KeyTable? {
    state.withLock { state in
      if let known = state.tables[use] { return known }
      state.looks[use, default: 0] += 1
      guard state.looks[use, default: 0] > Self.looksBeforeTable else { return nil }
      let keys = ParallelChunks(count: stored.count, executor: executor).map { stretch in
        stretch.flatMap { number in Self.keys(use, of: number, in: stored).map { (key: $0, number: number) } }
      }
      let table = KeyTable(keys.flatMap { $0 })
      state.tables[use] = table
      return table
    }
  }

  private static func keys(_ use: Use, of number: Int, in stored: StoredEntries) -> [LinkKey] {
    let keys = stored.storedKeys(number)
    switch use {
    case .links: return keys?.ofLinks ?? stored.entry(number).note.linkKeys
    case .names:
      let path = stored.path(number)
      let slug = LinkKey.slugKeys(ofPath: path)
      guard let keys else { return stored.entry(number).note.nameKeys + slug }
      return keys.ofNames + [stored.fileNameKey(number)].compactMap { $0 }
        + LinkKey.keys(ofOtherNamesOf: path) + slug
    }
  }
}

/// Which stored notes have which keys, in the order of the keys.
struct KeyTable: Sendable {
  /// A key in the upper half, the number of a note in the lower one.
  private let rows: [UInt64]

  /// - Complexity: O(n log n).
  init(_ keys: [(key: LinkKey, number: Int)]) {
    rows = keys.map { UInt64($0.key.number) << 32 | UInt64(UInt32($0.number)) }.sorted()
  }

  /// The numbers of the notes that have one of some keys, each once.
  ///
  /// - Complexity: O(log n) a key.
  func numbers(having wanted: LinkKeySet) -> Set<Int> {
    var numbers: Set<Int> = []
    for key in wanted.keys {
      var row = firstRow(of: key)
      while row < rows.count, rows[row] >> 32 == UInt64(key.number) {
        numbers.insert(Int(rows[row] & 0xFFFF_FFFF))
        row += 1
      }
    }
    return numbers
  }

  private func firstRow(of key: LinkKey) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] >> 32 < UInt64(key.number) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The name that git gives to the bytes of a file: the SHA-1 of a blob, 20 bytes.
package struct ContentID: Hashable, Sendable {
  package static let length = 20

  private let first: UInt64
  private let second: UInt64
  private let third: UInt32

  /// Reads the name from 20 bytes; of fewer or more it is the name of nothing.
  package init(_ bytes: [UInt8]) { self.init(bytes.span.bytes) }

  /// As of an array.
  package init(_ bytes: RawSpan) {
    let isName = bytes.byteCount == Self.length
    first = isName ? bytes.little64(at: 0) : 0
    second = isName ? bytes.little64(at: 8) : 0
    third = isName ? bytes.little(at: 16) : 0
  }

  /// The 20 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.length)
    bytes.append(little: first)
    bytes.append(little: second)
    bytes.append(little: third)
    return bytes
  }
}
