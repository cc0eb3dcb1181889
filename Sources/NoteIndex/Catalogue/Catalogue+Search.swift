package import Notes

extension Catalogue {
  /// Returns the notes that a query asks for, best first, with the lines that show why, as many as it wants.
  ///
  /// An order that the query names goes before rank; ties are newest first. Without words to rank by, it is
  /// what `matches` returns.
  /// - Parameters:
  ///   - modified: when the note at a place was last changed; asked on the calling thread, only if `query.usesModified`.
  ///   - executor: does the work on several threads; nil does it on the calling one.
  package func search(
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
      ? found.sorted { scores[$0] == scores[$1] ? $0 < $1 : scores[$0] > scores[$1] }
      : SortOrder(keys: query.sort, schema: query.schema, executor: executor).sorted(found, of: entries) {
        place in
        times.isEmpty ? modified(place) : times[place]
      }
    let wanted = Array(ranked.prefix(query.limit ?? .max))
    let snippets = snippets(of: wanted, terms, executor)
    return zip(wanted, snippets).map { place, snippets in
      Match(entries, place, score: scores[place], snippets: snippets)
    }
  }

  private func snippets(of places: [Int], _ terms: [TextTerm], _ executor: ParallelExecutor?) -> [[Snippet]] {
    let patterns = terms.filter { $0.scope != .title }.map(\.pattern)
    return ParallelChunks(count: places.count, executor: executor).map { [entries] stretch in
      stretch.map { SnippetFinder(patterns).snippets(of: entries[places[$0]].note.text) }
    }.flatMap { $0 }
  }
}
