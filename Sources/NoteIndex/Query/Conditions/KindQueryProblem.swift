/// A fault in a query that a kind declares.
package struct KindQueryProblem: Sendable {
  package let kind: String
  /// The key in the declaration: `match`, `active`, `waiting` or `urgency`.
  package let key: String
  /// The place of the query in the list under that key; nil where there is only one.
  package let index: Int?
  package let error: QueryError

  package init(kind: String, key: String, index: Int? = nil, error: QueryError) {
    self.kind = kind
    self.key = key
    self.index = index
    self.error = error
  }
}
