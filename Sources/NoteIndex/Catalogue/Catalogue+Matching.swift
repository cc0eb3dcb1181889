package import Notes

extension Catalogue {
  /// Returns the notes that a query asks for, in its order, newest first where it names none, as many as it
  /// wants.
  ///
  /// - Parameters:
  ///   - modified: when a note was last changed; asked only where `query.usesModified`, on the calling
  /// thread.
  ///   - spread: does the matching on several threads; nil does it on the calling one.
  package func matches(
    _ query: Query, modified: (Entry) -> Timestamp, spread: Spread? = nil
  ) -> [Match] {
    let times = query.usesModified ? entries.map(modified) : []
    let found = places(of: query, times, spread)
    let sorted = sorted(found, by: query.sort, times)
    return sorted.prefix(query.limit ?? .max).map { Match(entry: entries[$0]) }
  }

  /// The places of the notes that a query asks for, ascending.
  private func places(of query: Query, _ times: [Timestamp], _ spread: Spread?) -> [Int] {
    if case .everything = query.root { return Array(entries.indices) }
    return Stretches(count: entries.count, spread: spread).map { [entries] stretch in
      stretch.filter { query.holds(for: entries[$0], modified: times.isEmpty ? nil : times[$0]) }
    }.flatMap { $0 }
  }

  /// Sorts places by keys; the catalogue's order decides what they leave open.
  func sorted(_ places: [Int], by keys: [SortKey], _ times: [Timestamp]) -> [Int] {
    SortOrder(keys: keys).sorted(places, of: entries) { times.isEmpty ? nil : times[$0] }
  }
}
