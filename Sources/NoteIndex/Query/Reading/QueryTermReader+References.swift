import Notes

/// Terms about fields that refer to records.
extension QueryTermReader {
  /// A term about a reference: the names of records, and values with stars, ranges and comparisons, which are compared
  /// with the text of the field.
  ///
  /// The queries that kinds declare are asked without other notes, so that all their values are text.
  func references(
    _ kind: Kind, _ field: Field, _ word: QueryWord, _ plain: QueryNode
  ) throws(QueryFault) -> QueryNode {
    let value = word.value.trimmed
    let text = { (node: QueryNode) in node.typed(kind, field) { $0.asReference } }
    if context.isOfKind || field.target == nil || comparison(value) != nil { return text(plain) }
    var nodes: [QueryNode] = []
    for part in try filledAlternatives(word, isProse: true) {
      let alternative = QueryWord(
        sign: nil, name: word.name, value: part, range: word.range, isWholeArgument: word.isWholeArgument)
      let compared = text(try values(field.name, alternative))
      let isRange = try rangeEnds(part, word) != nil
      if isRange || part.contains(where: { $0.isPlain("*") }) {
        nodes.append(compared)
      } else {
        let test = ReferenceTest(
          kind, field, name: Field.bareReference(part.text), range: part.range ?? word.range, plain: compared)
        nodes.append(node(.referring(test), word, compared.described(within: true)))
      }
    }
    return .any(nodes)
  }
}
