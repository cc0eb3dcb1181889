package import Notes

/// The entries of a snapshot, made of their records when they are asked for.
package final class CatalogueFileEntries: StoredEntries {
  private let snapshot: CatalogueFile
  private let pathOfFile: @Sendable (Int) -> [UInt8]
  private let keyOfFile: (@Sendable (Int) -> LinkKey?)?
  private let read: @Sendable (_ row: Int) -> [UInt8]?
  private let kind: @Sendable (Note, Timestamp) -> String
  private let mayMatchKinds: Bool
  private let onDamage: @Sendable () -> Void
  package let texts: StoredTexts?
  package let keys = StoredKeys()
  package let fields = StoredFields()

  /// - Parameters:
  ///   - pathOfFile: the path of a file by its row.
  ///   - keyOfFile: the key of its name, where that is to be had without the path.
  ///   - read: the bytes of a file by its row.
  ///   - kind: what a note counts as.
  ///   - mayMatchKinds: whether a note that names no kind may count as another one than "note".
  ///   - onDamage: is called where the snapshot was found to be damaged.
  package init(
    _ snapshot: CatalogueFile, pathOfFile: @escaping @Sendable (Int) -> [UInt8],
    keyOfFile: (@Sendable (Int) -> LinkKey?)? = nil, read: @escaping @Sendable (_ row: Int) -> [UInt8]?,
    kind: @escaping @Sendable (Note, Timestamp) -> String,
    mayMatchKinds: Bool = true, onDamage: @escaping @Sendable () -> Void = {}
  ) {
    self.snapshot = snapshot
    self.pathOfFile = pathOfFile
    self.keyOfFile = keyOfFile
    self.read = read
    self.kind = kind
    self.mayMatchKinds = mayMatchKinds
    self.onDamage = onDamage
    texts = snapshot.texts.map { StoredTexts($0) { snapshot.file(ofDocument: $0) } }
  }

  package var count: Int { snapshot.documentCount }

  package func key(_ number: Int) -> EntryKey { snapshot.key(ofDocument: number) }

  package func created(_ number: Int) -> Timestamp { snapshot.created(ofDocument: number) }

  package func path(_ number: Int) -> [UInt8] { pathOfFile(snapshot.file(ofDocument: number)) }

  package func fileNameKey(_ number: Int) -> LinkKey? {
    keyOfFile.map { $0(snapshot.file(ofDocument: number)) } ?? LinkKey(path(number))
  }

  package var facts: StoredFacts? {
    if let facts = snapshot.facts { return facts }
    // What follows from the facts follows from the notes too.
    onDamage()
    return nil
  }

  package func hasOwnKind(_ number: Int, _ facts: StoredFacts) -> Bool {
    !mayMatchKinds || facts.flags(of: number).contains(.hasOwnKind)
  }

  package func reportDamage() { onDamage() }

  package func record(_ number: Int) -> UnsafeRawBufferPointer? { snapshot.summaryBytes(ofDocument: number) }

  package func entry(_ number: Int) -> Entry {
    let row = snapshot.file(ofDocument: number)
    let path = pathOfFile(row)
    let source = TextSource { [read] in read(row) }
    let created = snapshot.created(ofDocument: number)
    let own = snapshot.isUndated(number) ? nil : created
    // A damaged record is no loss: the file itself is there.
    let note =
      snapshot.summary(ofDocument: number)?.note(at: path, created: own, text: source)
      ?? Note(path: path, text: NoteText(read(row) ?? []))
    return Entry(note: note, created: created, kind: kind(note, created))
  }
}
