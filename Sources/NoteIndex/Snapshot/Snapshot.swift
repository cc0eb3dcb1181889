package import Notes

/// The catalogue of a box as it was kept in a file, used in place.
///
/// It is only a cache: what does not add up is never trusted. The columns are checked when it is opened, each record when
/// it is first read.
package final class Snapshot: Sendable {
  /// The number that tells it from all other snapshots of the box.
  package let generation: UInt64
  /// How many files it knows, notes or not.
  package let fileCount: Int
  /// How many notes it holds.
  package let documentCount: Int
  private let lent: LentBytes
  private let sections: [Range<Int>]

  /// Opens a snapshot.
  ///
  /// - Parameter owner: what the bytes live in; it is kept as long as the snapshot is.
  /// - Returns: nil where the bytes are no snapshot of this version, or damaged.
  /// - Complexity: O(n) in the number of notes, at the speed of memory.
  package init?(_ bytes: UnsafeRawBufferPointer, owner: some AnyObject & Sendable) {
    guard let header = SnapshotHeader(bytes), let lent = LentBytes(bytes, header, owner: owner) else {
      return nil
    }
    self.lent = lent
    generation = header.generation
    sections = header.sections
    let rows = header.sections[SnapshotLayout.Section.rows.rawValue]
    let documents = header.sections[SnapshotLayout.Section.documents.rawValue]
    let ids = header.sections[SnapshotLayout.Section.ids.rawValue]
    fileCount = rows.count / SnapshotLayout.Row.length
    documentCount = documents.count / SnapshotLayout.Document.length
    guard rows.count % SnapshotLayout.Row.length == 0, documents.count % SnapshotLayout.Document.length == 0,
      ids.count % 4 == 0, documentCount <= fileCount, ids.count / 4 <= documentCount
    else { return nil }
    for section in SnapshotLayout.Section.allCases where section != .records && section != .texts {
      guard lent.isSound(sections[section.rawValue]) else { return nil }
    }
  }

  /// The number of the snapshot in bytes; nil where they are none of this version.
  package static func generation(of bytes: UnsafeRawBufferPointer) -> UInt64? {
    SnapshotHeader(bytes)?.generation
  }

  /// The state of the files, as it was given to the writer; valid as long as the snapshot is kept.
  package var table: UnsafeRawBufferPointer { section(.files) }

  /// What was given to the writer beside the notes.
  package var circumstances: [UInt8] { Array(section(.circumstances)) }

  /// The tags that notes bore when the snapshot was made.
  package var tags: [String] {
    var unpacker = ByteUnpacker(section(.tags))
    var tags: [String] = []
    while let tag = unpacker.text() { tags.append(tag) }
    return tags
  }

  /// The index of the words, whose documents are rows; nil where there is none of this version.
  package var texts: TextIndex? {
    let bytes = section(.texts)
    return bytes.isEmpty ? nil : try? TextIndex(bytes, owner: self)
  }

  private func section(_ section: SnapshotLayout.Section) -> UnsafeRawBufferPointer {
    lent.bytes(sections[section.rawValue])
  }
}

extension Snapshot {
  /// The name of a file's content.
  package func content(ofFile row: Int) -> ContentID {
    let start = row * SnapshotLayout.Row.length
    return ContentID(UnsafeRawBufferPointer(rebasing: section(.rows)[start..<start + ContentID.length]))
  }

  package func verdict(ofFile row: Int) -> Verdict {
    Verdict(rawValue: number(.rows, row * SnapshotLayout.Row.length + SnapshotLayout.Row.verdict))
      ?? .onlyIfTracked
  }

  /// The number of the document in a file; nil where it is no note.
  package func document(ofFile row: Int) -> Int? {
    let number: UInt32 = number(.rows, row * SnapshotLayout.Row.length + SnapshotLayout.Row.document)
    return number < UInt32(documentCount) ? Int(number) : nil
  }

  /// The file of a document.
  package func file(ofDocument number: Int) -> Int {
    let row: UInt32 = field(number, SnapshotLayout.Document.row)
    return min(Int(row), fileCount - 1)
  }

  package func key(ofDocument number: Int) -> EntryKey {
    let seconds: Int64 = field(number, SnapshotLayout.Document.seconds)
    let offset: Int32 = field(number, SnapshotLayout.Document.offsetSeconds)
    return EntryKey(
      created: Timestamp(seconds: seconds, offsetSeconds: Int(offset)), id: id(ofDocument: number))
  }

  /// Whether neither the note nor the name of its file says when it was made.
  package func isUndated(_ number: Int) -> Bool {
    let flags: UInt32 = field(number, SnapshotLayout.Document.flags)
    return flags & SnapshotLayout.Document.isUndated != 0
  }

  /// What was kept of a note; nil where it is damaged.
  package func record(ofDocument number: Int) -> NoteRecord? {
    recordBytes(ofDocument: number).flatMap { NoteRecord($0) }
  }

  /// The bytes of a record, in place; nil where they are damaged.
  package func recordBytes(ofDocument number: Int) -> UnsafeRawBufferPointer? {
    let offset: UInt64 = field(number, SnapshotLayout.Document.recordOffset)
    let length: UInt32 = field(number, SnapshotLayout.Document.recordLength)
    let records = sections[SnapshotLayout.Section.records.rawValue]
    guard let start = Int(exactly: offset), start <= records.count, Int(length) <= records.count - start
    else {
      return nil
    }
    let range = records.lowerBound + start..<records.lowerBound + start + Int(length)
    return lent.isSound(range) ? lent.bytes(range) : nil
  }

  /// The documents whose ids begin so, by their ids.
  ///
  /// - Complexity: O(log n).
  package func documents(idBeginning prefix: [UInt8]) -> [Int] {
    let ids = section(.ids)
    let count = ids.count / 4
    let number = { (index: Int) -> Int in
      min(
        Int(ids.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self).littleEndian),
        self.documentCount - 1)
    }
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
    let start = number * SnapshotLayout.Document.length + SnapshotLayout.Document.id
    return NoteID(stored: section(.documents), at: start)
  }

  private func field<Number: FixedWidthInteger>(_ document: Int, _ offset: Int) -> Number {
    number(.documents, document * SnapshotLayout.Document.length + offset)
  }

  private func number<Number: FixedWidthInteger>(_ part: SnapshotLayout.Section, _ offset: Int) -> Number {
    Number(littleEndian: section(part).loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
