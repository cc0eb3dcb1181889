/// Tells which notes of a catalogue are active, making only those of which their facts do not tell.
package struct ActiveNotes: Sendable {
  private let entries: Entries
  private let test: ActiveTest
  private let filter: EntryFilter

  package init(_ entries: Entries, _ test: ActiveTest) {
    self.entries = entries
    self.test = test
    filter = EntryFilter(active: test, entries.facts)
  }

  /// Whether the note at a place is active; one whose kind has no `active:`, and a plain note, always is.
  package func isActive(at place: Int) -> Bool {
    switch filter.answer(for: place, of: entries, modified: nil) {
    case .yes: true
    case .no: false
    case .unknown: test.isActive(entries[place])
    }
  }
}
