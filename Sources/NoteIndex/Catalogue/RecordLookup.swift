import Bytes
package import Notes

/// The records among notes by the names that refer to them: names that a user types, and names stored in fields.
package struct RecordLookup: Sendable {
  package let schema: Schema
  private let entries: Entries
  private let names: NameResolver
  private let keys: RecordKeys

  /// Shares the name tables of a catalogue.
  package init(_ catalogue: Catalogue, _ schema: Schema) {
    self.init(catalogue.entries, catalogue.names, schema)
  }

  /// - Parameter executor: does the work on several threads; nil does it on the calling one.
  package init(_ entries: Entries, _ schema: Schema, executor: ParallelExecutor? = nil) {
    self.init(entries, NameResolver(entries, executor: executor), schema)
  }

  private init(_ entries: Entries, _ names: NameResolver, _ schema: Schema) {
    self.schema = schema
    self.entries = entries
    self.names = names
    keys = RecordKeys(schema)
  }

  /// Returns the records of a kind that a name in a field matches: exactly one if the reference is valid.
  ///
  /// - Complexity: O(log n); O(n) for the first few names.
  package func records(of kind: String, stored name: String) -> [Entry] {
    places(of: kind, stored: name).map { entries[$0] }
  }

  /// Returns the places of the records of a kind that a name in a field matches: exactly one if the reference is valid.
  ///
  /// - Complexity: O(log n); O(n) for the first few names.
  package func places(of kind: String, stored name: String) -> [Int] {
    places(named: name, .stored(schema.kindOrPlain(named: kind)))
  }

  /// Returns the same for a name that is the id of notes at known places. If exactly one of these is of the kind, the
  /// name means it.
  func places(of kind: String, stored name: String, known: [Int]?) -> [Int] {
    if let known, keys.field(of: kind) == nil {
      let facts = EntryFacts(entries)
      let fitting = known.filter { (facts.kind(at: $0) ?? entries[$0].kind).isSameName(as: kind) }
      if fitting.count == 1 { return fitting }
    }
    return places(of: kind, stored: name)
  }

  /// The answer to an editor of records for a name that is typed as the value of a field.
  package func answer(_ kind: String, typed name: String) -> ReferenceAnswer {
    let rule = NameRule.field(schema.kindOrPlain(named: kind))
    let places = places(named: name, rule)
    let near = places.isEmpty ? names.near(name, rule).places : []
    if !near.isEmpty { return .unknown(near: near.map { entries[$0].note.title }) }
    return answer(places) { schema.recordKey(of: $0) }
  }

  /// The records of a kind that a name typed as the value of a field means.
  package func records(of kind: String, typed name: String) -> [Entry] {
    places(named: name, .field(schema.kindOrPlain(named: kind))).map { entries[$0] }
  }

  /// Returns the answer to a check of records for a name stored in a field. If several records match, it lists their
  /// paths.
  package func answer(_ kind: String, stored name: String) -> ReferenceAnswer {
    answer(places(named: name, .stored(schema.kindOrPlain(named: kind)))) {
      String(decoding: $0.note.path, as: UTF8.self)
    }
  }

  /// Returns the records whose kind has a key field of its own, if that field has exactly the value.
  ///
  /// - Complexity: O(n) in the front matter of the notes; O(1) if no kind has a key field of its own.
  package func records(withKey key: String) -> [Entry] {
    guard !keys.isEmpty, !key.isEmpty else { return [] }
    let words = FrontMatterFilter([key])
    return entries.indices.compactMap { place in
      guard entries.mayHold(words, at: place) else { return nil }
      let entry = entries[place]
      return keys.key(of: entry).map { $0.hasSameBytes(as: key) } ?? false ? entry : nil
    }
  }

  private func places(named name: String, _ rule: NameRule) -> [Int] {
    names.places(named: Array(name.utf8), rule, keys)
  }

  private func answer(_ places: [Int], _ shown: (Entry) -> String) -> ReferenceAnswer {
    switch places.count {
    case 0: .none
    case 1: .found(schema.recordKey(of: entries[places[0]]))
    default: .ambiguous(places.map { shown(entries[$0]) })
    }
  }
}

/// The states of records among all others of a catalogue.
package final class RecordStandings: Sendable {
  private let catalogue: Catalogue
  private let schema: Schema
  private let active: ActiveTest
  private let open: ActiveTest
  private let dependencies = Computed<(blocked: Set<[UInt8]>, blocking: Set<[UInt8]>), Never>()
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
  /// - Complexity: O(1); that of `Dependencies` for the first record that may be blocked, or whose kind may block if the
  ///   state is `blocking`.
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

/// The active notes of a catalogue. Only notes whose facts do not decide are decoded.
package struct ActiveNotes: Sendable {
  private let entries: Entries
  private let test: ActiveTest
  /// By the places of the notes.
  private let answers: [EntryFilter.Answer]

  /// - Parameters:
  ///   - places: the places of the active notes, if they are already known.
  ///   - executor: works on several threads; nil works on the calling thread.
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
