package import Bytes
package import Notes
import Synchronization

/// The catalogue of a box as stored in a file, used in place.
///
/// It is only a cache; inconsistent content is never trusted. Checksums of the columns are verified on opening, those of
/// facts and records on first use.
package final class CatalogueFile: Sendable {
  /// Changes with the format of the stored notes.
  package static var version: UInt32 { CatalogueFileLayout.version }

  /// The number that distinguishes this snapshot from all others of the box.
  package let generation: UInt64
  /// The number of its files, notes or not.
  package let fileCount: Int
  /// The number of its notes.
  package let documentCount: Int
  private let bytes: ByteSlice
  private let blocks: CheckedBlocks
  private let sections: [Range<Int>]
  private let knownFacts = Computed<StoredFacts?, Never>()
  /// The record at which pages were last unloaded.
  private let lastUnloaded = Atomic(0)

  /// Opens a snapshot.
  ///
  /// - Returns: nil if the bytes are not a snapshot of this version, or are damaged.
  /// - Complexity: O(n) in the number of notes, at memory speed.
  package init?(_ bytes: ByteSlice) {
    guard let header = bytes.withBytes({ CatalogueFileHeader($0) }),
      let blocks = CheckedBlocks(
        bytes, content: CatalogueFileLayout.headerLength..<header.sums.lowerBound,
        blockLength: CatalogueFileLayout.blockLength, sums: header.sums.lowerBound)
    else { return nil }
    self.bytes = bytes
    self.blocks = blocks
    generation = header.generation
    sections = header.sections
    let rows = header.sections[CatalogueFileLayout.Section.rows.rawValue]
    let documents = header.sections[CatalogueFileLayout.Section.documents.rawValue]
    let ids = header.sections[CatalogueFileLayout.Section.ids.rawValue]
    fileCount = rows.count / CatalogueFileLayout.Row.length
    documentCount = documents.count / CatalogueFileLayout.Document.length
    guard rows.count % CatalogueFileLayout.Row.length == 0,
      documents.count % CatalogueFileLayout.Document.length == 0,
      ids.count % 4 == 0, documentCount <= fileCount, ids.count / 4 <= documentCount
    else { return nil }
    for section in [CatalogueFileLayout.Section.circumstances, .files, .rows, .documents, .ids] {
      guard blocks.isSound(sections[section.rawValue]) else { return nil }
    }
  }

  /// Returns the number of the snapshot in bytes; nil if they are not a snapshot of this version.
  package static func generation(of bytes: UnsafeRawBufferPointer) -> UInt64? {
    CatalogueFileHeader(bytes)?.generation
  }

  /// The state of the files, as it was given to the writer.
  package var table: ByteSlice { bytes[sections[CatalogueFileLayout.Section.files.rawValue]] }

  /// The conditions that the writer was given beside the notes.
  package var circumstances: [UInt8] { Array(section(.circumstances)) }

  /// The facts of the documents; nil if they are damaged.
  ///
  /// - Complexity: O(n) at memory speed on first access.
  package var facts: StoredFacts? {
    knownFacts.value {
      let section = sections[CatalogueFileLayout.Section.facts.rawValue]
      return blocks.isSound(section) ? StoredFacts(bytes[section], documentCount: documentCount) : nil
    }
  }

  /// The text index, whose documents are rows; nil if the file has no index of this version.
  package var texts: TextIndex? {
    let section = sections[CatalogueFileLayout.Section.texts.rawValue]
    return section.isEmpty ? nil : try? TextIndex(bytes[section])
  }

  /// Unloads the pages that were read; the next access loads them again.
  package func unloadPages() { bytes.unloadPages() }

  @_lifetime(borrow self)
  private func section(_ section: CatalogueFileLayout.Section) -> RawSpan {
    let bytes = bytes
    return _overrideLifetime(bytes.bytes.extracting(sections[section.rawValue]), borrowing: self)
  }
}

extension CatalogueFile {
  /// The name of a file's content.
  package func content(ofFile row: Int) -> ContentID {
    let start = row * CatalogueFileLayout.Row.length
    return ContentID(section(.rows).extracting(start..<start + ContentID.length))
  }

  package func verdict(ofFile row: Int) -> IgnoreStatus {
    IgnoreStatus(
      rawValue: number(.rows, row * CatalogueFileLayout.Row.length + CatalogueFileLayout.Row.verdict))
      ?? .onlyIfTracked
  }

  /// Returns the number of the document in a file; nil if the file is not a note.
  package func document(ofFile row: Int) -> Int? {
    let number: UInt32 = number(
      .rows, row * CatalogueFileLayout.Row.length + CatalogueFileLayout.Row.document)
    return number < UInt32(documentCount) ? Int(number) : nil
  }

