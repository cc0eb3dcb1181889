import Notes
import Text

/// A query narrowed to an entry's key, path and stored facts, which are known before its note is decoded.
indirect enum EntryFilter: Sendable {
  /// Whether an entry matches.
  enum Answer: Sendable {
    case no, yes
    /// The answer requires the note.
    case unknown

    init(_ isWanted: Bool) { self = isWanted ? .yes : .no }

    /// Whether a condition holds for a note.
    fileprivate init(_ condition: QueryCondition, of note: Note) {
      self.init(condition.holds(for: Entry(undated: note), modified: nil))
    }
  }

  case always(Answer)
  case created([DateInterval])
  case modified([DateInterval])
  case path([PathCondition])
  /// The answers by the numbers of kinds.
  case kind([Answer], StoredFacts)
  /// The filters by the numbers of kinds.
  case byKind([EntryFilter], StoredFacts)
  /// The answers to a condition by the fields of a name, and the one for notes without such a field.
  case fields(StoredValues, missing: Answer, QueryCondition)
  /// The answers by the values of a field.
  case values([Answer], FieldColumn)
  /// Whether one of the tags is wanted, by their numbers.
  case tags([Bool], StoredFacts)
  case hasTags(StoredFacts)
  /// The answers for notes with an open check box and for those without one.
  case boxes(open: Answer, none: Answer, StoredFacts)
  /// Whether a text has several versions of lines.
  case marked(StoredFacts)
  case not(EntryFilter)
  case all([EntryFilter])
  case any([EntryFilter])

  /// Makes the filter of a query on some entries.
  ///
  /// - Parameter executor: reads field values into the cache on several threads, if they are not cached yet.
  init(_ node: QueryNode, _ schema: Schema, of entries: Entries, executor: ParallelExecutor? = nil) {
    self.init(node, Known(schema: schema, entries: entries, facts: entries.facts, executor: executor))
  }

  /// The filter of active notes among some entries.
  init(active test: ActiveTest, of entries: Entries, executor: ParallelExecutor? = nil) {
    let known = Known(schema: test.schema, entries: entries, facts: entries.facts, executor: executor)
    self.init(.active(test), known)
  }

  /// The data about all entries.
  private struct Known {
    let schema: Schema
    let entries: Entries
    /// Those of the stored entries; nil without stored entries.
    let facts: StoredFacts?
    let executor: ParallelExecutor?
  }

  private init(_ node: QueryNode, _ known: Known) {
    switch node {
    case .everything: self = .always(.yes)
    case .not(let inner): self = .not(EntryFilter(inner, known))
    case .filter(_, let inner): self.init(inner, known)
    case .and(let parts): self = .all(Self.cheapestFirst(parts.map { EntryFilter($0, known) }))
    case .or(let parts): self = .any(Self.cheapestFirst(parts.map { EntryFilter($0, known) }))
    case .term(let term): self.init(term.condition, known)
    }
  }

  private init(_ condition: QueryCondition, _ known: Known) {
    switch condition {
    case .created(let intervals): self = .created(intervals)
    case .modified(let intervals): self = .modified(intervals)
    case .path(let patterns): self = .path(patterns)
    default: self = known.facts.map { EntryFilter(condition, known, $0) } ?? .always(.unknown)
    }
  }

  private init(_ condition: QueryCondition, _ known: Known, _ facts: StoredFacts) {
    switch condition {
    case .tag(let globs):
      self = .tags(facts.tags.map { tag in globs.contains { $0.covers(Self.folded(tag)) } }, facts)
    case .kind(let globs):
      self = .kind(facts.kinds.map { kind in Answer(globs.contains { $0.covers(Self.folded(kind)) }) }, facts)
    case .field(let name, _): self.init(known, facts, named: name, missing: .no, condition)
    case .has(let names):
      self = .any(names.map { .not(EntryFilter(known, facts, lacking: $0)) })
    case .lacks(let name): self.init(known, facts, lacking: name)
    case .declared(let test):
      self = .byKind(facts.kinds.map { EntryFilter(test.node(ofKind: $0), known) }, facts)
    case .active(let test):
      self = .byKind(facts.kinds.map { EntryFilter(test.node(ofKind: $0), known) }, facts)
    case .typed(let test):
      guard let missing = test.holdsWithoutField else {
        self = .always(.unknown)
        return
      }
      self.init(known, facts, named: test.field.name, missing: Answer(missing), condition)
    case .referring(let test):
      if test.kind.hasDefault(test.field.name) {
        self = .always(.unknown)
      } else {
        self.init(known, facts, named: test.field.name, missing: .no, condition)
      }
    case .conflicted:
      self = .any([
        .marked(facts), EntryFilter(known, facts, named: ConflictEntry.fieldName, missing: .no, condition),
      ])
    case .todo(let test): self = .boxes(open: test.answerIfOpen, none: Answer(test.isAbsent), facts)
    default: self = .always(.unknown)
    }
  }

  /// The answers to a condition that depends on the fields of a name alone, compared without case and diacritics.
  ///
  /// - Parameter missing: the answer for notes without such a field.
  private init(
    _ known: Known, _ facts: StoredFacts, named name: String, missing: Answer, _ condition: QueryCondition
  ) {
    if let column = known.entries.column(of: name, facts, known.executor) {
      var answers = column.examples.map { Answer(condition, of: $0) }
      answers[0] = missing
      self = .values(answers, column)
      return
    }
    self = .fields(StoredValues(named: name, facts), missing: missing, condition)
  }

  /// Whether a field is absent or empty.
  private init(_ known: Known, _ facts: StoredFacts, lacking name: String) {
    switch name {
    case "tag", "tags": self = .not(.hasTags(facts))
    case "path", "modified": self = .always(.no)
    case "title", "body", "id", "created", "kind": self = .always(.unknown)
    default: self.init(known, facts, named: name, missing: .yes, .lacks(name))
    }
  }

  private static func cheapestFirst(_ filters: [EntryFilter]) -> [EntryFilter] {
    filters.filter { !$0.readsValues } + filters.filter(\.readsValues)
  }

  /// Whether the values of fields are read note by note.
  private var readsValues: Bool {
    switch self {
    case .fields: true
    case .not(let inner): inner.readsValues
    case .all(let parts), .any(let parts), .byKind(let parts, _): parts.contains(where: \.readsValues)
    default: false
    }
  }

  private static func folded(_ name: String) -> [UInt8] { Folding.fold(Array(name.utf8)[...]) }
}

