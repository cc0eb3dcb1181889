package import Notes

/// All notes of a box at one moment: newest first, ties by id, then by path.
///
/// Immutable; what look-ups need beyond the entries is made when it is first asked for.
package struct Catalogue: Sendable {
  /// The notes in the catalogue's order.
  package let entries: Entries
  private let paths = Lazy<[[UInt8]: Int]>()
  /// Which notes have links to others or from them.
  let census = Lazy<LinkGraph.Presence>()
  /// The names of the notes.
  let names: NameResolver

  /// Makes a catalogue of entries in any order, with a path each.
  ///
  /// - Complexity: O(n log n), O(n) where they are in order already.
  package init(_ entries: [Entry]) { self.init(Entries(entries)) }

  /// Makes a catalogue of the entries of a snapshot and of others beside them.
  ///
  /// - Parameter hidden: the numbers of stored entries that are left out.
  package init(_ stored: any StoredEntries, hiding hidden: Set<Int>, adding entries: [Entry]) {
    self.init(Entries(stored, hiding: hidden, adding: entries))
  }

  private init(_ entries: Entries) {
    self.entries = entries
    names = NameResolver(entries)
  }

  /// The note with a path, compared byte for byte.
  ///
  /// - Complexity: O(1), but for the first time O(n).
  package func entry(path: [UInt8]) -> Entry? { place(path: path).map { entries[$0] } }

  /// The place of the note with a path, compared byte for byte.
  ///
  /// - Complexity: O(1), but for the first time O(n).
  package func place(path: [UInt8]) -> Int? {
    let table = paths.value {
      Dictionary(entries.indices.map { (entries.path(at: $0), $0) }, uniquingKeysWith: min)
    }
    return table[path]
  }

  /// The note with an id; of several with the same one, the newest.
  ///
  /// - Complexity: O(log n), but for the first time O(n log n).
  package func entry(id: NoteID) -> Entry? {
    names.ids.place(of: id).map { entries[$0] }
  }

  /// How many letters of an id tell it from all others in the catalogue, two at least.
  ///
  /// - Complexity: O(log n), but for the first time O(n log n).
  package func shortestPrefix(of id: NoteID) -> Int { names.ids.shortestPrefix(of: id) }

}
