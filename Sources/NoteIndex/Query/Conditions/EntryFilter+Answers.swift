import Notes

extension EntryFilter {
  /// Says of each of some places whether its note is asked for, without making it.
  ///
  /// Each part of the filter answers for all places before the next one is asked about those that are left: a table is
  /// taken up once for all of them.
  /// - Parameter times: when the note at each place of the entries was last changed; empty where it is not asked for.
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
    case .fields(let answers, let facts):
      return Self.stored(places, entries) { facts.fieldsNumber(of: $0).map { answers[$0] } }
    case .values(let answers, let column):
      return Self.stored(places, entries) { column.valueNumber(of: $0).map { answers[$0] } }
    case .tags(let areWanted, let facts):
      return Self.stored(places, entries) { number in
        facts.tagNumbers(of: number).map { tags in Answer(tags.contains { areWanted[$0] }) }
      }
    case .hasTags(let facts): return Self.stored(places, entries) { facts.hasTags($0).map { Answer($0) } }
    }
  }

  /// The answers that the tables of stored notes give, by the numbers there.
  private static func stored(_ places: [Int], _ entries: Entries, _ answer: (Int) -> Answer?) -> [Answer] {
    places.map { place in entries.storedNumber(at: place).flatMap(answer) ?? .unknown }
  }

  /// The answer that settles the matter where one part gives it, else unknown where one part is.
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

  /// The answers of a filter for all places.
  func answers(of filter: EntryFilter, _ executor: ParallelExecutor?) -> [EntryFilter.Answer] {
    flatMapChunks(of: Self.filteredTogether, executor: executor) { [self] stretch in
      filter.answers(for: Array(stretch), of: self)
    }
  }

  /// The places of the notes that fulfil a condition, in their order. Only notes of which the filter does not tell are
  /// made.
  ///
  /// - Parameters:
  ///   - candidates: the places that come into question, nil for all of them.
  ///   - filter: that of the condition.
  ///   - times: when the note at each place was last changed; empty where the condition does not ask for it.
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