extension EntryFilter {
  /// Returns for each of some places whether its note matches, without decoding the note.
  ///
  /// Each part of the filter answers for all places before the next part tests the undecided ones, so each table is read
  /// once for all of them.
  /// - Parameter times: the times of the last changes of the notes, by their places in the entries; empty if the query
  ///   does not use them.
  func answers(for places: [Int], of entries: Entries, times: [Timestamp] = []) -> [Answer] {
    switch self {
    case .always(let answer): return [Answer](repeating: answer, count: places.count)
    case .created(let intervals):
      return places.map { place in
        let created = entries.created(at: place)
        return Answer(intervals.contains { $0.contains(created) })
      }
    case .modified(let intervals):
      guard !times.isEmpty else { return [Answer](repeating: .no, count: places.count) }
      return places.map { place in Answer(intervals.contains { $0.contains(times[place]) }) }
    case .path(let patterns):
      return places.map { place in
        let path = entries.path(at: place)
        return Answer(patterns.contains { $0.covers(path) })
      }
    case .not(let inner): return inner.answers(for: places, of: entries, times: times).map(\.opposite)
    case .all(let parts): return Self.joined(parts, settling: .no, places, entries, times)
    case .any(let parts): return Self.joined(parts, settling: .yes, places, entries, times)
    case .kind(let answers, let facts):
      return places.map { place in entries.kindNumber(at: place, facts).map { answers[$0] } ?? .unknown }
    case .byKind(let filters, let facts): return Self.byKind(filters, facts, places, entries, times)
    case .fields(let values, let missing, let condition):
      guard let stored = entries.stored else { return places.map { _ in .unknown } }
      var known: [[UInt8]: Answer] = [:]
      return Self.stored(places, entries) { number in
        guard let key = values.key(of: number, in: stored) else { return nil }
        if key.isEmpty { return missing }
        if let answer = known[key] { return answer }
        let answer = Answer(condition, of: StoredValues.note(of: key))
        known[key] = answer
        return answer
      }
    case .values(let answers, let column):
      return Self.stored(places, entries) { column.valueNumber(of: $0).map { answers[$0] } }
    case .tags(let areWanted, let facts):
      return Self.stored(places, entries) { number in
        facts.tagNumbers(of: number).map { tags in Answer(tags.contains { areWanted[$0] }) }
      }
    case .boxes(let open, let none, let facts):
      return Self.stored(places, entries) { number in
        guard facts.kindNumber(of: number) != nil else { return nil }
        return facts.flags(of: number).contains(.hasOpenBox) ? open : none
      }
    case .marked(let facts):
      return Self.stored(places, entries) { number in
        facts.kindNumber(of: number).map { _ in Answer(facts.flags(of: number).contains(.hasMergeMarkers)) }
      }
    case .hasTags(let facts): return Self.stored(places, entries) { facts.hasTags($0).map { Answer($0) } }
    }
  }

