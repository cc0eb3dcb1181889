/// Tells which notes of a catalogue are active, making only those of which their facts do not tell.
package struct ActiveNotes: Sendable {
  private let entries: Entries
  private let test: ActiveTest
  /// By the places of the notes.
  private let answers: [EntryFilter.Answer]

  /// - Parameters:
  ///   - places: the places of the active notes, where they are known already.
  ///   - executor: does the work on several threads; nil does it on the calling one.
  /// - Complexity: O(n) in the facts of all notes.
  package init(
    _ entries: Entries, _ test: ActiveTest, known places: [Int]? = nil, executor: ParallelExecutor? = nil
  ) {
    self.entries = entries
    self.test = test
    guard let places else {
      answers = entries.answers(of: EntryFilter(active: test, of: entries, executor: executor), executor)
      return
    }
    var answers = [EntryFilter.Answer](repeating: .no, count: entries.count)
    for place in places { answers[place] = .yes }
    self.answers = answers
  }

  /// Whether the note at a place is active; one whose kind has no `active:`, and a plain note, always is.
  package func isActive(at place: Int) -> Bool {
    switch answers[place] {
    case .yes: true
    case .no: false
    case .unknown: test.isActive(entries[place])
    }
  }
}
