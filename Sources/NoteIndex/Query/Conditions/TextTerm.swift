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
      default: break
      }
    }
    return terms
  }

  /// More terms than that are matched, but not ranked by.
  private static let mostRankedTerms = 64
}
