package import Notes

/// Which records refer to which by the fields that block, as places in a catalogue.
///
/// A name that means no record, or several, blocks nothing.
package struct Dependencies: Sendable {
  /// For each record with such a field the records that it refers to, in their order, each once.
  private let targets: [Int: [Int]]
  /// The records of these that are open.
  private let open: Set<Int>

  /// Reads the records whose kinds have a field that blocks.
  ///
  /// - Parameters:
  ///   - open: the test for open records.
  ///   - executor: works on several threads; nil works on the calling thread.
  /// - Complexity: O(n) in the facts of all notes; only records with such a field are decoded.
  package init(_ catalogue: Catalogue, _ schema: Schema, open: ActiveTest, executor: ParallelExecutor?) {
    let entries = catalogue.entries
    let records = RecordLookup(catalogue, schema)
    let referring = Self.places(entries, schema, executor).map { (place: $0, entry: entries[$0]) }
    let known = Self.places(ofIDsIn: referring.map(\.entry), entries, schema)
    var targets: [Int: [Int]] = [:]
    for (place, entry) in referring {
      let found = Self.targets(of: entry, records, known)
      if !found.isEmpty { targets[place] = found }
    }
    self.targets = targets
    let concerned = Set(targets.keys).union(targets.values.joined()).sorted()
    self.open = Set(
      entries.places(
        among: concerned, fulfilling: .condition(.active(open)), EntryFilter(active: open, of: entries),
        executor))
  }

  /// The places of the records that may have a value in a field that blocks, ascending.
  private static func places(_ entries: Entries, _ schema: Schema, _ executor: ParallelExecutor?) -> [Int] {
    let names = Set(schema.kinds.flatMap { $0.blockingFields.map(\.name) })
    guard !names.isEmpty else { return [] }
    let node = QueryNode.condition(.has(names.sorted()))
    return entries.places(fulfilling: node, EntryFilter(node, schema, of: entries), executor)
  }

  /// Returns the places of the notes whose ids appear in fields that block.
  ///
  /// Nearly all names in these fields are ids, and a scan of the ids of all notes is faster than a table of all names.
  private static func places(
    ofIDsIn referring: [Entry], _ entries: Entries, _ schema: Schema
  ) -> [NoteID: [Int]] {
    var wanted: Set<NoteID> = []
    for entry in referring {
      for (_, names) in names(of: entry, schema) { wanted.formUnion(names.compactMap { NoteID($0) }) }
    }
    guard !wanted.isEmpty else { return [:] }
    var places: [NoteID: [Int]] = [:]
    for place in entries.indices {
      if let id = entries.key(at: place).id, wanted.contains(id) { places[id, default: []].append(place) }
    }
    return places
  }

  /// The names in the fields of a record that block, with the kinds that they name.
  private static func names(of entry: Entry, _ schema: Schema) -> [(target: String, names: [String])] {
    (schema.kind(named: entry.kind)?.blockingFields ?? []).compactMap { field in
      field.target.map { ($0, field.storedValue(in: entry.note)?.names ?? []) }
    }
  }

  /// Returns the records that a record refers to by the fields that block.
  ///
  /// - Parameter known: the places of notes by their ids, if they were looked up.
  package static func targets(
    of entry: Entry, _ records: RecordLookup, _ known: [NoteID: [Int]] = [:]
  ) -> [Int] {
    var found: [Int] = []
    for (target, names) in names(of: entry, records.schema) {
      for name in names {
        let places = records.places(of: target, stored: name, known: NoteID(name).flatMap { known[$0] })
        if places.count == 1, !found.contains(places[0]) { found.append(places[0]) }
      }
    }
    return found
  }

  package var isEmpty: Bool { targets.isEmpty }

  /// Returns the open records that an open record refers to; an empty array if it is not open itself.
  package func blockers(of place: Int) -> [Int] {
    open.contains(place) ? (targets[place] ?? []).filter(open.contains) : []
  }

  /// The open records that refer to an open record, in the catalogue's order.
  package func blocked(by place: Int) -> [Int] {
    guard open.contains(place) else { return [] }
    return targets.keys.filter { open.contains($0) && targets[$0]?.contains(place) == true }.sorted()
  }

  /// All blocked records, ascending.
  package var blocked: [Int] { targets.keys.filter { !blockers(of: $0).isEmpty }.sorted() }

  /// All records that block others, ascending.
  package var blocking: [Int] { Set(targets.keys.flatMap(blockers)).sorted() }
}

extension Dependencies {
  /// Returns the shortest path from any of some records to another one, both ends included; nil if no path exists.
  ///
  /// - Complexity: O(n) in the references that block.
  package func way(from starts: [Int], to end: Int) -> [Int]? {
    var came: [Int: Int] = [:]
    var waiting = starts
    var next = 0
    while next < waiting.count {
      let place = waiting[next]
      next += 1
      if place == end {
        var way = [place]
        while let before = came[way[way.count - 1]], !way.contains(before) { way.append(before) }
        return way.reversed()
      }
      for target in targets[place] ?? [] where came[target] == nil && !starts.contains(target) {
        came[target] = place
        waiting.append(target)
      }
    }
    return nil
  }

  /// The cycles of references between records, each once, starting at its first record in the catalogue's order.
  ///
  /// - Complexity: O(n) in the references that block, times the length of a cycle for those in one.
  package var rings: [[Int]] {
    var known: Set<Int> = []
    var rings: [[Int]] = []
    for start in targets.keys.sorted() where !known.contains(start) {
      guard reaches(start), let way = way(from: targets[start] ?? [], to: start) else { continue }
      let ring = [start] + way.dropLast()
      guard ring.allSatisfy({ !known.contains($0) }) else { continue }
      known.formUnion(ring)
      rings.append(ring)
    }
    return rings
  }

  /// Whether a record can be in a cycle: it refers to a record that has references itself.
  private func reaches(_ place: Int) -> Bool { targets[place]?.contains { targets[$0] != nil } ?? false }
}

extension Catalogue {
  /// Computes the urgency of the records of the catalogue.
  ///
  /// - Parameter executor: works on several threads; nil works on the calling thread.
  /// - Complexity: that of `Dependencies` if a term tests dependencies, else O(1).
  package func urgencyMeter(
    _ schema: Schema, clock: ClockReading, executor: ParallelExecutor? = nil
  ) -> UrgencyMeter {
    UrgencyMeter(schema, clock: clock).answering { answeringDependencies(in: $0, executor) }
  }

  /// Returns the node with its dependency tests replaced by the records that pass them.
  func answeringDependencies(in node: QueryNode, _ executor: ParallelExecutor?) -> QueryNode {
    var known: Dependencies?
    return node.mappingTerms { term, _ in
      guard case .dependency(let test) = term.condition else { return term.condition }
      let all =
        known ?? Dependencies(self, test.open.schema, open: test.open, executor: executor)
      known = all
      return .dependency(test.found(all, entries))
    }
  }
}

extension DependencyTest {
  /// Returns the same test with the records that pass.
  func found(_ all: Dependencies, _ entries: Entries) -> DependencyTest {
    let places = question == .blocked ? all.blocked : all.blocking
    return DependencyTest(question, open: open, found: FoundNotes(places, entries))
  }
}
