import NoteIndex
import Notes
package import SlipboxCore
import Text

/// The titles, aliases, file names and ids of the notes of a box, found by what is typed of them.
///
/// Immutable. After a change only the names of changed notes are made anew.
package struct NoteNameIndex: Sendable {
  /// The notes of a snapshot, in runs of bytes that several threads have made.
  private let stocks: [NameStock]
  /// The paths in the stocks whose notes are others now.
  private let gone: Set<[UInt8]>
  /// The notes that came since, in a stock of their own.
  private let fresh: NameStock

  /// So many notes are in a stock: few stocks are searched sooner, several are made side by side.
  private static let notesOfStock = 8_192
  /// More notes than this beside the stocks are made one with them.
  private static let mostFresh = 512

  /// - Complexity: O(n) in the names of all notes, on several threads.
  package init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    let entries = try snapshot.catalogue().entries
    let facts = EntryFacts(entries)
    stocks = entries.flatMapChunks(of: Self.notesOfStock, executor: BoxSnapshot.executor) { places in
      let notes = places.map { place in
        NamedNote(
          entries.names(at: place), kind: facts.kind(at: place) ?? entries[place].kind,
          created: entries.key(at: place).created)
      }
      return [NameStock(notes)]
    }
    gone = []
    fresh = NameStock([])
  }

  private init(_ stocks: [NameStock], gone: Set<[UInt8]>, fresh: NameStock) {
    self.stocks = stocks
    self.gone = gone
    self.fresh = fresh
  }

  /// The index after some files have changed.
  package func updated(by changes: WatchedChanges, in snapshot: BoxSnapshot) throws(SlipboxError)
    -> NoteNameIndex
  {
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
    return NoteNameIndex(stocks, gone: gone.union(changes.paths), fresh: NameStock(notes))
  }

  /// The notes whose names fit what was typed, the best first.
  ///
  /// - Parameters:
  ///   - kind: the kind that they are of; nil for any.
  ///   - folder: where they are.
  ///   - hidden: paths of notes that have other names in the editor.
  package func matches(
    _ typed: String, ofKind kind: String? = nil, in folder: NameFolder = .any, most: Int,
    hiding hidden: Set<[UInt8]> = []
  ) -> [NameMatch] {
    let pattern = NamePattern(typed)
    let kept = NameStock.matches(pattern, in: stocks, ofKind: kind, most: most) {
      !gone.contains($0) && !hidden.contains($0) && folder.holds($0)
    }
    let found =
      kept
      + NameStock.matches(pattern, in: [fresh], ofKind: kind, most: most) {
        !hidden.contains($0) && folder.holds($0)
      }
    return Array(found.sorted { $0.precedes($1) }.prefix(most))
  }

  /// How many notes bear a name as their title or alias, whatever its case and accents.
  package func count(named name: String) -> Int {
    let folded = Folding.fold(Array(name.utf8)[...])
    let kept = stocks.reduce(0) { sum, stock in sum + stock.count(named: folded) { !gone.contains($0) } }
    return kept + fresh.count(named: folded) { _ in true }
  }
}

/// A folder as it is typed before the name of a note: the end of one, whatever its case and accents.
package struct NameFolder {
  private let folded: [UInt8]

  package static let any = NameFolder("")

  /// - Parameter typed: what stands before the last slash.
  package init(_ typed: String) { folded = Folding.fold(Array(typed.utf8)[...]) }

  /// Whether the folder of a path, or one above it, ends so.
  package func holds(_ path: [UInt8]) -> Bool {
    if folded.isEmpty { return true }
    let wanted = folded + [UInt8(ascii: "/")]
    let name = Folding.fold(path[...])
    var place = 0
    while place + wanted.count <= name.count {
      if place == 0 || name[place - 1] == UInt8(ascii: "/"), name[place...].starts(with: wanted) {
        return true
      }
      place += 1
    }
    return false
  }
}