  /// Returns the answers from the tables of stored notes, by the numbers there.
  private static func stored(_ places: [Int], _ entries: Entries, _ answer: (Int) -> Answer?) -> [Answer] {
    places.map { place in entries.storedNumber(at: place).flatMap(answer) ?? .unknown }
  }

  /// Joins the answers of parts: the settling answer if one part gives it, else unknown if one part is unknown.
  private static func joined(
    _ parts: [EntryFilter], settling: Answer, _ places: [Int], _ entries: Entries, _ times: [Timestamp]
  ) -> [Answer] {
    var answers = [Answer](repeating: settling.opposite, count: places.count)
    // The places that are not settled yet, with their indices.
    var (open, left) = (Array(places.indices), places)
    for part in parts where !open.isEmpty {
      let next = part.answers(for: left, of: entries, times: times)
      var count = 0
      for (number, answer) in next.enumerated() {
        if answer == settling {
          answers[open[number]] = settling
          continue
        }
        if answer == .unknown { answers[open[number]] = .unknown }
        (open[count], left[count]) = (open[number], left[number])
        count += 1
      }
      open.removeLast(open.count - count)
      left.removeLast(left.count - count)
    }
    return answers
  }

  /// The answers of the filter of each note's kind.
  private static func byKind(
    _ filters: [EntryFilter], _ facts: StoredFacts, _ places: [Int], _ entries: Entries, _ times: [Timestamp]
  ) -> [Answer] {
    var answers = [Answer](repeating: .unknown, count: places.count)
    var indices = [[Int]](repeating: [], count: filters.count)
    for (index, place) in places.enumerated() {
      if let kind = entries.kindNumber(at: place, facts) { indices[kind].append(index) }
    }
    for (filter, indices) in zip(filters, indices) where !indices.isEmpty {
      if case .always(let answer) = filter {
        for index in indices { answers[index] = answer }
        continue
      }
      let own = filter.answers(for: indices.map { places[$0] }, of: entries, times: times)
      for (index, answer) in zip(indices, own) { answers[index] = answer }
    }
    return answers
  }
}

extension EntryFilter.Answer {
  /// The answer of the negated filter.
  fileprivate var opposite: Self {
    switch self {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }
}

extension Entries {
  /// Stretches of places that are filtered together: long enough that taking up the tables counts for little.
  private static let filteredTogether = 1_024

  /// Those of some ascending places whose notes are active.
  package func places(_ places: [Int], active test: ActiveTest, _ executor: ParallelExecutor?) -> [Int] {
    self.places(
      among: places, fulfilling: .condition(.active(test)),
      EntryFilter(active: test, of: self, executor: executor), executor)
  }

  /// The answers of a filter for all places.
  func answers(of filter: EntryFilter, _ executor: ParallelExecutor?) -> [EntryFilter.Answer] {
    flatMapChunks(of: Self.filteredTogether, executor: executor) { [self] stretch in
      filter.answers(for: Array(stretch), of: self)
    }
  }

  /// Returns the places of the notes that match a condition, in their order. Decodes only notes that the filter can't
  /// decide.
  ///
  /// - Parameters:
  ///   - candidates: the places to test, nil for all of them.
  ///   - filter: the filter of the condition.
  ///   - times: the times of the last changes of the notes, by their places; empty if the condition does not use them.
  func places(
    among candidates: [Int]? = nil, fulfilling node: QueryNode, _ filter: EntryFilter,
    times: [Timestamp] = [], _ executor: ParallelExecutor?
  ) -> [Int] {
    ParallelChunks(count: candidates?.count ?? count, executor: executor, length: Self.filteredTogether).map {
      [self] stretch in
      let places = candidates.map { Array($0[stretch]) } ?? Array(stretch)
      return zip(places, filter.answers(for: places, of: self, times: times)).compactMap { place, answer in
        switch answer {
        case .yes: return place
        case .no: return nil
        case .unknown:
          return node.matches(self[place], modified: times.isEmpty ? nil : times[place]) ? place : nil
        }
      }
    }.flatMap { $0 }
  }
}
