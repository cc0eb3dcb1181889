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
      var made = [Entry?](repeating: nil, count: stretch.count)
      return tests.map { $0.places(in: stretch, of: entries, times, &made) }
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

  /// The places of a stretch whose notes are asked for, ascending.
  ///
  /// - Parameter made: the notes of the stretch that were made already.
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
