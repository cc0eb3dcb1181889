package import Notes

/// The kinds of notes: their own, or those whose `match:` query matches them.
package struct KindMatcher: Sendable {
  private let queries: [KindQuery]
  private let schema: Schema
  private let clock: ClockReading
  private let matchProblems: [KindQueryProblem]

  /// Reads the queries of a schema.
  package init(_ schema: Schema, clock: ClockReading) {
    var problems: [KindQueryProblem] = []
    var queries: [KindQuery] = []
    for kind in schema.kinds {
      guard let match = kind.match else { continue }
      do throws(QueryError) {
        queries.append(try KindQuery(match, of: kind.name, .match, schema, clock: clock))
      } catch {
        problems.append(KindQueryProblem(kind: kind.name, key: "match", error: error))
      }
    }
    matchProblems = problems
    self.schema = schema
    self.clock = clock
    self.queries = queries
  }

  /// The errors in the queries that kinds declare, found by parsing these.
  ///
  /// A `match:` with an error matches no note. A kind with an error in `active:` is always open, one with an error in
  /// `waiting:` is never put off. An urgency term with an error counts nothing.
  package var problems: [KindQueryProblem] {
    // Those of the built-in kinds are as they should be.
    guard schema.kinds.contains(where: { Schema.builtIn.kind(named: $0.name) != $0 }) else { return [] }
    return matchProblems + ActiveTest(schema: schema, clock: clock).problems
      + UrgencyMeter(schema, clock: clock).problems
  }

  /// Whether a note that names no kind may count as another one than "note".
  package var mayMatch: Bool { !queries.isEmpty }

  /// Returns the kind of a note: its own `kind:`, else the first kind in the schema's order whose `match:` matches it,
  /// else "note".
  ///
  /// - Complexity: O(1) if no kind has `match:`.
  package func kind(of note: Note, created: Timestamp) -> String {
    guard !queries.isEmpty, note.lacks("kind") else { return note.kind }
    let entry = Entry(note: note, created: created)
    return queries.first { $0.holds(for: entry) }?.kind ?? note.kind
  }
}

extension KindQuery {
  /// Reads a query of a kind.
  ///
  /// Only the built-in filters are known to it: a kind is shared with the box, a user's filters are not.
  /// - Throws: `QueryError` also for what such a query can't ask.
  init(_ text: String, of kind: String, _ purpose: Purpose, _ schema: Schema, clock: ClockReading)
    throws(QueryError)
  {
    // The properties of a note before its kind is known do not depend on any kind.
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
    if purpose == .urgency, query.hasText {
      return "words can't be searched here: that would read every note"
    }
    if query.asksModified { return "modified: can't be used here" }
    if !query.sort.isEmpty { return "sort: can't be used here" }
    if query.limit != nil { return "limit: can't be used here" }
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
  /// Reads the terms of a schema. Terms that test dependencies match nothing before a catalogue has answered them.
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
