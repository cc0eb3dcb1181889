import Notes

/// A word or phrase that a query asks for, and where: what ranking and snippets go by.
struct TextTerm: Sendable, Equatable {
  enum Scope: Sendable, Equatable { case anywhere, title, body }

  let scope: Scope
  let pattern: TextPattern
}

extension Query {
  /// The texts that are looked for and not excluded, each once.
  var textTerms: [TextTerm] {
    var terms: [TextTerm] = []
    let add = { (scope: TextTerm.Scope, pattern: TextPattern) in
      let term = TextTerm(scope: scope, pattern: pattern)
      if terms.count < Self.mostRankedTerms, !terms.contains(term) { terms.append(term) }
    }
    root.forEachTerm { term, isWanted in
      guard isWanted else { return }
      switch term.condition {
      case .text(let pattern): add(.anywhere, pattern)
      case .title(let tests): for test in tests { test.pattern.map { add(.title, $0) } }
      case .body(let patterns): for pattern in patterns { add(.body, pattern) }
      case .todo(let test): for pattern in test.patterns { add(.body, pattern) }
      default: break
      }
    }
    return terms
  }

  /// More terms than that are matched, but not ranked by.
  private static let mostRankedTerms = 64
}

extension Query {
  /// The query once for each word that it asks for, also in the title or the body alone, with the words that begin with
  /// that one in its place.
  package var widened: [(word: String, query: Query)] {
    var words: [OpenWord] = []
    root.forEachTerm { term, isWanted in
      if isWanted, let word = term.condition.openWord, !words.contains(word) { words.append(word) }
    }
    return words.prefix(Self.mostWidened).map { word in
      let root = root.mappingTerms { term, _ in
        term.condition.openWord == word ? term.condition.opened(word.letters) : term.condition
      }
      return (word.place + String(decoding: word.letters, as: UTF8.self), replacing(root))
    }
  }

  /// Of more words none is widened.
  private static let mostWidened = 8
}

/// A whole word that a term asks for.
private struct OpenWord: Equatable {
  /// The name and the colon before it; empty where it may stand anywhere.
  let place: String
  /// The word, folded.
  let letters: [UInt8]
}

extension QueryCondition {
  /// The one word of a term of text; nil for any other.
  fileprivate var openWord: OpenWord? {
    switch self {
    case .text(let pattern): pattern.singleWord.map { OpenWord(place: "", letters: $0) }
    case .title(let tests) where tests.count == 1:
      tests[0].pattern?.singleWord.map { OpenWord(place: "title:", letters: $0) }
    case .body(let patterns) where patterns.count == 1:
      patterns[0].singleWord.map { OpenWord(place: "body:", letters: $0) }
    default: nil
    }
  }

  /// The same for the words that begin with one.
  fileprivate func opened(_ letters: [UInt8]) -> QueryCondition {
    guard let open = WordPattern(letters, isPrefix: true) else { return self }
    return switch self {
    case .text: .text(.words(open))
    case .title: .title([.like(.words(open), number: nil, dates: nil)])
    case .body: .body([.words(open)])
    default: self
    }
  }
}

extension TextPattern {
  /// The word, folded, where the pattern is one whole word of letters and digits.
  fileprivate var singleWord: [UInt8]? {
    guard case .words(let pattern) = self, pattern.words.count == 1, !pattern.isPrefix else { return nil }
    return pattern.words[0]
  }
}