  /// The file of a document.
  package func file(ofDocument number: Int) -> Int {
    let row: UInt32 = field(number, CatalogueFileLayout.Document.row)
    return min(Int(row), fileCount - 1)
  }

  package func key(ofDocument number: Int) -> EntryKey {
    EntryKey(created: created(ofDocument: number), id: id(ofDocument: number))
  }

  /// When a note was made, by itself, by the name of its file or by history.
  package func created(ofDocument number: Int) -> Timestamp {
    let seconds: Int64 = field(number, CatalogueFileLayout.Document.seconds)
    let offset: Int32 = field(number, CatalogueFileLayout.Document.offsetSeconds)
    let flags: UInt32 = field(number, CatalogueFileLayout.Document.flags)
    return Timestamp(
      seconds: seconds, offsetSeconds: Int(offset),
      milliseconds: Int(flags >> CatalogueFileLayout.Document.millisecondsShift))
  }

  /// Whether neither the note nor the name of its file contains the time of creation.
  package func isUndated(_ number: Int) -> Bool {
    let flags: UInt32 = field(number, CatalogueFileLayout.Document.flags)
    return flags & CatalogueFileLayout.Document.isUndated != 0
  }

  /// Returns the stored summary of a note; nil if it is damaged.
  package func summary(ofDocument number: Int) -> NoteSummary? {
    guard let record = record(ofDocument: number) else { return nil }
    return NoteSummary(record)
  }

  /// Pages are unloaded after this many records; loading them again costs some hundred page faults.
  private static let recordsHeld = 4_096

  /// Unloads pages during a pass over the records: pages behind the current record are not needed in memory.
  @inline(never)
  private func unloadPages(behind number: Int) {
    // Repeated requests for the same note are not a pass.
    if lastUnloaded.exchange(number, ordering: .relaxed) != number { bytes.unloadPages() }
  }

  /// Returns the stored summary of a note, in place; nil if it is damaged.
  @_lifetime(borrow self)
  package func record(ofDocument number: Int) -> RawSpan? {
    let offset: UInt64 = field(number, CatalogueFileLayout.Document.recordOffset)
    let length: UInt32 = field(number, CatalogueFileLayout.Document.recordLength)
    let records = sections[CatalogueFileLayout.Section.records.rawValue]
    guard let start = Int(exactly: offset), start <= records.count, Int(length) <= records.count - start
    else {
      return nil
    }
    let range = records.lowerBound + start..<records.lowerBound + start + Int(length)
    if number % Self.recordsHeld == 0 { unloadPages(behind: number) }
    let blocks = blocks
    return _overrideLifetime(try? blocks.bytes(range), borrowing: self)
  }

  /// The documents whose ids begin so, by their ids.
  ///
  /// - Complexity: O(log n).
  package func documents(idBeginning prefix: [UInt8]) -> [Int] {
    let ids = section(.ids)
    let count = ids.byteCount / 4
    func number(_ index: Int) -> Int { min(Int(ids.little32(at: index * 4)), documentCount - 1) }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let id = self.id(ofDocument: number(middle))?.bytes ?? []
      if id.lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
    }
    var found: [Int] = []
    while low < count, let id = id(ofDocument: number(low)), id.bytes.starts(with: prefix) {
      found.append(number(low))
      low += 1
    }
    return found
  }

  private func id(ofDocument number: Int) -> NoteID? {
    let start = number * CatalogueFileLayout.Document.length + CatalogueFileLayout.Document.id
    return NoteID(stored: section(.documents), at: start)
  }

  private func field<Number: FixedWidthInteger & BitwiseCopyable>(_ document: Int, _ offset: Int) -> Number {
    number(.documents, document * CatalogueFileLayout.Document.length + offset)
  }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ part: CatalogueFileLayout.Section, _ offset: Int
  ) -> Number {
    section(part).little(at: offset)
  }
}

/// The key by which entries are ordered in the catalogue, before their paths.
package struct EntryKey: Sendable, Equatable {
  package let created: Timestamp
  package let id: NoteID?

  package init(created: Timestamp, id: NoteID?) {
    self.created = created
    self.id = id
  }

  /// Whether an entry precedes another one regardless of their paths: newest first, then by id.
  ///
  /// Notes without an id come after those with one.
  package func precedes(_ other: EntryKey) -> Bool {
    let (own, others) = (created.millisecondsSince1970, other.created.millisecondsSince1970)
    if own != others { return own > others }
    guard id != other.id, let id else { return false }
    return other.id.map { id < $0 } ?? true
  }
}

