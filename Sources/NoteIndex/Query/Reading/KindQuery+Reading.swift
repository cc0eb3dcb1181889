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
    if let fault = Self.fault(in: query, purpose) {
      throw QueryError(fault, query: text, range: 0..<text.utf8.count)
    }
  }

  private static func fault(in query: Query, _ purpose: Purpose) -> String? {
    if purpose == .urgency, query.hasText { return "it can't search text: that would read every note" }
    if query.asksModified { return "it can't use modified:" }
    if !query.sort.isEmpty { return "it can't have sort:" }
    if query.limit != nil { return "it can't have limit:" }
    return nil
  }
}

extension ActiveTest {
  /// Reads the queries of a schema.
  package init(_ question: Question = .active, schema: Schema, clock: ClockReading) {
    var problems: [KindQueryProblem] = []
    var queries: [KindQuery.Purpose: [KindQuery]] = [:]
    for kind in schema.kinds {
      for (purpose, text) in [(KindQuery.Purpose.active, kind.active), (.waiting, kind.waiting)] {
        guard let text else { continue }
        do throws(QueryError) {
          queries[purpose, default: []].append(
            try KindQuery(text, of: kind.name, purpose, schema, clock: clock))
        } catch {
          problems.append(KindQueryProblem(kind: kind.name, key: purpose.rawValue, error: error))
        }
      }
    }
    self.init(
      question, open: queries[.active] ?? [], waiting: queries[.waiting] ?? [], schema, problems: problems)
  }
}

extension UrgencyMeter {
  /// Reads the terms of a schema; those that ask for what blocks find nothing before a catalogue has answered them.
  init(_ schema: Schema, clock: ClockReading) {
    var tests: [String: [Test]] = [:]
    var problems: [KindQueryProblem] = []
    for kind in schema.kinds {
      for (index, term) in kind.urgency.enumerated() {
        do throws(QueryError) {
          let query = try KindQuery(term.query, of: kind.name, .urgency, schema, clock: clock)
          tests[kind.name, default: []].append(Test(term: term, node: query.node))
        } catch {
          problems.append(KindQueryProblem(kind: kind.name, key: "urgency", index: index, error: error))
        }
      }
    }
    self.init(tests, open: ActiveTest(.open, schema: schema, clock: clock), problems: problems)
  }
}
