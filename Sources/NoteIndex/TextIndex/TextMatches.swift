import Bytes
import Text

/// The documents that contain a text pattern, as far as an index can decide.
enum TextMatches: Equatable {
  /// In these documents and no others, ascending.
  case exact([TextHit])
  /// Only in these documents, ascending; each must be read.
  case candidates([UInt32])
  /// Every document must be read.
  case unknown
}

extension TextIndex {
  /// Looks for a pattern in some fields of all documents that are not masked.
  ///
  /// Words, phrases and the beginnings of words are answered exactly, unless one is longer than 254 bytes.
  /// Patterns with gaps have candidates by their words, signs by those beyond ASCII.
  func find(
    _ pattern: TextPattern, in scope: TextScope = .anywhere, without mask: DocumentMask = DocumentMask()
  ) throws(DamagedBytes) -> TextMatches {
    switch pattern {
    case .words(let pattern): return try find(pattern, in: scope, without: mask)
    case .wildcard(let pattern): return try candidates(for: pattern, in: scope, without: mask)
    case .signs(let search):
      let documents = try documents(withSigns: search.needle, among: nil, without: mask)
      return documents.map(TextMatches.candidates) ?? .unknown
    }
  }

  private func find(
    _ pattern: WordPattern, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> TextMatches {
    // Longer words are cut in the index, so the term of one matches others too.
    let words = pattern.words.map { Array($0.prefix(ScannedWord.longest)) }
    let isExact = words.allSatisfy { $0.count < ScannedWord.longest }
    let hits = try hits(phrase: words, isPrefix: pattern.isPrefix, in: scope, without: mask)
    return isExact ? .exact(hits) : .candidates(hits.map(\.document))
  }

  /// Returns the documents that have some folded words one after another.
  ///
  /// - Parameter isPrefix: whether the last one is the beginning of a word.
  func hits(
    phrase words: [[UInt8]], isPrefix: Bool, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    guard let last = words.last else { return [] }
    if words.count == 1 {
      return isPrefix
        ? try hits(prefix: last, in: scope, without: mask) : try hits(word: last, in: scope, without: mask)
    }
    var entries: [TermEntry] = []
    for word in isPrefix ? words.dropLast() : words[...] {
      guard let entry = try dictionary.entry(word) else { return [] }
      entries.append(entry)
    }
    let search = try PhraseSearch(pages, entries, in: scope, without: mask)
    guard isPrefix else { return try search.hits() }
    return try search.hits(followedBy: try dictionary.entries(prefix: last))
  }
}

extension TextIndex {
  /// Returns the documents that have the words and signs of all pieces of a pattern.
  ///
  /// Words inside a piece are whole. The first and the last of a piece may be parts of words, the first of
  /// the pattern the beginning of one.
  func candidates(
    for pattern: WildcardPattern, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> TextMatches {
    var documents: [UInt32]?
    for (number, piece) in pattern.pieces.enumerated() {
      let ranges = Words.ranges(in: piece[...])
      for (index, range) in ranges.enumerated() {
        let word = Array(piece[range].prefix(ScannedWord.longest - 1))
        let isWhole = index > 0 && index < ranges.count - 1 && word.count == range.count
        let isStart = number == 0 && range.lowerBound == 0
        let found =
          isWhole
          ? try hits(word: word, in: scope, without: mask)
          : isStart
            ? try hits(prefix: word, in: scope, without: mask)
            : try hits(
              anyOf: try dictionary.entries(containing: ByteSearch(word)), in: scope, without: mask)
        let list = found.map(\.document)
        documents = documents.map { DocumentLists.intersection($0, list) } ?? list
      }
      documents = try self.documents(withSigns: piece, among: documents, without: mask)
    }
    return documents.map(TextMatches.candidates) ?? .unknown
  }

  /// Returns those of some documents, or of all for nil, that have the signs of a folded text.
  ///
  /// - Returns: nil if all documents may have them.
  func documents(
    withSigns text: [UInt8], among documents: [UInt32]?, without mask: DocumentMask
  ) throws(DamagedBytes) -> [UInt32]? {
    var documents = documents
    for term in SignTerm.terms(in: text) {
      let list = try hits(word: term, in: .anywhere, without: mask).map(\.document)
      documents = documents.map { DocumentLists.intersection($0, list) } ?? list
    }
    return documents
  }
}

/// BM25 over the fields of documents: the number of occurrences of each term, its rarity, and the lengths of the fields.
///
/// A score depends only on integers that can be summed over indexes, and so not on the distribution of documents over
/// them.
/// Source: Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009 (BM25F).
struct TextRanking: Sendable {
  /// The weight of a word in a title of average length relative to one in a body.
  private static let titleWeight = 12.0
  /// The same for tags and aliases.
  private static let nameWeight = 6.0
  private static let saturation = 1.2
  private static let lengthEffect = 0.75

  /// The inverse document frequency of each term.
  private let rarities: [Double]
  /// The share by which the length of a field lowers the weight of its words.
  private let titleSlope: Double
  private let bodySlope: Double

  /// - Parameter frequencies: for each term the number of documents with it.
  init(_ statistics: TextStatistics, frequencies: [Int]) {
    let count = Double(statistics.documents)
    rarities = frequencies.map { CLibrary.logarithm(1 + (count - Double($0) + 0.5) / (Double($0) + 0.5)) }
    titleSlope = Self.slope(statistics.titleWords, statistics.documents)
    bodySlope = Self.slope(statistics.bodyWords, statistics.documents)
  }

  private static func slope(_ words: UInt64, _ documents: Int) -> Double {
    words > 0 ? lengthEffect * Double(documents) / Double(words) : 0
  }

  /// The part of a document's score that comes from one term.
  @inline(__always)
  func weight(of term: Int, _ counts: FieldCounts, _ lengths: DocumentLengths) -> Double {
    var weight = Double(counts.body) / norm(lengths.body, bodySlope)
    if !counts.isBodyAlone {
      weight += Self.titleWeight * Double(counts.title) / norm(lengths.title, titleSlope)
      weight += Self.nameWeight * (Double(counts.alias) + Double(counts.tag)) + Double(counts.other)
    }
    return rarities[term] * weight * (Self.saturation + 1) / (Self.saturation + weight)
  }

  @inline(__always)
  private func norm(_ length: UInt32, _ slope: Double) -> Double {
    1 - Self.lengthEffect + slope * Double(length)
  }
}

extension TextIndex {
  /// Returns the scores of some documents, which are in ascending order.
  ///
  /// - Parameter hits: for each term the documents that contain it, ascending.
  /// - Complexity: O(n + m) for n documents and m hits.
  func scores(
    of documents: [UInt32], hits: [[TextHit]], _ ranking: TextRanking
  ) throws(DamagedBytes) -> [Double] {
    var scores = [Double](repeating: 0, count: documents.count)
    // Pages are checked one by one only if few of them are read.
    let isWhole = documents.count > documentCount / 256
    let all = isWhole ? try pages.bytes(pages.lengths) : UnsafeRawBufferPointer(start: nil, count: 0)
    for (term, hits) in hits.enumerated() {
      var next = 0
      for (index, document) in documents.enumerated() {
        while next < hits.count, hits[next].document < document { next &+= 1 }
        guard next < hits.count else { break }
        guard hits[next].document == document else { continue }
        let offset = 8 * Int(document)
        let lengths =
          offset < all.count
          ? DocumentLengths(document, in: all, at: offset) : try lengths(of: document)
        scores[index] += ranking.weight(of: term, hits[next].counts, lengths)
      }
    }
    return scores
  }
}
