/// Tells which notes of a catalogue are active, making only those of which their facts do not tell.
package struct ActiveNotes: Sendable {
  private let entries: Entries
  private let test: ActiveTest
  private let filter: EntryFilter
  /// The answers by the places, where they were worked out before.
  private let known: [Bool]

  /// - Parameter places: the places of the active notes, where they are known already.
  package init(_ entries: Entries, _ test: ActiveTest, known places: [Int]? = nil) {
    self.entries = entries
    var known: [Bool] = []
    if let places {
      known = [Bool](repeating: false, count: entries.count)
      for place in places { known[place] = true }
    }
    self.known = known
    self.test = test
    filter = EntryFilter(active: test, of: entries)
  }

  /// Whether the note at a place is active; one whose kind has no `active:`, and a plain note, always is.
  package func isActive(at place: Int) -> Bool {
    if !known.isEmpty { return known[place] }
    return switch filter.answer(for: place, of: entries, modified: nil) {
    case .yes: true
    case .no: false
    case .unknown: test.isActive(entries[place])
    }
  }
}
