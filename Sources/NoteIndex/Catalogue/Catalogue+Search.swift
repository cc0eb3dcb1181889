package import Notes

extension Catalogue {
  /// Returns the notes that a query asks for, best first, with the lines that show why, as many as it wants.
  ///
  /// An order that the query names goes before rank; ties are newest first. Without words to rank by, it is
  /// what `matches` returns.
  /// - Parameters:
  ///   - modified: when the note at a place was last changed; asked on the calling thread, only if `query.usesModified`.
  ///   - spread: does the work on several threads; nil does it on the calling one.
  package func search(
    _ query: Query, modified: (_ place: Int) -> Timestamp, spread: Spread? = nil
  ) -> [Match] {
    let terms = query.textTerms
    guard !terms.isEmpty else { return matches(query, modified: modified, spread: spread) }
    let times = query.asksModified ? entries.indices.map(modified) : []
    let (found, frequencies) = places(of: query, terms, times, spread)
    let ranking = Ranking(terms, frequencies: frequencies, in: entries)
    let scores = scores(of: found, ranking, spread)
    let best = found.sorted { Self.isBetter($0, $1, scores) }
    let ranked =
      query.sort.isEmpty
      ? best
      : SortOrder(keys: query.sort, schema: query.schema).sorted(found, of: entries) { place in
        times.isEmpty ? modified(place) : times[place]
      }
    let wanted = Array(ranked.prefix(query.limit ?? .max))
    let snippets = snippets(of: wanted, terms, spread)
    return zip(wanted, snippets).map { place, snippets in
      Match(entries, place, score: scores[place] ?? 0, snippets: snippets)
    }
  }

  private static func isBetter(_ left: Int, _ right: Int, _ scores: [Int: Double]) -> Bool {
    let (first, second) = (scores[left] ?? 0, scores[right] ?? 0)
    return first == second ? left < right : first > second
  }

  /// The places of the notes that a query asks for, ascending, and how many notes have each of its terms.
  private func places(
    of query: Query, _ terms: [TextTerm], _ times: [Timestamp], _ spread: Spread?
  ) -> ([Int], [Int]) {
    let parts = Stretches(count: entries.count, spread: spread).map { [entries] stretch in
      var places: [Int] = []
      var frequencies = terms.map { _ in 0 }
      for place in stretch {
        let entry = entries[place]
        for (index, term) in terms.enumerated() where term.isFound(in: entry.note) { frequencies[index] += 1 }
        if query.holds(for: entry, modified: times.isEmpty ? nil : times[place]) {
          places.append(place)
        }
      }
      return (places, frequencies)
    }
    let frequencies = parts.reduce(terms.map { _ in 0 }) { zip($0, $1.1).map(+) }
    return (parts.flatMap(\.0), frequencies)
  }

  private func scores(of places: [Int], _ ranking: Ranking, _ spread: Spread?) -> [Int: Double] {
    let scores = Stretches(count: places.count, spread: spread).map { [entries] stretch in
      stretch.map { ranking.score(entries[places[$0]].note) }
    }
    return Dictionary(uniqueKeysWithValues: zip(places, scores.joined()))
  }

  private func snippets(of places: [Int], _ terms: [TextTerm], _ spread: Spread?) -> [[Snippet]] {
    let patterns = terms.filter { $0.scope != .title }.map(\.pattern)
    return Stretches(count: places.count, spread: spread).map { [entries] stretch in
      stretch.map { SnippetFinder(patterns).snippets(of: entries[places[$0]].note.text) }
    }.flatMap { $0 }
  }
}
