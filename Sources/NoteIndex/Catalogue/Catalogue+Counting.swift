package import Notes

extension Catalogue {
  /// The places of the notes that each of some queries asks for, ascending; their limits are left out of account.
  ///
  /// All queries are answered in one pass, in which a note is made once at most.
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
      var found = [[Int]](repeating: [], count: tests.count)
      var readers = tests.map { $0.candidates(in: stretch) }
      for place in stretch {
        var made: Entry?
        let modified = times.isEmpty ? nil : times[place]
        for (number, test) in tests.enumerated() where readers[number].holds(place) {
          if test.isMet(by: place, of: entries, modified, &made) { found[number].append(place) }
        }
      }
      return found
    }
    return tests.indices.map { number in parts.flatMap { $0[number] } }
  }
}

/// What is left to be asked of a note for one query of several.
private struct PlannedTest: Sendable {
  private let plan: QueryPlan
  private let filter: EntryFilter
  private let isSettled: Bool

  init(_ plan: QueryPlan, _ schema: Schema, _ entries: Entries, _ executor: ParallelExecutor?) {
    self.plan = plan
    filter = EntryFilter(plan.rest, schema, of: entries, executor: executor)
    isSettled = plan.rest.isEverything
  }

  /// Tells, for ascending places of a stretch, which of them come into question.
  struct Candidates {
    private let places: ArraySlice<Int>?
    private var next: Int

    fileprivate init(_ places: [Int]?, in stretch: Range<Int>) {
      guard let places else {
        (self.places, next) = (nil, 0)
        return
      }
      // The first place that is not before the stretch.
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if places[middle] < stretch.lowerBound { low = middle + 1 } else { high = middle }
      }
      (self.places, next) = (places[low...], low)
    }

    mutating func holds(_ place: Int) -> Bool {
      guard let places else { return true }
      guard next < places.endIndex, places[next] == place else { return false }
      next += 1
      return true
    }
  }

  func candidates(in stretch: Range<Int>) -> Candidates { Candidates(plan.places, in: stretch) }

  /// - Parameter made: the note at the place, where one was made already.
  func isMet(by place: Int, of entries: Entries, _ modified: Timestamp?, _ made: inout Entry?) -> Bool {
    if isSettled { return true }
    switch filter.answer(for: place, of: entries, modified: modified) {
    case .yes: return true
    case .no: return false
    case .unknown:
      let entry = made ?? entries[place]
      made = entry
      return plan.rest.matches(entry, modified: modified)
    }
  }
}
