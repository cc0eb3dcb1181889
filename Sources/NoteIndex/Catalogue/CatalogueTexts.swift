import Bytes
import Notes

/// The words of a catalogue's notes: one index for the notes of its snapshot, another for recent entries.
///
/// If the index of the snapshot is missing or damaged, an index is built from the texts; the answers are the same.
struct CatalogueTexts: Sendable {
  /// One index, with the places of its documents in the catalogue.
  private struct Segment: Sendable {
    let index: TextIndex
    /// Documents that count no longer.
    let mask: DocumentMask
    /// The place of each document; negative for one that has none.
    let places: [Int32]
  }

  private let entries: Entries
  private let segments: [Segment]

  init(_ entries: Entries, executor: ParallelExecutor?) {
    self.entries = entries
    if let base = Self.stored(entries), let recent = Self.built(entries, of: entries.recentPlaces, executor) {
      segments = [base, recent]
    } else {
      segments = [Self.built(entries, of: Array(entries.indices), executor)].compactMap { $0 }
    }
  }

  private init(_ entries: Entries, _ segments: [Segment]) {
    self.entries = entries
    self.segments = segments
  }

  /// Returns the same with an index built from the texts alone, for a damaged index of the snapshot.
  func rebuilt(_ executor: ParallelExecutor?) -> CatalogueTexts {
    CatalogueTexts(
      entries, [Self.built(entries, of: Array(entries.indices), executor)].compactMap { $0 })
  }

  private static func stored(_ entries: Entries) -> Segment? {
    guard let stored = entries.storedTexts else { return nil }
    var places = [Int32](repeating: -1, count: stored.index.documentCount)
    for place in entries.indices {
      guard let number = entries.storedNumber(at: place) else { continue }
      let document = stored.document(number)
      if document < places.count { places[document] = Int32(place) }
    }
    var mask = DocumentMask()
    for (document, place) in places.enumerated() where place < 0 { mask.insert(UInt32(document)) }
    return Segment(index: stored.index, mask: mask, places: places)
  }

  private static func built(_ entries: Entries, of places: [Int], _ executor: ParallelExecutor?) -> Segment? {
    let builders = TextIndexBuilders()
    _ = ParallelChunks(count: places.count, executor: executor).map { stretch in
      builders.fill(from: stretch.lowerBound) { builder in
        for document in stretch {
          builder.begin(document)
          builder.add(entries[places[document]].note)
        }
      }
    }
    let bytes = ByteSlice(copying: builders.index(documents: places.count, executor: executor))
    guard let index = try? TextIndex(bytes) else { return nil }
    return Segment(index: index, mask: DocumentMask(), places: places.map { Int32($0) })
  }
}

/// A note with matches, and their number in each field.
struct PlaceHit: Sendable {
  /// Its place in the catalogue.
  let place: Int
  let counts: FieldCounts
  /// The index that has it, and its document there.
  fileprivate let segment: Int
  fileprivate let document: UInt32
}

extension CatalogueTexts {
  /// The statistics for ranking, of all notes.
  func statistics() throws(DamagedBytes) -> TextStatistics {
    var sum = TextStatistics()
    for segment in segments { sum = sum + (try segment.index.statistics(without: segment.mask)) }
    return sum
  }

  /// Returns the number of documents with each of some folded words, including documents that no longer count.
  func frequencies(of words: [[UInt8]]) throws(DamagedBytes) -> [Int] {
    var counts = [Int](repeating: 0, count: words.count)
    for segment in segments {
      let dictionary = segment.index.dictionary
      for (number, word) in words.enumerated() {
        counts[number] += try dictionary.entry(Array(word.prefix(ScannedWord.longest)))?.documentCount ?? 0
      }
    }
    return counts
  }

