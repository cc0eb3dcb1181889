import Notes

/// The names of notes, by their hashes.
struct NameTable: Sendable {
  let entries: Entries
  private let rows: NameRows

  /// Makes the table of all notes, or of those at some places, which have to be all that the names to be looked up may
  /// mean.
  ///
  /// - Parameters:
  ///   - uses: the uses of names that the table has.
  ///   - keys: the fields whose values are names of records.
  /// - Complexity: O(n) in the number of places; notes are made only where kinds have keys of their own.
  init(
    _ entries: Entries, among places: [Int]?, uses: Set<NameUse>, keys: RecordKeys = .none,
    executor: ParallelExecutor?
  ) {
    self.entries = entries
    let count = places?.count ?? entries.count
    let parts = ParallelChunks(count: count, executor: executor).map { stretch in
      var rows: [NameRows.Row] = []
      for index in stretch {
        let place = places?[index] ?? index
        NoteNames(of: entries.names(at: place)).forEachHash(of: uses) {
          rows.append(NameRows.Row(hash: $0, place: place))
        }
        if !keys.isEmpty, let key = keys.key(of: entries[place]) {
          rows.append(NameRows.Row(hash: NameHash(.key, Array(key.utf8)[...]), place: place))
        }
      }
      return rows
    }
    rows = NameRows(parts)
  }

  /// The places of the notes that have a name, ascending.
  func places(_ use: NameUse, _ name: ArraySlice<UInt8>) -> [Int] { rows.places(NameHash(use, name)) }

  /// The places of the notes with a path from the root of the box, its ending written or not; two where it is not
  /// written and tells them apart.
  func places(path: [UInt8]) -> [Int] {
    let withEnding = filesWithEnding(.path, path) { $0 == path }
    return withEnding.isEmpty ? places(.path, path[...]) : withEnding
  }

  /// The notes whose files have a name, and the notes whose files have it with the ending of a note after it.
  typealias Files = (withEnding: [Int], withoutEnding: [Int])

  /// The notes that a path, or the end of one, names.
  ///
  /// - Parameter isPath: whether the path of a note is the one that is named, ending included.
  func files(_ use: NameUse, _ name: [UInt8], isPath: ([UInt8]) -> Bool) -> Files {
    (filesWithEnding(use, name, isPath: isPath), places(use, name[...]))
  }

  private func filesWithEnding(_ use: NameUse, _ name: [UInt8], isPath: ([UInt8]) -> Bool) -> [Int] {
    let stem = LinkPath.withoutEnding(name)
    guard stem.count < name.count else { return [] }
    return places(use, stem).filter { isPath(entries.path(at: $0)) }
  }
}