/// The layout of a snapshot. All numbers are little-endian.
///
/// A header, the sections one after another, and the checksums of the blocks between the two.
enum CatalogueFileLayout {
  static let magic = Array("slip\u{1}\r\n\u{1A}".utf8)
  /// Changes with every change of the format, and of the parsing of notes.
  static let version: UInt32 = 25
  static let headerLength = 256
  /// The bytes that one checksum covers.
  static let blockLength = 1 << 16

  /// The parts of a snapshot, in their order.
  enum Section: Int, CaseIterable {
    /// The conditions under which the file is valid, as its writer stores them; opaque here.
    case circumstances
    /// The state of the files, as another module stores it; opaque here.
    case files
    /// A row for each file, in the order of `files`.
    case rows
    /// The documents in the catalogue's order.
    case documents
    /// The numbers of the documents that have an id, by their ids.
    case ids
    /// The facts of the documents in columns.
    case facts
    /// The records of the documents.
    case records
    /// The index of their words, whose documents are the rows of the files; it checks itself.
    case texts
  }

  /// The fields of the header; the checksum covers all that follows it.
  enum Header {
    static let version = 8
    static let checksum = 16
    static let length = 24
    static let generation = 32
    static let sumsOffset = 40
    static let sumsChecksum = 48
    static let sections = 64
  }

  /// A file: its content, the number of its document, its verdict.
  enum Row {
    static let document = 20
    static let verdict = 24
    static let length = 28
  }

  /// A document.
  enum Document {
    static let seconds = 0
    static let id = 8
    static let recordOffset = 16
    static let recordLength = 24
    static let row = 28
    static let offsetSeconds = 32
    static let flags = 36
    static let length = 40
    /// The flag of a note that does not say itself when it was made.
    static let isUndated: UInt32 = 1
    /// The bits of the flags from which on they hold the milliseconds of the creation date.
    static let millisecondsShift: UInt32 = 16
  }

  static let noDocument = UInt32.max
}

/// The result of the ignore rules for a file that is a note by its name.
package enum IgnoreStatus: UInt32, Sendable {
  /// No rule matches it.
  case note
  /// A rule matches, so that it is a note only while git tracks it.
  case onlyIfTracked
}

/// The header of a snapshot, checked against the bytes.
struct CatalogueFileHeader {
  let generation: UInt64
  let sums: Range<Int>
  let sections: [Range<Int>]

  /// - Returns: nil if the bytes are not a snapshot of this version, or are incomplete.
  init?(_ bytes: UnsafeRawBufferPointer) {
    typealias Header = CatalogueFileLayout.Header
    guard bytes.count >= CatalogueFileLayout.headerLength,
      bytes[..<CatalogueFileLayout.magic.count].elementsEqual(CatalogueFileLayout.magic),
      bytes.loadUnaligned(fromByteOffset: Header.version, as: UInt32.self).littleEndian
        == CatalogueFileLayout.version
    else { return nil }
    let number = { (offset: Int) in
      bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }
    let summed = UnsafeRawBufferPointer(rebasing: bytes[Header.length..<CatalogueFileLayout.headerLength])
    guard number(Header.checksum) == Checksum.of(summed), number(Header.length) == UInt64(bytes.count),
      let sumsOffset = Int(exactly: number(Header.sumsOffset)),
      sumsOffset >= CatalogueFileLayout.headerLength,
      sumsOffset <= bytes.count
    else { return nil }
    var sections: [Range<Int>] = []
    for section in CatalogueFileLayout.Section.allCases {
      let place = Header.sections + section.rawValue * 16
      guard let start = Int(exactly: number(place)), let length = Int(exactly: number(place + 8)),
        start >= CatalogueFileLayout.headerLength, start <= sumsOffset, length <= sumsOffset - start
      else { return nil }
      sections.append(start..<start + length)
    }
    let sums = UnsafeRawBufferPointer(rebasing: bytes[sumsOffset...])
    let blocks =
      (sumsOffset - CatalogueFileLayout.headerLength + CatalogueFileLayout.blockLength - 1)
      / CatalogueFileLayout.blockLength
    guard sums.count == blocks * 8, Checksum.of(sums) == number(Header.sumsChecksum) else { return nil }
    generation = number(Header.generation)
    self.sums = sumsOffset..<bytes.count
    self.sections = sections
  }
}

/// The format of the catalogue cache.
package enum CatalogueFormat {
  /// Caches of other versions are rebuilt.
  package static let version = CatalogueFileLayout.version
}