  /// The words that may be misspelt as a folded word, those in most documents first.
  func words(like word: [UInt8]) throws(DamagedBytes) -> [[UInt8]] {
    var counts: [[UInt8]: Int] = [:]
    for segment in segments {
      for (term, count) in try segment.index.dictionary.entries(like: word) {
        counts[term, default: 0] += count
      }
    }
    return counts.sorted {
      $0.value == $1.value ? $0.key.lexicographicallyPrecedes($1.key) : $0.value > $1.value
    }.map(\.key)
  }

  /// Returns the numbers of words in the title and the body of a note.
  func lengths(of hit: PlaceHit) throws(DamagedBytes) -> DocumentLengths {
    try segments[hit.segment].index.lengths(of: hit.document)
  }

  /// The notes in which a pattern occurs, by their places.
  func hits(
    of pattern: TextPattern, in scope: TextScope, _ executor: ParallelExecutor?
  ) throws(DamagedBytes) -> [PlaceHit] {
    var found: [PlaceHit] = []
    for (number, segment) in segments.enumerated() {
      switch try segment.index.find(pattern, in: scope, without: segment.mask) {
      case .exact(let hits):
        for hit in hits {
          let place = Int(segment.places[Int(hit.document)])
          if place >= 0 {
            found.append(PlaceHit(place: place, counts: hit.counts, segment: number, document: hit.document))
          }
        }
      case .candidates(let documents): found += verified(documents, number, pattern, scope, executor)
      case .unknown:
        found += verified(Array(0..<UInt32(segment.places.count)), number, pattern, scope, executor)
      }
    }
    return inOrder(found)
  }

  /// Hits in the order of their places, no two of which are equal.
  ///
  /// - Complexity: O(n), or O(m log m) for few hits m among n notes.
  private func inOrder(_ hits: [PlaceHit]) -> [PlaceHit] {
    guard hits.count > entries.count / 16 else { return hits.sorted { $0.place < $1.place } }
    var indices = [Int32](repeating: -1, count: entries.count)
    for (index, hit) in hits.enumerated() { indices[hit.place] = Int32(index) }
    return indices.compactMap { $0 < 0 ? nil : hits[Int($0)] }
  }

  /// Those of some notes in which the pattern does occur.
  private func verified(
    _ documents: [UInt32], _ number: Int, _ pattern: TextPattern, _ scope: TextScope,
    _ executor: ParallelExecutor?
  ) -> [PlaceHit] {
    let places = segments[number].places
    return ParallelChunks(count: documents.count, executor: executor).map { [entries] stretch in
      stretch.compactMap { index in
        let place = Int(places[Int(documents[index])])
        guard place >= 0 else { return nil }
        let counts = pattern.counts(in: entries[place].note, scope)
        if counts.isEmpty { return nil }
        return PlaceHit(place: place, counts: counts, segment: number, document: documents[index])
      }
    }.flatMap { $0 }
  }
}

/// The matches of the texts of one query; each text is looked up once.
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
    repairing {
      () throws(DamagedBytes) -> QueryPlan in
      try QueryPlan(node, count: count) { (term) throws(DamagedBytes) in
        try self.hits(of: term).map(\.place)
      }
    }
  }

  /// The scores of all notes by some terms, by their places; 0 where none of them is found.
  func scores(by terms: [TextTerm]) -> [Double] {
    repairing { () throws(DamagedBytes) -> [Double] in
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
    repairing { () throws(DamagedBytes) -> [Int] in try self.hits(of: term).map(\.place) }
  }

  /// Returns for each of some folded words the number of notes that have it, including recently deleted or changed notes.
  func frequencies(of words: [[UInt8]]) -> [Int] {
    repairing { () throws(DamagedBytes) -> [Int] in try self.index.frequencies(of: words) }
  }

  /// The words that may be misspelt as a folded word, those in most notes first.
  func words(like word: [UInt8]) -> [[UInt8]] {
    repairing { () throws(DamagedBytes) -> [[UInt8]] in try self.index.words(like: word) }
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

  /// Runs a closure; if the index of the snapshot is damaged, rebuilds the index from the texts and runs the closure
  /// again.
  private func repairing<Result>(_ body: () throws(DamagedBytes) -> Result) -> Result {
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
