package import Notes

extension Catalogue {
  /// Returns the notes that a query asks for, best first, as many as it wants.
  ///
  /// An order that the query names goes before rank; ties are newest first. Without words to rank by, it is
  /// what `matches` returns.
  /// - Parameters:
  ///   - modified: when the note at a place was last changed; asked on the calling thread, only if `query.usesModified`.
  ///   - executor: does the work on several threads; nil does it on the calling one.
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

  /// Returns what `ranked` does, each note with the lines that show why it was found.
  package func search(
    _ query: Query, modified: (_ place: Int) -> Timestamp, executor: ParallelExecutor? = nil
  ) -> [Match] {
    Self.withSnippets(
      ranked(query, modified: modified, executor: executor), of: query, executor: executor)
  }

  /// Returns notes that a query found with the lines that show why; as they are where it has no words.
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
        let snippets = SnippetFinder(patterns).snippets(of: match.entry.note.text)
        return Match(match.entries, match.place, score: match.score, snippets: snippets)
      }
    }.flatMap { $0 }
  }
}
