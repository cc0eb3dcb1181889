package import Notes

/// Tells the states of records among all others of a catalogue.
package final class RecordStandings: Sendable {
  private let catalogue: Catalogue
  private let schema: Schema
  private let active: ActiveTest
  private let open: ActiveTest
  private let dependencies = Lazy<(blocked: Set<[UInt8]>, blocking: Set<[UInt8]>)>()
  private let executor: ParallelExecutor?

  /// - Parameter executor: does the work on several threads; nil does it on the calling one.
  package init(
    _ catalogue: Catalogue, _ schema: Schema, clock: ClockReading, executor: ParallelExecutor? = nil
  ) {
    self.catalogue = catalogue
    self.schema = schema
    self.executor = executor
    active = ActiveTest(schema: schema, clock: clock)
    open = ActiveTest(.open, schema: schema, clock: clock)
  }

  /// Whether a record is open; one whose kind declares nothing, and a plain note, always is.
  package func isOpen(_ entry: Entry) -> Bool { open.isActive(entry) }

  /// Whether a record is in a state.
  ///
  /// - Complexity: O(1), but that of `Dependencies` for the first record that refers to others by a field that blocks, or
  ///   can be referred to so where it is asked for those that block.
  package func isIn(_ state: RecordStanding, _ entry: Entry) -> Bool {
    switch state {
    case .active: active.isActive(entry)
    case .waiting: open.isActive(entry) && !active.isActive(entry)
    case .blocked: mayBeBlocked(entry) && known.blocked.contains(entry.note.path)
    case .blocking: mayBlock(entry) && known.blocking.contains(entry.note.path)
    }
  }

  private func mayBeBlocked(_ entry: Entry) -> Bool {
    let fields = schema.kind(named: entry.kind)?.blockingFields ?? []
    return fields.contains { $0.storedValue(in: entry.note) != nil }
  }

  private func mayBlock(_ entry: Entry) -> Bool {
    schema.references(to: entry.kind).contains { $0.field.isBlocking }
  }

  private var known: (blocked: Set<[UInt8]>, blocking: Set<[UInt8]>) {
    dependencies.value {
      let all = Dependencies(catalogue, schema, open: open, executor: executor)
      let paths = { (places: [Int]) in Set(places.map { self.catalogue.entries.path(at: $0) }) }
      return (paths(all.blocked), paths(all.blocking))
    }
  }
}

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
