import Notes

extension Query {
  /// The query once for each word that it asks for, with the words that begin with that one in its place.
  package var widened: [(word: String, query: Query)] {
    var words: [[UInt8]] = []
    root.forEachTerm { term, isWanted in
      if isWanted, case .text(let pattern) = term.condition, let word = pattern.singleWord,
        !words.contains(word)
      {
        words.append(word)
      }
    }
    return words.prefix(Self.mostWidened).map { word in
      let root = root.mappingTerms { term, _ in
        guard case .text(let pattern) = term.condition, pattern.singleWord == word,
          let open = WordPattern(word, isPrefix: true)
        else { return term.condition }
        return .text(.words(open))
      }
      return (String(decoding: word, as: UTF8.self), replacing(root))
    }
  }

  /// Of more words none is widened.
  private static let mostWidened = 8
}

extension TextPattern {
  /// The word, folded, where the pattern is one whole word of letters and digits.
  fileprivate var singleWord: [UInt8]? {
    guard case .words(let pattern) = self, pattern.words.count == 1, !pattern.isPrefix else { return nil }
    return pattern.words[0]
  }
}
