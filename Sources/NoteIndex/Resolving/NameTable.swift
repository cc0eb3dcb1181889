import Text

/// The names of all notes, by hash: a look-up finds the few notes that may bear a name.
struct NameTable: Sendable {
  /// The hashes of names, ascending, each with the place of an entry; exact and folded names together.
  private let rows: [(hash: Int, place: Int)]

  /// - Complexity: O(n log n).
  init(_ entries: Entries) {
    var rows: [(hash: Int, place: Int)] = []
    rows.reserveCapacity(entries.count * 8)
    for (place, entry) in entries.enumerated() {
      let names = NoteNames(of: entry.note)
      for name in names.exact { rows.append((name.hashValue, place)) }
      for name in names.folded { rows.append((name.hashValue, place)) }
    }
    self.rows = rows.sorted { ($0.hash, $0.place) < ($1.hash, $1.place) }
  }

  /// Returns the places of the notes that bear a name, ascending.
  ///
  /// A name as it stands goes before one that is the same only without case and diacritics.
  func places(named name: [UInt8], in entries: Entries) -> [Int] {
    let folded = Folding.fold(name[...])
    let exact = places(hash: name.hashValue).filter { NoteNames(of: entries[$0].note).exact.contains(name) }
    if !exact.isEmpty { return exact }
    return places(hash: folded.hashValue).filter { NoteNames(of: entries[$0].note).folded.contains(folded) }
  }

  private func places(hash: Int) -> [Int] {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    var places: [Int] = []
    for row in rows[low...].prefix(while: { $0.hash == hash }) where places.last != row.place {
      places.append(row.place)
    }
    return places
  }
}
