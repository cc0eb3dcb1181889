import Bytes
package import Notes

/// All notes of a box at one moment: newest first, ties by id, then by path.
///
/// Immutable. Look-up tables are computed on first use.
package struct Catalogue: Sendable {
  /// The notes in the catalogue's order.
  package let entries: Entries
  private let paths = Computed<[[UInt8]: Int], Never>()
  /// Which notes have links to others or from them.
  let census = Computed<LinkGraph.Presence, Never>()
  /// The names of the notes.
  let names: NameResolver

  /// Makes a catalogue of entries in any order; each entry has its own path.
  ///
  /// - Complexity: O(n log n), or O(n) if they are in order already.
  package init(_ entries: [Entry], linkedBy sameNames: SameNameRule = .ambiguous) {
    self.init(Entries(entries).linked(by: sameNames))
  }

  /// Makes a catalogue of the entries of a snapshot and of further entries.
  ///
  /// - Parameter hidden: the numbers of stored entries to omit.
  package init(
    _ stored: StoredEntries, hiding hidden: Set<Int>, adding entries: [Entry],
    linkedBy sameNames: SameNameRule = .ambiguous
  ) {
    self.init(Entries(stored, hiding: hidden, adding: entries).linked(by: sameNames))
  }

  private init(_ entries: Entries) {
    self.entries = entries
    names = NameResolver(entries)
  }

  /// The note with a path, compared byte for byte.
  ///
  /// - Complexity: O(1), but for the first time O(n).
  package func entry(path: [UInt8]) -> Entry? { place(path: path).map { entries[$0] } }

  /// The place of the note with a path, compared byte for byte.
  ///
  /// - Complexity: O(1), but for the first time O(n).
  package func place(path: [UInt8]) -> Int? {
    let table = paths.value {
      Dictionary(entries.indices.map { (entries.path(at: $0), $0) }, uniquingKeysWith: min)
    }
    return table[path]
  }

  /// The note with an id; of several with the same one, the newest.
  ///
  /// - Complexity: O(log n), but for the first time O(n log n).
  package func entry(id: NoteID) -> Entry? {
    names.ids.place(of: id).map { entries[$0] }
  }

  /// Returns the length in letters of the shortest prefix of an id that no other id of the catalogue has, two at least.
  ///
  /// - Complexity: O(log n); O(n log n) the first time.
  package func shortestPrefix(of id: NoteID) -> Int { names.ids.shortestPrefix(of: id) }

}

extension Catalogue {
  /// Finds the note that a typed reference names, without the keys of kinds; see `resolve(_:_:keys:)`.
  package func resolve(_ reference: String, fuzzy: Bool) -> Resolution {
    resolve(reference, .typed(fuzzy: fuzzy))
  }

  /// Finds the note that a name matches by a rule.
  ///
  /// - Parameters:
  ///   - keys: the fields whose values are names of records.
  ///   - suggests: whether to suggest similar notes if none matches, which reads all titles.
  /// - Complexity: O(n) for the first few names, O(log n) for later names that match.
  package func resolve(
    _ name: String, _ rule: NameRule, keys: RecordKeys = .none, suggests: Bool = true
  ) -> Resolution {
    var bytes = Array(name.utf8)
    if bytes.starts(with: "./".utf8) { bytes.removeFirst(2) }
    guard !bytes.isEmpty else { return .none(candidates: [], more: 0) }
    let places = names.places(named: bytes, rule, keys)
    switch places.count {
    case 0:
      guard suggests else { return .none(candidates: [], more: 0) }
      let near = names.near(name, rule)
      return .none(candidates: near.places.map { entries[$0] }, more: near.more)
    case 1: return .found(entries[places[0]])
    default: return .ambiguous(places.map { entries[$0] })
    }
  }

  /// Returns the place of the one note that a name matches by a rule; nil for none or several. Computes nothing else.
  package func place(named name: String, _ rule: NameRule, keys: RecordKeys = .none) -> Int? {
    let places = names.places(named: Array(name.utf8), rule, keys)
    return places.count == 1 ? places[0] : nil
  }
}

extension Catalogue {
  /// Returns the notes that match a query, up to its limit, in its order or newest first.
  ///
  /// - Parameters:
  ///   - modified: returns the time of the last change of the note at a place; called on the calling thread, only if
  ///     `query.usesModified`.
  ///   - executor: matches on several threads; nil matches on the calling thread.
  package func matches(
    _ query: Query, modified: (_ place: Int) -> Timestamp, executor: ParallelExecutor? = nil
  ) -> [Match] {
    let times = query.asksModified ? entries.indices.map(modified) : []
    let found = places(of: query, TextAnswers(entries, executor), times, executor)
    let sorted = order(query, executor).sorted(found, of: entries) { place in
      times.isEmpty ? modified(place) : times[place]
    }
    return sorted.prefix(query.limit ?? .max).map { Match(entries, $0) }
  }

