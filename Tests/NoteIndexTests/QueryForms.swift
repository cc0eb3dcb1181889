import NoteIndex
import Notes
import Testing

/// The forms in which a query can be asked, all of which mean the same.
enum QueryForms {
  /// Asks a query in each form: as arguments, as one argument, in parentheses, as a saved filter, and as the text of a
  /// query.
  ///
  /// - Returns: what the arguments find, which each other form must find too.
  static func ask<Answer: Equatable>(
    _ arguments: [String], schema: Schema = .builtIn, filters: [String: String] = [:],
    names: @escaping () -> KnownNames? = { nil }, _ find: (Query) throws -> Answer
  ) throws -> Answer {
    let query = try Query.parse(arguments, clock: clock, schema: schema, filters: filters, names: names)
    let answer = try find(query)
    let text = arguments.joined(separator: " ")
    guard text.contains(where: { $0 != " " }) else { return answer }
    func same(_ arguments: [String]) throws {
      var filters = filters
      filters["the-same"] = text
      let other = try find(
        Query.parse(arguments, clock: clock, schema: schema, filters: filters, names: names))
      #expect(other == answer, "\(arguments) with @the-same as \(text)")
    }
    try same([text])
    #expect(
      try find(Query.parse(text: text, clock: clock, schema: schema, filters: filters, names: names))
        == answer,
      "\(text)")
    // An order and a limit go for a whole query alone.
    guard query.sort.isEmpty, query.limit == nil else { return answer }
    try same(["(\(text))"])
    try same(["(", text, ")"])
    try same(["@the-same"])
    try same(["NOT", "NOT (\(text))"])
    return answer
  }
}
