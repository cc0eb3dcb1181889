package import Notes

extension KindQuery {
  /// Reads a query of a kind.
  ///
  /// Only the built-in filters are known to it: a kind is shared with the box, a user's filters are not.
  /// - Throws: `QueryError` also for what such a query can't ask.
  init(_ text: String, of kind: String, _ purpose: Purpose, _ schema: Schema, clock: ClockReading)
    throws(QueryError)
  {
    // What a note is like before its kind is known does not depend on any kind.
    let context = QueryContext(
      clock: clock, schema: purpose == .match ? Schema(kinds: []) : schema, purpose: (purpose, kind),
      ownKind: schema.kind(named: kind))
    let query = try Query.parse(QueryArguments([text]), context)
    self.init(kind, query.root.cheapestFirst)
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
}

extension ActiveTest {
  /// Reads the queries of a schema.
  package init(schema: Schema, clock: ClockReading) {
    var problems: [(kind: String, error: QueryError)] = []
    var queries: [KindQuery] = []
    for kind in schema.kinds {
      guard let active = kind.active else { continue }
      do throws(QueryError) {
        queries.append(try KindQuery(active, of: kind.name, .active, schema, clock: clock))
      } catch {
        problems.append((kind.name, error))
      }
    }
    self.init(queries, schema, problems: problems)
  }
}
