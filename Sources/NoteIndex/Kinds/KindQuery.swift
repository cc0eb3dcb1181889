import Notes

/// A query that a kind declares: `active:` or `match:`.
struct KindQuery: Sendable {
  /// Which of its queries it is.
  enum Purpose: String, Sendable { case active, match }

  let kind: String
  let node: QueryNode

  /// Reads a query of a kind.
  ///
  /// Only the built-in filters are known to it: a kind is shared with the box, a user's filters are not.
  /// - Throws: `QueryError` also for what such a query can't ask.
  init(_ text: String, of kind: String, _ purpose: Purpose, _ schema: Schema, clock: ClockReading)
    throws(QueryError)
  {
    // What a note is like before its kind is known does not depend on any kind.
    let context = QueryContext(
      clock: clock, schema: purpose == .match ? Schema(kinds: []) : schema, purpose: (purpose, kind))
    let query = try Query.parse(QueryArguments([text]), areTerms: false, context)
    self.kind = kind
    node = query.root.cheapestFirst
    if let fault = Self.fault(in: query) {
      throw QueryError(fault, query: text, range: 0..<text.utf8.count)
    }
  }

  private static func fault(in query: Query) -> String? {
    if query.asksModified { return "it can't ask when a note was modified" }
    if !query.sort.isEmpty { return "it takes no sort:" }
    if query.limit != nil { return "it takes no limit:" }
    return nil
  }

  /// Says whether the query asks for a note.
  func holds(for entry: Entry) -> Bool { node.matches(entry, modified: nil) }
}
