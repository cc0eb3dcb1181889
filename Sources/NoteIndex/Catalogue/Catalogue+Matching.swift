package import Notes

extension Catalogue {
  /// Returns the notes that a query asks for, as many as it wants: in its order, or newest first.
  ///
  /// - Parameters:
  ///   - modified: when the note at a place was last changed; asked on the calling thread, only if `query.usesModified`.
  ///   - executor: does the matching on several threads; nil does it on the calling one.
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

  /// How many notes a query asks for, as many as it wants.
  ///
  /// - Parameters: As those of `matches`.
  package func count(
    _ query: Query, modified: (_ place: Int) -> Timestamp, executor: ParallelExecutor? = nil
  ) -> Int {
    let times = query.asksModified ? entries.indices.map(modified) : []
    return min(places(of: query, TextAnswers(entries, executor), times, executor).count, query.limit ?? .max)
  }

  /// The places of the notes that a query asks for, ascending.
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
