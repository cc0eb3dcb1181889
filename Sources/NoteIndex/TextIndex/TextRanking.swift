import Bytes
import func Glibc.log

/// BM25 over the fields of documents: how often they have each term, how rare it is, how long the fields are.
///
/// A score follows from integers alone that can be summed over indexes, so that it does not depend on how
/// documents are spread over them.
/// Source: Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009 (BM25F).
struct TextRanking: Sendable {
  /// How many times a word in a title of usual length counts that in a body does.
  private static let titleWeight = 12.0
  /// The same for tags and aliases.
  private static let nameWeight = 6.0
  private static let saturation = 1.2
  private static let lengthEffect = 0.75

  /// How much each term says.
  private let rarities: [Double]
  /// The share by which the length of a field lowers the weight of its words.
  private let titleSlope: Double
  private let bodySlope: Double

  /// - Parameter frequencies: for each term how many of the documents have it.
  init(_ statistics: TextStatistics, frequencies: [Int]) {
    let count = Double(statistics.documents)
    rarities = frequencies.map { log(1 + (count - Double($0) + 0.5) / (Double($0) + 0.5)) }
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
  /// Returns the scores of some documents, which ascend.
  ///
  /// - Parameter hits: for each term where it was found, ascending.
  /// - Complexity: O(n + m) for n documents and m hits.
  func scores(
    of documents: [UInt32], hits: [[TextHit]], _ ranking: TextRanking
  ) throws(DamagedBytes) -> [Double] {
    var scores = [Double](repeating: 0, count: documents.count)
    // Pages are checked one by one only where few of them are read.
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
