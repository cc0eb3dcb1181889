package import Notes

extension Catalogue {
  /// Returns the notes that a query asks for, as many as it wants: in its order, or newest first.
  ///
  /// - Parameters:
  ///   - modified: when the note at a place was last changed; asked on the calling thread, only if `query.usesModified`.
  ///   - spread: does the matching on several threads; nil does it on the calling one.
  package func matches(
    _ query: Query, modified: (_ place: Int) -> Timestamp, spread: Spread? = nil
  ) -> [Match] {
    let times = query.asksModified ? entries.indices.map(modified) : []
    let found = places(of: query, TextFindings(self, spread), times, spread)
    let sorted = SortOrder(keys: query.order, schema: query.schema, spread: spread).sorted(found, of: entries)
    { place in
      times.isEmpty ? modified(place) : times[place]
    }
    return sorted.prefix(query.limit ?? .max).map { Match(entries, $0) }
  }

  /// The places of the notes that a query asks for, ascending.
  func places(
    of query: Query, _ findings: TextFindings, _ times: [Timestamp], _ spread: Spread?
  ) -> [Int] {
    let node = answeringLinks(in: query.plan, spread)
    let plan = findings.plan(of: node, count: entries.count)
    if case .everything = plan.rest { return plan.places ?? Array(entries.indices) }
    let filter = EntryFilter(plan.rest, query.schema)
    let candidates = plan.places
    return Stretches(count: candidates?.count ?? entries.count, spread: spread).map { [entries] stretch in
      stretch.compactMap { index in
        let place = candidates?[index] ?? index
        guard filter.mayPass(place, of: entries) else { return nil }
        let isMatch = plan.rest.matches(entries[place], modified: times.isEmpty ? nil : times[place])
        return isMatch ? place : nil
      }
    }.flatMap { $0 }
  }
}
