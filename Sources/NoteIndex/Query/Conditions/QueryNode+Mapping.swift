/// Where a term stands in a query.
struct TermPlace {
  /// The name of the innermost filter that it stands in.
  var filter: String?
  /// The kinds that the terms beside it leave.
  var scope = KindScope.all
}

extension QueryNode {
  /// The same with other conditions in its terms.
  func mappingTerms<Failure: Error>(
    in place: TermPlace = TermPlace(),
    _ transform: (QueryTerm, _ place: TermPlace) throws(Failure) -> QueryCondition
  ) throws(Failure) -> QueryNode {
    switch self {
    case .everything: return self
    case .not(let node): return .not(try node.mappingTerms(in: place, transform))
    case .filter(let name, let node):
      let inside = TermPlace(filter: name, scope: place.scope)
      return .filter(name, try node.mappingTerms(in: inside, transform))
    case .and(let nodes):
      let inside = TermPlace(filter: place.filter, scope: place.scope.within(nodes))
      return .and(try Self.mapped(nodes, inside, transform))
    case .or(let nodes): return .or(try Self.mapped(nodes, place, transform))
    case .term(let term):
      return .term(
        QueryTerm(condition: try transform(term, place), range: term.range, reading: term.reading))
    }
  }

  private static func mapped<Failure: Error>(
    _ nodes: [QueryNode], _ place: TermPlace,
    _ transform: (QueryTerm, _ place: TermPlace) throws(Failure) -> QueryCondition
  ) throws(Failure) -> [QueryNode] {
    var result: [QueryNode] = []
    for node in nodes { result.append(try node.mappingTerms(in: place, transform)) }
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
