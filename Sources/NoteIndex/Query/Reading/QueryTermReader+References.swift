import Notes

/// Terms about fields that refer to records.
extension QueryTermReader {
  /// A term about a reference: the names of records, or a star alone for any.
  ///
  /// The queries that kinds declare are asked without other notes, so that all their values are text.
  func references(
    _ kind: Kind, _ field: Field, _ word: QueryWord, _ plain: QueryNode
  ) throws(QueryFault) -> QueryNode {
    let text = { (node: QueryNode) in node.typed(kind, field) { $0.asReference } }
    if context.isOfKind || field.target == nil { return text(plain) }
    let word = byValue(word)
    if comparison(word.value.trimmed) != nil { return text(plain) }
    var nodes: [QueryNode] = []
    for part in try filledAlternatives(word, isProse: true) {
      let alternative = word.with(part)
      let compared = text(try values(field.name, alternative))
      if try isPattern(part, alternative) {
        nodes.append(compared)
      } else {
        let test = ReferenceTest(
          kind, field, name: Field.bareReference(part.text), range: part.range ?? word.range, plain: compared)
        nodes.append(node(.referring(test), word, compared.described(within: true)))
      }
    }
    return .any(nodes)
  }

  /// Whether a value holds a star or is a range, so that it names no record.
  func isPattern(_ value: ArraySlice<QueryLetter>, _ word: QueryWord) throws(QueryFault) -> Bool {
    try rangeEnds(value, word) != nil || value.contains { $0.isPlain("*") }
  }
}
