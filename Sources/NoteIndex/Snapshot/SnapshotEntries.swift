package import Notes

/// The entries of a snapshot, made of their records when they are asked for.
package final class SnapshotEntries: StoredEntries {
  private let snapshot: Snapshot
  private let pathOfFile: @Sendable (Int) -> [UInt8]
  private let read: @Sendable ([UInt8]) -> [UInt8]
  private let kind: @Sendable (Note, Timestamp) -> String
  private let onDamage: @Sendable () -> Void
  package let texts: StoredTexts?

  /// - Parameters:
  ///   - pathOfFile: the path of a file by its row.
  ///   - read: the bytes of a file by its path, none where it is gone.
  ///   - kind: what a note counts as.
  ///   - onDamage: is called where the snapshot was found to be damaged.
  package init(
    _ snapshot: Snapshot, pathOfFile: @escaping @Sendable (Int) -> [UInt8],
    read: @escaping @Sendable ([UInt8]) -> [UInt8], kind: @escaping @Sendable (Note, Timestamp) -> String,
    onDamage: @escaping @Sendable () -> Void = {}
  ) {
    self.snapshot = snapshot
    self.pathOfFile = pathOfFile
    self.read = read
    self.kind = kind
    self.onDamage = onDamage
    texts = snapshot.texts.map { StoredTexts($0) { snapshot.file(ofDocument: $0) } }
  }

  package var count: Int { snapshot.documentCount }

  package func key(_ number: Int) -> EntryKey { snapshot.key(ofDocument: number) }

  package func path(_ number: Int) -> [UInt8] { pathOfFile(snapshot.file(ofDocument: number)) }

  package func reportDamage() { onDamage() }

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