  private func order(_ query: Query, _ executor: ParallelExecutor?) -> SortOrder {
    var order = SortOrder(keys: query.order, schema: query.schema, executor: executor)
    let isByUrgency = query.order.contains { $0.field.hasSameBytes(as: SortKey.urgency) }
    if isByUrgency, query.schema.knowsUrgency, let clock = query.clock {
      order.meter = urgencyMeter(query.schema, clock: clock, executor: executor)
    }
    return order
  }

  /// Returns the number of notes that match a query, up to its limit.
  ///
  /// - Parameters: As those of `matches`.
  package func count(
    _ query: Query, modified: (_ place: Int) -> Timestamp, executor: ParallelExecutor? = nil
  ) -> Int {
    let times = query.asksModified ? entries.indices.map(modified) : []
    return min(places(of: query, TextAnswers(entries, executor), times, executor).count, query.limit ?? .max)
  }

  /// Returns the places of the notes that match a query, ascending.
  func places(
    of query: Query, _ findings: TextAnswers, _ times: [Timestamp], _ executor: ParallelExecutor?
  ) -> [Int] {
    let named = query.needsCatalogue ? namingRecords(in: query.plan, query.schema) : query.plan
    let node = answeringLinks(in: named, executor)
    let plan = findings.plan(of: node, count: entries.count)
    if case .everything = plan.rest { return plan.places ?? Array(entries.indices) }
    let filter = EntryFilter(plan.rest, query.schema, of: entries, executor: executor)
    return entries.places(among: plan.places, fulfilling: plan.rest, filter, times: times, executor)
  }
}

extension Catalogue {
  /// Returns the notes that match a query, best first, up to its limit.
  ///
  /// An order in the query takes precedence over rank; ties are newest first. If the query has no words to rank by, the
  /// result is that of `matches`.
  /// - Parameters:
  ///   - modified: returns the time of the last change of the note at a place; called on the calling thread, only if
  ///     `query.usesModified`.
  ///   - executor: works on several threads; nil works on the calling thread.
  package func ranked(
    _ query: Query, modified: (_ place: Int) -> Timestamp, executor: ParallelExecutor? = nil
  ) -> [Match] {
    let terms = query.textTerms
    guard !terms.isEmpty else { return matches(query, modified: modified, executor: executor) }
    let times = query.asksModified ? entries.indices.map(modified) : []
    let findings = TextAnswers(entries, executor)
    let found = places(of: query, findings, times, executor)
    let scores = findings.scores(by: terms)
    let ranked =
      query.sort.isEmpty
      ? RankOrder.indices(by: [found.map { SortRanks.rank(ofScore: scores[$0]) }], count: found.count)
        .map { found[$0] }
      : SortOrder(keys: query.sort, schema: query.schema, executor: executor).sorted(found, of: entries) {
        place in
        times.isEmpty ? modified(place) : times[place]
      }
    return ranked.prefix(query.limit ?? .max).map { Match(entries, $0, score: scores[$0]) }
  }

  /// Returns the result of `ranked`, each note with the lines that show why it matches.
  package func search(
    _ query: Query, modified: (_ place: Int) -> Timestamp, executor: ParallelExecutor? = nil
  ) -> [Match] {
    Self.withSnippets(
      ranked(query, modified: modified, executor: executor), of: query, executor: executor)
  }

  /// Adds to the notes that a query found the lines that show why they match. Returns them unchanged if the query has no
  /// words.
  ///
  /// - Complexity: O(n) in the bytes of the notes, which are read for it.
  package static func withSnippets(
    _ matches: [Match], of query: Query, executor: ParallelExecutor? = nil
  ) -> [Match] {
    let terms = query.textTerms
    guard !terms.isEmpty else { return matches }
    let patterns = terms.filter { $0.scope != .title }.map(\.pattern)
    return ParallelChunks(count: matches.count, executor: executor, length: 16).map { stretch in
      matches[stretch].map { match in
        let snippets = SnippetFinder(patterns).snippets(of: match.entry.note.textOrEmpty)
        return Match(match.entries, match.place, score: match.score, snippets: snippets)
      }
    }.flatMap { $0 }
  }
}

