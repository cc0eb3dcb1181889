import Glibc
import Notes

/// BM25 over the parts of a note: how often it has each word, how rare the word is, how long the part is.
///
/// Lengths are bytes: words need not be counted, and only their ratio matters.
/// Source: Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009 (BM25F).
struct Ranking: Sendable {
  private static let titleWeight = 4.0
  private static let tagWeight = 2.0
  private static let saturation = 1.2
  private static let lengthEffect = 0.75

  private let terms: [TextTerm]
  /// How much a term says, by its number.
  private let rarities: [Double]
  private let averageTitle: Double
  private let averageBody: Double

  /// - Parameter frequencies: in how many of the notes each term is found.
  init(_ terms: [TextTerm], frequencies: [Int], in entries: Entries) {
    let count = Double(entries.count)
    self.terms = terms
    rarities = frequencies.map { log(1 + (count - Double($0) + 0.5) / (Double($0) + 0.5)) }
    averageTitle = entries.reduce(0) { $0 + Double($1.note.title.utf8.count) } / max(count, 1)
    averageBody = entries.reduce(0) { $0 + Double($1.note.bodyLength) } / max(count, 1)
  }

  /// How well a note fits.
  func score(_ note: Note) -> Double {
    let title = Array(note.title.utf8)[...]
    let titleNorm = norm(title.count, averageTitle)
    let bodyNorm = norm(note.bodyLength, averageBody)
    var score = 0.0
    for (term, rarity) in zip(terms, rarities) {
      var weight = 0.0
      if term.scope != .body {
        weight += Self.titleWeight * Double(term.pattern.count(in: title)) / titleNorm
      }
      if term.scope == .anywhere { weight += fieldWeight(term.pattern, note) }
      if term.scope != .title { weight += Double(term.pattern.count(in: note.bodyBytes)) / bodyNorm }
      score += rarity * weight * (Self.saturation + 1) / (Self.saturation + weight)
    }
    return score
  }

  private func norm(_ length: Int, _ average: Double) -> Double {
    average > 0 ? 1 - Self.lengthEffect + Self.lengthEffect * Double(length) / average : 1
  }

  /// Tags and aliases count double, other fields once.
  private func fieldWeight(_ pattern: TextPattern, _ note: Note) -> Double {
    var weight = 0.0
    note.forEachFieldText { field, text in
      let name = field.name
      // The title counts already.
      if name.hasSameBytes(as: "title") { return true }
      let isNamed = Self.aliasFields.contains { name.hasSameBytes(as: $0) }
      let isTag = note.tagsField.map(name.hasSameBytes) ?? false
      let count = Double(pattern.count(in: Array(text.utf8)[...]))
      weight += isNamed || isTag ? Self.tagWeight * count : count
      return true
    }
    if let bytes = note.unreadFrontMatter, weight == 0 { weight = Double(pattern.count(in: bytes)) }
    return weight
  }

  private static let aliasFields = ["aliases", "alias"]
}
