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
    let found = places(of: query, times, spread)
    let sorted = SortOrder(keys: query.order, schema: query.schema).sorted(found, of: entries) { place in
      times.isEmpty ? modified(place) : times[place]
    }
    return sorted.prefix(query.limit ?? .max).map { Match(entries, $0) }
  }

  /// The places of the notes that a query asks for, ascending.
  private func places(of query: Query, _ times: [Timestamp], _ spread: Spread?) -> [Int] {
    if case .everything = query.root { return Array(entries.indices) }
    return Stretches(count: entries.count, spread: spread).map { [entries] stretch in
      stretch.filter { query.holds(for: entries[$0], modified: times.isEmpty ? nil : times[$0]) }
    }.flatMap { $0 }
  }
}
