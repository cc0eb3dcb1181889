import Notes

/// Puts a snapshot together.
package struct SnapshotWriter: Sendable {
  /// A file with the note in it.
  package struct File: Sendable {
    package let content: ContentID
    package let verdict: Verdict
    /// Nil for a file that is no note.
    package let document: Document?

    package init(content: ContentID, verdict: Verdict, document: Document?) {
      self.content = content
      self.verdict = verdict
      self.document = document
    }
  }

  /// What is kept of a note.
  package struct Document: Sendable {
    /// As `NoteRecord.bytes(of:)` returns it.
    package let record: [UInt8]
    package let path: [UInt8]
    package let key: EntryKey
    /// Whether neither the note nor the name of its file says when it was made.
    package let isUndated: Bool

    package init(record: [UInt8], path: [UInt8], key: EntryKey, isUndated: Bool) {
      self.record = record
      self.path = path
      self.key = key
      self.isUndated = isUndated
    }
  }

  private let generation: UInt64
  /// What stands behind the header, piece after piece.
  private var parts: [[UInt8]] = []
  private var length = SnapshotLayout.headerLength
  private var sums = BlockSums()
  private var sections: [(offset: Int, length: Int)] = []

  private init(generation: UInt64) { self.generation = generation }

  /// Returns the bytes of a snapshot in pieces, so that they need not be in memory twice.
  ///
  /// - Parameters:
  ///   - generation: a number that no other snapshot of the box has.
  ///   - table: the state of the files, in the order of `files`.
  ///   - texts: the index of their words, whose documents are the numbers of the files; empty for none.
  ///   - circumstances: whatever the caller wants to find in it again.
  /// - Complexity: O(n log n).
  package static func parts(
    generation: UInt64, table: [UInt8], files: [File], texts: [UInt8], tags: [String], circumstances: [UInt8]
  ) -> [[UInt8]] {
    let order = Self.order(of: files)
    var writer = SnapshotWriter(generation: generation)
    writer.add(circumstances)
    writer.add(table)
    writer.add(rows(files, order))
    writer.add(documents(files, order))
    writer.add(ids(files, order))
    writer.add(packed(tags))
    writer.addRecords(files, order)
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
    var numbers = [UInt32](repeating: SnapshotLayout.noDocument, count: files.count)
    for (number, place) in order.enumerated() { numbers[place] = UInt32(number) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(files.count * SnapshotLayout.Row.length)
    for (file, number) in zip(files, numbers) {
      bytes.append(contentsOf: file.content.bytes)
      bytes.append(littleEndian: number)
      bytes.append(littleEndian: file.verdict.rawValue)
    }
    return bytes
  }

  private static func documents(_ files: [File], _ order: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(order.count * SnapshotLayout.Document.length)
    var offset = 0
    for place in order {
      guard let document = files[place].document else { continue }
      bytes.append(littleEndian: document.key.created.seconds)
      if let id = document.key.id {
        bytes.append(contentsOf: id.bytes)
      } else {
        bytes.append(littleEndian: UInt64(0))
      }
      bytes.append(littleEndian: UInt64(offset))
      bytes.append(littleEndian: UInt32(document.record.count))
      bytes.append(littleEndian: UInt32(place))
      bytes.append(littleEndian: Int32(document.key.created.offsetSeconds))
      bytes.append(littleEndian: document.isUndated ? SnapshotLayout.Document.isUndated : 0)
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
    for entry in ids { bytes.append(littleEndian: UInt32(entry.number)) }
    return bytes
  }

  private static func packed(_ tags: [String]) -> [UInt8] {
    var packer = BytePacker()
    for tag in tags { packer.append(tag.utf8) }
    return packer.bytes
  }
}

extension SnapshotWriter {
  /// So many bytes of records are one piece.
  private static let recordsLength = 1 << 20

  private mutating func add(_ bytes: [UInt8]) {
    align()
    sections.append((length, bytes.count))
    append(bytes)
  }

  private mutating func addRecords(_ files: [File], _ order: [Int]) {
    align()
    let start = length
    var piece: [UInt8] = []
    piece.reserveCapacity(Self.recordsLength)
    for place in order {
      guard let record = files[place].document?.record else { continue }
      if piece.count + record.count > Self.recordsLength {
        append(piece)
        piece.removeAll(keepingCapacity: false)
        piece.reserveCapacity(Self.recordsLength)
      }
      piece.append(contentsOf: record)
    }
    append(piece)
    sections.append((start, length - start))
  }

  private mutating func append(_ bytes: [UInt8]) {
    sums.add(bytes)
    parts.append(bytes)
    length += bytes.count
  }

  /// Sections begin at a multiple of eight.
  private mutating func align() {
    if length % 8 != 0 { append([UInt8](repeating: 0, count: 8 - length % 8)) }
  }

  private mutating func finished() -> [[UInt8]] {
    align()
    let sums = sums.finished()
    return [header(sumsOffset: length, sums)] + parts + [sums]
  }

  private func header(sumsOffset: Int, _ sums: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    rest.append(littleEndian: UInt64(sumsOffset + sums.count))
    rest.append(littleEndian: generation)
    rest.append(littleEndian: UInt64(sumsOffset))
    rest.append(littleEndian: sums.withUnsafeBytes(Checksum.of))
    rest.append(littleEndian: UInt64(0))
    for section in sections {
      rest.append(littleEndian: UInt64(section.offset))
      rest.append(littleEndian: UInt64(section.length))
    }
    rest.append(contentsOf: repeatElement(0, count: SnapshotLayout.headerLength - 24 - rest.count))
    var header = SnapshotLayout.magic
    header.append(littleEndian: SnapshotLayout.version)
    header.append(littleEndian: UInt32(0))
    header.append(littleEndian: rest.withUnsafeBytes(Checksum.of))
    return header + rest
  }
}
