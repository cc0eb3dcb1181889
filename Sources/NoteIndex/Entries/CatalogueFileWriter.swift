package import Bytes
import Notes

/// Puts a snapshot together.
package struct CatalogueFileWriter: Sendable {
  /// A file with the note in it.
  package struct File: Sendable {
    package let content: ContentID
    package let verdict: IgnoreStatus
    /// Nil for a file that is not a note.
    package let document: Document?

    package init(content: ContentID, verdict: IgnoreStatus, document: Document?) {
      self.content = content
      self.verdict = verdict
      self.document = document
    }
  }

  /// The stored form of a note.
  package struct Document: Sendable {
    /// As `NoteSummary.bytes(of:)` returns it.
    package let record: [UInt8]
    package let path: [UInt8]
    package let key: EntryKey
    /// Whether neither the note nor the name of its file contains the time of creation.
    package let isUndated: Bool

    package init(record: [UInt8], path: [UInt8], key: EntryKey, isUndated: Bool) {
      self.record = record
      self.path = path
      self.key = key
      self.isUndated = isUndated
    }
  }

  private let generation: UInt64
  private let files: [File]
  /// The parts after the header, in their order.
  private var pieces: [CatalogueFileParts.Piece] = []
  private var length = CatalogueFileLayout.headerLength
  private var sums = BlockSums(blockLength: CatalogueFileLayout.blockLength)
  private var sections: [(offset: Int, length: Int)] = []

  private init(generation: UInt64, files: [File]) {
    self.generation = generation
    self.files = files
  }

  /// Returns the bytes of a snapshot in pieces, so that they need not be in memory twice.
  ///
  /// - Parameters:
  ///   - generation: a number that no other snapshot of the box has.
  ///   - table: the state of the files, in the order of `files`.
  ///   - texts: the index of their words, whose documents are the numbers of the files; empty for none.
  ///   - circumstances: opaque data of the caller, stored in the snapshot.
  /// - Complexity: O(n log n).
  package static func parts(
    generation: UInt64, table: ByteSlice, files: [File], texts: [UInt8], circumstances: [UInt8]
  ) -> CatalogueFileParts {
    let order = Self.order(of: files)
    var writer = CatalogueFileWriter(generation: generation, files: files)
    writer.add(circumstances)
    writer.add(table.withBytes { Array($0) })
    writer.add(rows(files, order))
    writer.add(documents(files, order))
    writer.add(ids(files, order))
    writer.add(facts(files, order))
    writer.addRecords(order)
    writer.add(texts)
    return writer.finished()
  }

  /// The places of the files that hold notes, in the catalogue's order.
  private static func order(of files: [File]) -> [Int] {
    var places = files.indices.filter { files[$0].document != nil }
    places.sort { left, right in
      guard let first = files[left].document, let second = files[right].document else { return left < right }
      if first.key.precedes(second.key) { return true }
      return !second.key.precedes(first.key) && first.path.lexicographicallyPrecedes(second.path)
    }
    return places
  }

  private static func rows(_ files: [File], _ order: [Int]) -> [UInt8] {
    var numbers = [UInt32](repeating: CatalogueFileLayout.noDocument, count: files.count)
    for (number, place) in order.enumerated() { numbers[place] = UInt32(number) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(files.count * CatalogueFileLayout.Row.length)
    for (file, number) in zip(files, numbers) {
      bytes.append(contentsOf: file.content.bytes)
      bytes.append(little: number)
      bytes.append(little: file.verdict.rawValue)
    }
    return bytes
  }

  private static func documents(_ files: [File], _ order: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(order.count * CatalogueFileLayout.Document.length)
    var offset = 0
    for place in order {
      guard let document = files[place].document else { continue }
      bytes.append(little: document.key.created.seconds)
      if let id = document.key.id {
        bytes.append(contentsOf: id.bytes)
      } else {
        bytes.append(little: UInt64(0))
      }
      bytes.append(little: UInt64(offset))
      bytes.append(little: UInt32(document.record.count))
      bytes.append(little: UInt32(place))
      bytes.append(little: Int32(document.key.created.offsetSeconds))
      let flags = document.isUndated ? CatalogueFileLayout.Document.isUndated : 0
      let milliseconds = UInt32(document.key.created.milliseconds)
      bytes.append(little: flags | milliseconds << CatalogueFileLayout.Document.millisecondsShift)
      offset += document.record.count
    }
    return bytes
  }

  private static func ids(_ files: [File], _ order: [Int]) -> [UInt8] {
    var ids: [(id: NoteID, number: Int)] = []
    for (number, place) in order.enumerated() {
      if let id = files[place].document?.key.id { ids.append((id, number)) }
    }
    ids.sort { ($0.id, $0.number) < ($1.id, $1.number) }
    var bytes: [UInt8] = []
    for entry in ids { bytes.append(little: UInt32(entry.number)) }
    return bytes
  }

  private static func facts(_ files: [File], _ order: [Int]) -> [UInt8] {
    var encoder = FactsEncoder(reserving: order.count)
    for place in order {
      guard let document = files[place].document else { continue }
      encoder.add(document.record.span.bytes)
    }
    return encoder.bytes
  }
}

extension CatalogueFileWriter {
  /// So many bytes of records are one piece.
  private static let recordsLength = 1 << 20

  private mutating func add(_ bytes: [UInt8]) {
    align()
    sections.append((length, bytes.count))
    append(bytes)
  }

  private mutating func addRecords(_ order: [Int]) {
    align()
    let start = length
    var (first, size) = (0, 0)
    for (index, place) in order.enumerated() {
      let count = files[place].document?.record.count ?? 0
      if size + count > Self.recordsLength {
        appendRecords(order[first..<index])
        (first, size) = (index, 0)
      }
      size += count
    }
    appendRecords(order[first...])
    sections.append((start, length - start))
  }

  private mutating func appendRecords(_ places: ArraySlice<Int>) {
    let records = CatalogueFileParts.records(of: places, files)
    sums.add(records)
    pieces.append(.records(Array(places)))
    length += records.count
  }

  private mutating func append(_ bytes: [UInt8]) {
    sums.add(bytes)
    pieces.append(.bytes(bytes))
    length += bytes.count
  }

  /// Sections begin at a multiple of eight.
  private mutating func align() {
    if length % 8 != 0 { append([UInt8](repeating: 0, count: 8 - length % 8)) }
  }

  private mutating func finished() -> CatalogueFileParts {
    align()
    let sums = sums.finished()
    return CatalogueFileParts([.bytes(header(sumsOffset: length, sums))] + pieces + [.bytes(sums)], files)
  }

  private func header(sumsOffset: Int, _ sums: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    rest.append(little: UInt64(sumsOffset + sums.count))
    rest.append(little: generation)
    rest.append(little: UInt64(sumsOffset))
    rest.append(little: sums.withUnsafeBytes(Checksum.of))
    rest.append(little: UInt64(0))
    for section in sections {
      rest.append(little: UInt64(section.offset))
      rest.append(little: UInt64(section.length))
    }
    rest.append(contentsOf: repeatElement(0, count: CatalogueFileLayout.headerLength - 24 - rest.count))
    var header = CatalogueFileLayout.magic
    header.append(little: CatalogueFileLayout.version)
    header.append(little: UInt32(0))
    header.append(little: rest.withUnsafeBytes(Checksum.of))
    return header + rest
  }
}

/// The bytes of a catalogue file in pieces; pieces with records are assembled when they are iterated.
package struct CatalogueFileParts: Sequence, Sendable {
  enum Piece: Sendable {
    case bytes([UInt8])
    /// The records of the files at some places.
    case records([Int])
  }

  private let pieces: [Piece]
  private let files: [CatalogueFileWriter.File]

  init(_ pieces: [Piece], _ files: [CatalogueFileWriter.File]) {
    self.pieces = pieces
    self.files = files
  }

  /// No bytes at all.
  package static var none: CatalogueFileParts { CatalogueFileParts([], []) }

  package func makeIterator() -> AnyIterator<[UInt8]> {
    var rest = pieces.makeIterator()
    return AnyIterator { [files] in
      switch rest.next() {
      case .bytes(let bytes)?: bytes
      case .records(let places)?: Self.records(of: places, files)
      case nil: nil
      }
    }
  }

  /// The records of files, one after another.
  static func records(of places: some Sequence<Int>, _ files: [CatalogueFileWriter.File]) -> [UInt8] {
    var bytes: [UInt8] = []
    for place in places { bytes += files[place].document?.record ?? [] }
    return bytes
  }
}
