extension QueryNode {
  /// The same with other conditions in its terms.
  ///
  /// - Parameter transform: is given a term, and the name of the innermost filter that it stands in.
  func mappingTerms<Failure: Error>(
    in filter: String? = nil, _ transform: (QueryTerm, _ filter: String?) throws(Failure) -> QueryCondition
  ) throws(Failure) -> QueryNode {
    switch self {
    case .everything: return self
    case .not(let node): return .not(try node.mappingTerms(in: filter, transform))
    case .filter(let name, let node): return .filter(name, try node.mappingTerms(in: name, transform))
    case .and(let nodes): return .and(try Self.mapped(nodes, filter, transform))
    case .or(let nodes): return .or(try Self.mapped(nodes, filter, transform))
    case .term(let term):
      return .term(
        QueryTerm(condition: try transform(term, filter), range: term.range, reading: term.reading))
    }
  }

  private static func mapped<Failure: Error>(
    _ nodes: [QueryNode], _ filter: String?,
    _ transform: (QueryTerm, _ filter: String?) throws(Failure) -> QueryCondition
  ) throws(Failure) -> [QueryNode] {
    var result: [QueryNode] = []
    for node in nodes { result.append(try node.mappingTerms(in: filter, transform)) }
    return result
  }

  /// The same with other tests of links.
  func mappingLinks<Failure: Error>(
    _ transform: (LinksTest) throws(Failure) -> LinksTest
  ) throws(Failure) -> QueryNode {
    try mappingTerms { (term, _) throws(Failure) -> QueryCondition in
      guard case .links(let test) = term.condition else { return term.condition }
      return .links(try transform(test))
    }
  }
}
