import Notes

/// Notes that a catalogue has found.
final class FoundNotes: Sendable {
  /// Their places, ascending.
  let places: [Int]
  private let entries: Entries
  private let paths = Lazy<Set<[UInt8]>>()

  init(_ places: [Int], _ entries: Entries) {
    self.places = places
    self.entries = entries
  }

  func contains(_ note: Note) -> Bool {
    paths.value { Set(places.map { entries.path(at: $0) }) }.contains(note.path)
  }
}
