package import Notes

extension Query {
  /// Reads the arguments of a command: each is one term, or a query of several.
  ///
  /// A value goes on after a blank where the longest run of plain words makes one that the field, a record or a note
  /// has: `due:next week`, `group:The south wall`, `+Tag 1`. It does so wherever the term stands.
  /// - Parameters:
  ///   - schema: the kinds by which fields are compared, and that say which records are active.
  ///   - filters: queries that may be used as `@name`, beside the built-in ones, which go first.
  ///   - names: the names and values of the box, asked for where a value may go on after a blank.
  /// - Throws: `QueryError` with the place of the first fault.
  /// - Complexity: O(n); more than 65,536 bytes are refused.
  package static func parse(
    _ arguments: [String], clock: ClockReading, schema: Schema = .builtIn, filters: [String: String] = [:],
    names: @escaping () -> KnownNames? = { nil }
  ) throws(QueryError) -> Query {
    let context = QueryContext(clock: clock, schema: schema, filters: filters, names: names)
    return try parse(QueryArguments(arguments), context)
  }

  /// Reads a query that stands in one text, as in a filter.
  ///
  /// - Throws: `QueryError` with the place of the first fault.
  package static func parse(
    text: String, clock: ClockReading, schema: Schema = .builtIn, filters: [String: String] = [:],
    names: @escaping () -> KnownNames? = { nil }
  ) throws(QueryError) -> Query {
    try parse([text], clock: clock, schema: schema, filters: filters, names: names)
  }

  static func parse(_ arguments: QueryArguments, _ context: QueryContext) throws(QueryError) -> Query {
    let bytes = arguments.bytes
    guard bytes.count <= QuerySyntax.longestQuery else { throw tooLong(bytes) }
    do {
      let reader = QueryTermReader(context)
      var parser = QueryParser(bytes, try reader.tokens(of: arguments), reader)
      let root = try parser.parse()
      return Query(
        root: root, sort: parser.sort?.keys ?? [], limit: parser.limit?.count, schema: context.schema,
        source: QuerySource(text: bytes, filters: context.texts), clock: context.clock)
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
