import Bytes
import Notes

/// Where the texts of one query are found, each looked up once.
final class TextAnswers {
  private let entries: Entries
  private let executor: ParallelExecutor?
  private var known: [(term: TextTerm, hits: [PlaceHit])] = []
  private var texts: CatalogueTexts?

  init(_ entries: Entries, _ executor: ParallelExecutor?) {
    self.entries = entries
    self.executor = executor
  }

  /// The plan of a query.
  func plan(of node: QueryNode, count: Int) -> QueryPlan {
    mending {
      () throws(DamagedBytes) -> QueryPlan in
      try QueryPlan(node, count: count) { (term) throws(DamagedBytes) in
        try self.hits(of: term).map(\.place)
      }
    }
  }

  /// The scores of all notes by some terms, by their places; 0 where none of them is found.
  func scores(by terms: [TextTerm]) -> [Double] {
    mending { () throws(DamagedBytes) -> [Double] in
      var found: [[PlaceHit]] = []
      for term in terms { found.append(try self.hits(of: term)) }
      let index = self.index
      let ranking = TextRanking(try index.statistics(), frequencies: found.map(\.count))
      var scores = [Double](repeating: 0, count: self.entries.count)
      for (number, hits) in found.enumerated() {
        for hit in hits {
          scores[hit.place] += ranking.weight(of: number, hit.counts, try index.lengths(of: hit))
        }
      }
      return scores
    }
  }

  /// The places of the notes in which a term is found, ascending.
  func places(of term: TextTerm) -> [Int] {
    mending { () throws(DamagedBytes) -> [Int] in try self.hits(of: term).map(\.place) }
  }

  /// In how many notes each of some folded words stands, those counted too that were deleted or changed lately.
  func frequencies(of words: [[UInt8]]) -> [Int] {
    mending { () throws(DamagedBytes) -> [Int] in try self.index.frequencies(of: words) }
  }

  private var index: CatalogueTexts {
    if let texts { return texts }
    let made = CatalogueTexts(entries, executor: executor)
    texts = made
    return made
  }

  private func hits(of term: TextTerm) throws(DamagedBytes) -> [PlaceHit] {
    if let found = known.first(where: { $0.term == term }) { return found.hits }
    let hits = try index.hits(of: term.pattern, in: term.scope.fields, executor)
    known.append((term, hits))
    return hits
  }

  /// Does something again with an index that is made of the texts where that of the snapshot is damaged.
  private func mending<Result>(_ body: () throws(DamagedBytes) -> Result) -> Result {
    do throws(DamagedBytes) {
      return try body()
    } catch {
      entries.reportDamage()
      known = []
      texts = index.rebuilt(executor)
      do throws(DamagedBytes) {
        return try body()
      } catch {
        preconditionFailure("an index that was just made in memory is whole")
      }
    }
  }
}
