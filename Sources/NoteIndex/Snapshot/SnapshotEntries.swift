package import Notes

/// The entries of a snapshot, made of their records when they are asked for.
package final class SnapshotEntries: StoredEntries {
  private let snapshot: Snapshot
  private let pathOfFile: @Sendable (Int) -> [UInt8]
  private let read: @Sendable ([UInt8]) -> [UInt8]
  private let kind: @Sendable (Note, Timestamp) -> String

  /// - Parameters:
  ///   - pathOfFile: the path of a file by its row.
  ///   - read: the bytes of a file by its path, none where it is gone.
  ///   - kind: what a note counts as.
  package init(
    _ snapshot: Snapshot, pathOfFile: @escaping @Sendable (Int) -> [UInt8],
    read: @escaping @Sendable ([UInt8]) -> [UInt8], kind: @escaping @Sendable (Note, Timestamp) -> String
  ) {
    self.snapshot = snapshot
    self.pathOfFile = pathOfFile
    self.read = read
    self.kind = kind
  }

  package var count: Int { snapshot.documentCount }

  package func key(_ number: Int) -> EntryKey { snapshot.key(ofDocument: number) }

  package func path(_ number: Int) -> [UInt8] { pathOfFile(snapshot.file(ofDocument: number)) }

  package func record(_ number: Int) -> UnsafeRawBufferPointer? { snapshot.recordBytes(ofDocument: number) }

  package func entry(_ number: Int) -> Entry {
    let path = path(number)
    let source = TextSource { [read] in read(path) }
    let created = snapshot.key(ofDocument: number).created
    let own = snapshot.isUndated(number) ? nil : created
    // A damaged record is no loss: the file itself is there.
    let note =
      snapshot.record(ofDocument: number)?.note(at: path, created: own, text: source)
      ?? Note(path: path, text: NoteText(read(path)))
    return Entry(note: note, created: created, kind: kind(note, created))
  }
}
