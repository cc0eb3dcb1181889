import Notes
import Text

/// Words that a user remembers of a title.
struct FuzzyTitle {
  private let words: [[UInt8]]

  init(_ reference: String) { words = Self.words(of: reference) }

  /// How well words stand in a title.
  enum Fit: Int { case none, anyOrder, inOrder }

  /// Tells whether each word begins a word of the title, all in their order or in any.
  func fit(_ title: String) -> Fit {
    let titleWords = Self.words(of: title)
    guard !words.isEmpty, words.allSatisfy({ word in titleWords.contains { $0.starts(with: word) } }) else {
      return .none
    }
    var rest = titleWords[...]
    for word in words {
      guard let place = rest.firstIndex(where: { $0.starts(with: word) }) else { return .anyOrder }
      rest = rest[(place + 1)...]
    }
    return .inOrder
  }

  /// How near a title comes: two for each word that begins a word of it, one for a word misspelt.
  func nearness(_ title: String) -> Int {
    let titleWords = Self.words(of: title)
    guard !titleWords.isEmpty else { return 0 }
    var nearness = 0
    for word in words.prefix(16) {
      if titleWords.contains(where: { $0.starts(with: word) }) {
        nearness += 2
      } else if word.count > 2, Self.isNear(word, titleWords) {
        nearness += 1
      }
    }
    return nearness
  }

  private static func isNear(_ word: [UInt8], _ titleWords: [[UInt8]]) -> Bool {
    let near = titleWords.filter { abs($0.count - word.count) <= 2 && $0.count <= 64 }
    guard word.count <= 64, !near.isEmpty else { return false }
    return Spelling.nearest(
      to: String(decoding: word, as: UTF8.self), among: near.map { String(decoding: $0, as: UTF8.self) })
      != nil
  }

  private static func words(of text: String) -> [[UInt8]] {
    let folded = Folding.fold(Array(text.utf8)[...])
    return Words.ranges(in: folded[...]).map { Array(folded[$0]) }
  }
}
