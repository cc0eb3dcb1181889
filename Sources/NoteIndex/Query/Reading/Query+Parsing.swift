package import Notes

extension Query {
  /// Reads the arguments of a command: each is one term, or a query of several.
  ///
  /// An argument with blanks is one term where it begins with a name and a colon, `+` or `-`, and nothing
  /// else in it looks like a term: `due:next week` and `+Tag 1`, but not `kind:issue +ios`. For built-in
  /// names whose values hold no blanks (`kind:issue login`) it is always several.
  /// - Parameters:
  ///   - schema: the kinds by which fields are compared, and that say which records are active.
  ///   - filters: queries that may be used as `@name`, beside the built-in ones, which go first.
  /// - Throws: `QueryError` with the place of the first fault.
  /// - Complexity: O(n); more than 65,536 bytes are refused.
  package static func parse(
    _ arguments: [String], clock: ClockReading, schema: Schema = .builtIn, filters: [String: String] = [:]
  ) throws(QueryError) -> Query {
    let context = QueryContext(clock: clock, schema: schema, filters: filters)
    return try parse(QueryArguments(arguments), areTerms: true, context)
  }

  /// Reads a query that stands in one text, as in a filter: blanks part its terms wherever they are not
  /// quoted.
  ///
  /// - Throws: `QueryError` with the place of the first fault.
  package static func parse(
    text: String, clock: ClockReading, schema: Schema = .builtIn, filters: [String: String] = [:]
  ) throws(QueryError) -> Query {
    try parse(
      QueryArguments([text]), areTerms: false,
      QueryContext(clock: clock, schema: schema, filters: filters))
  }

  static func parse(
    _ arguments: QueryArguments, areTerms: Bool, _ context: QueryContext
  ) throws(QueryError) -> Query {
    let bytes = arguments.bytes
    guard bytes.count <= QuerySyntax.longestQuery else { throw tooLong(bytes) }
    do {
      let tokens = try arguments.tokens(areTerms: areTerms, context)
      var parser = QueryParser(bytes, tokens, QueryTermReader(context))
      let root = try parser.parse()
      return Query(
        root: root, sort: parser.sort?.keys ?? [], limit: parser.limit?.count, schema: context.schema,
        source: QuerySource(text: bytes, filters: context.texts))
    } catch {
      throw QueryError(error, in: bytes)
    }
  }

  private static func tooLong(_ bytes: [UInt8]) -> QueryError {
    var end = 60
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return QueryError(
      "the query has \(bytes.count) bytes, at most \(QuerySyntax.longestQuery) are read",
      query: String(decoding: bytes[..<end], as: UTF8.self) + "…", range: 0..<end)
  }
}