extension Catalogue {
  /// Returns for each of several queries the places of the matching notes, ascending; limits are ignored.
  ///
  /// One pass answers all queries and decodes each note at most once.
  /// - Parameters: As those of `matches`.
  package func places(
    ofEach queries: [Query], modified: (_ place: Int) -> Timestamp, executor: ParallelExecutor? = nil
  ) -> [[Int]] {
    let times = queries.contains { $0.asksModified } ? entries.indices.map(modified) : []
    let findings = TextAnswers(entries, executor)
    let tests = queries.map { query in
      let named = query.needsCatalogue ? namingRecords(in: query.plan, query.schema) : query.plan
      let plan = findings.plan(of: answeringLinks(in: named, executor), count: entries.count)
      return PlannedTest(plan, query.schema, entries, executor)
    }
    let parts = ParallelChunks(count: entries.count, executor: executor, length: 512).map {
      [entries] stretch in
      var made = [Entry?](repeating: nil, count: stretch.count)
      return tests.map { $0.places(in: stretch, of: entries, times, &made) }
    }
    return tests.indices.map { number in parts.flatMap { $0[number] } }
  }
}

/// The remaining test of one query of several, after the plan has selected candidates.
private struct PlannedTest: Sendable {
  private let plan: QueryPlan
  private let filter: EntryFilter
  private let isSettled: Bool

  init(_ plan: QueryPlan, _ schema: Schema, _ entries: Entries, _ executor: ParallelExecutor?) {
    self.plan = plan
    filter = EntryFilter(plan.rest, schema, of: entries, executor: executor)
    isSettled = plan.rest.isEverything
  }

  /// Returns the places of the matching notes in a range of the catalogue, ascending.
  ///
  /// - Parameter made: the notes of the range that are already decoded.
  func places(
    in stretch: Range<Int>, of entries: Entries, _ times: [Timestamp], _ made: inout [Entry?]
  ) -> [Int] {
    let candidates = plan.places.map { Array(Self.part(of: $0, in: stretch)) } ?? Array(stretch)
    if isSettled { return candidates }
    let answers = filter.answers(for: candidates, of: entries, times: times)
    return zip(candidates, answers).compactMap { place, answer in
      switch answer {
      case .yes: return place
      case .no: return nil
      case .unknown:
        let index = place - stretch.lowerBound
        let entry = made[index] ?? entries[place]
        made[index] = entry
        return plan.rest.matches(entry, modified: times.isEmpty ? nil : times[place]) ? place : nil
      }
    }
  }

  /// The part of ascending places that lies in a stretch.
  private static func part(of places: [Int], in stretch: Range<Int>) -> ArraySlice<Int> {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < stretch.lowerBound { low = middle + 1 } else { high = middle }
    }
    return places[low...].prefix { $0 < stretch.upperBound }
  }
}

extension Catalogue {
  /// The query with the notes that pass its terms about links.
  ///
  /// A text that names no note, or several, finds no note; to refuse such a name, the query is given its notes before.
  func answeringLinks(in node: QueryNode, _ executor: ParallelExecutor?) -> QueryNode {
    let known = node.asksDependencies ? answeringDependencies(in: node, executor) : node
    return known.mappingLinks { test in
      let named = test.naming { reference in
        if case .found(let entry) = resolve(reference, fuzzy: false) { entry.note } else { nil }
      }
      return LinksTest(named.question, found: FoundNotes(places(named.question, executor), entries))
    }
  }

  private func places(_ question: LinksTest.Question, _ executor: ParallelExecutor?) -> [Int] {
    let graph = LinkGraph(entries, executor: executor)
    switch question {
    case .to(let references):
      return Set(graph.backlinks(to: references.notes.map { .note($0) }).flatMap { $0 }).sorted()
    case .from(let references):
      let notes = references.notes
      let targets = zip(notes, graph.links(of: notes.map { .note($0) })).flatMap { note, links in
        links.compactMap { link -> Int? in
          guard case .note(let place) = link.meaning, entries.path(at: place) != note.path else { return nil }
          return place
        }
      }
      return Set(targets).sorted()
    case .toNone:
      let census = linkCensus(executor)
      return entries.indices.filter { !census.areLinking[$0] }
    case .fromNone:
      let census = linkCensus(executor)
      return entries.indices.filter { !census.areLinked[$0] }
    }
  }

  private func linkCensus(_ executor: ParallelExecutor?) -> LinkGraph.Presence {
    census.value { LinkGraph(entries, executor: executor).census() }
  }
}

extension [LinkReference] {
  fileprivate var notes: [Note] { compactMap { if case .note(let note) = $0 { note } else { nil } } }
}

extension LinkGraph {
  /// - Parameter executor: does the work on several threads; nil does it on the calling one.
  package init(_ catalogue: Catalogue, executor: ParallelExecutor?) {
    self.init(catalogue.entries, executor: executor)
  }
}
