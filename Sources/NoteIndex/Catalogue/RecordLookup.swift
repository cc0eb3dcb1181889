package import Notes

/// The records among notes by the names that references call them: typed ones, and those that stand in fields.
package struct RecordLookup: Sendable {
  package let schema: Schema
  private let entries: Entries
  private let names: NameResolver
  private let keys: RecordKeys

  /// Shares what a catalogue has worked out of its names.
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

  /// The records of a kind that a name in a field means: one where the reference is sound.
  ///
  /// - Complexity: O(log n), but for the first few names O(n).
  package func records(of kind: String, stored name: String) -> [Entry] {
    places(of: kind, stored: name).map { entries[$0] }
  }

  /// The places of the records of a kind that a name in a field means: one where the reference is sound.
  ///
  /// - Complexity: O(log n), but for the first few names O(n).
  package func places(of kind: String, stored name: String) -> [Int] {
    places(named: name, .stored(schema.kindOrPlain(named: kind)))
  }

  /// The same, for a name that is the id of notes at known places: where one of the kind is among them, it is meant.
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

  /// The answer to a check of records for a name that stands in a field. Of several records the paths are given.
  package func answer(_ kind: String, stored name: String) -> ReferenceAnswer {
    answer(places(named: name, .stored(schema.kindOrPlain(named: kind)))) {
      String(decoding: $0.note.path, as: UTF8.self)
    }
  }

  /// The records whose kind has a key field of its own with a value, as it stands.
  ///
  /// - Complexity: O(n) in the front-matter of the notes; O(1) where no kind has a key of its own.
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
