import NoteIndex
import Notes
import SlipboxCore
import Text

/// The titles, aliases, file names and ids of the notes of a box, found by what is typed of them.
///
/// Immutable. After a change only the names of changed notes are made anew.
struct NoteNameIndex: Sendable {
  /// The notes of a snapshot, in one run of bytes.
  private let stock: NameStock
  /// The paths in the stock whose notes are others now.
  private let gone: Set<[UInt8]>
  /// The notes that came since, in a stock of their own.
  private let fresh: NameStock

  /// More notes than this beside the stock are made one with it.
  private static let mostFresh = 512

  /// - Complexity: O(n log n) in the names of all notes.
  init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    let entries = try snapshot.catalogue().entries
    let facts = EntryFacts(entries)
    stock = NameStock(
      entries.flatMapChunks(executor: BoxSnapshot.executor) { places in
        places.map { place in
          NamedNote(
            entries.names(at: place), kind: facts.kind(at: place) ?? entries[place].kind,
            created: entries.key(at: place).created)
        }
      })
    gone = []
    fresh = NameStock([])
  }

  private init(_ stock: NameStock, gone: Set<[UInt8]>, fresh: NameStock) {
    self.stock = stock
    self.gone = gone
    self.fresh = fresh
  }

  /// The index after some files have changed.
  func updated(by changes: WatchedChanges, in snapshot: BoxSnapshot) throws(SlipboxError) -> NoteNameIndex {
    guard !changes.paths.isEmpty || !changes.goneFolders.isEmpty else { return self }
    guard changes.goneFolders.isEmpty, fresh.count + changes.paths.count <= Self.mostFresh else {
      return try NoteNameIndex(of: snapshot)
    }
    var notes = fresh.notes.filter { !changes.paths.contains($0.path) }
    for path in changes.paths {
      if let note = try snapshot.note(at: path) {
        notes.append(NamedNote(NamesOfNote(note), kind: note.kind, created: note.created))
      }
    }
    return NoteNameIndex(stock, gone: gone.union(changes.paths), fresh: NameStock(notes))
  }

  /// The notes whose names fit what was typed, the best first.
  ///
  /// - Parameters:
  ///   - kind: the kind that they are of; nil for any.
  ///   - hidden: paths of notes that have other names in the editor.
  func matches(
    _ typed: String, ofKind kind: String? = nil, most: Int, hiding hidden: Set<[UInt8]> = []
  ) -> [NameMatch] {
    let pattern = NamePattern(typed)
    let found =
      stock.matches(pattern, ofKind: kind, most: most) { !gone.contains($0) && !hidden.contains($0) }
      + fresh.matches(pattern, ofKind: kind, most: most) { !hidden.contains($0) }
    return Array(found.sorted { $0.precedes($1) }.prefix(most))
  }

  /// How many notes bear a name as their title or alias, whatever its case and accents.
  func count(named name: String) -> Int {
    let folded = Folding.fold(Array(name.utf8)[...])
    return stock.count(named: folded) { !gone.contains($0) } + fresh.count(named: folded) { _ in true }
  }
}
