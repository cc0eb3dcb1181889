import Notes

/// `links:` and `linked-by:`, which ask for the links between notes.
extension QueryTermReader {
  func links(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryNode {
    try context.refuseLinks(name + ":", at: word.range)
    let isTo = name == "links"
    guard !word.value.trimmed.isEmpty else {
      return node(.links(LinksTest(isTo ? .toNone : .fromNone)), word, "\(name):")
    }
    let parts = try filledAlternatives(word, isProse: true)
    let references = parts.map { LinkReference.text($0.text) }
    let shown = parts.map { QueryValue.shownLiteral($0) }.joined(separator: ",")
    return node(.links(LinksTest(isTo ? .to(references) : .from(references))), word, "\(name):" + shown)
  }

  /// `has:links`: a link to another note. `has:linked-by`: a link from one.
  func hasLinks(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryNode {
    try context.refuseLinks("has:" + name, at: word.range)
    let question: LinksTest.Question = name == "links" ? .toNone : .fromNone
    return .not(node(.links(LinksTest(question)), word, "\(name):"))
  }
}

extension QueryContext {
  /// Refuses a term about links in the query of a kind.
  func refuseLinks(_ term: String, at range: Range<Int>) throws(QueryFault) {
    guard isOfKind else { return }
    throw QueryFault("it can't ask \(term), for that depends on other notes", at: range)
  }
}
