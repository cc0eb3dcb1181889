import Notes

/// Tells which records are active, by the `active:` query of their kind.
package struct ActiveTest: Sendable {
  /// The kinds that have such a query.
  private let queries: [String: KindQuery]
  let schema: Schema
  /// Queries that can't be read; their kinds are always active.
  let problems: [(kind: String, error: QueryError)]

  init(_ queries: [KindQuery], _ schema: Schema, problems: [(kind: String, error: QueryError)]) {
    // No two kinds of a schema have one name.
    self.queries = Dictionary(queries.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    self.schema = schema
    self.problems = problems
  }

  /// Says whether a record is active; one whose kind has no `active:`, and a plain note, always is.
  package func isActive(_ entry: Entry) -> Bool {
    guard let kind = schema.kind(named: entry.kind), let query = queries[kind.name] else { return true }
    return query.holds(for: entry)
  }

  /// The test of active records of a kind; nil where all of them are.
  func node(ofKind name: String) -> QueryNode? {
    guard let kind = schema.kind(named: name) else { return nil }
    return queries[kind.name]?.node
  }
}
