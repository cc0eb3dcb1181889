package import Notes

/// Tells the kinds of notes: their own, or those whose `match:` query fits them.
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

  /// The faults in the queries that kinds declare, which are read for it.
  ///
  /// A `match:` that can't be read fits no note, a kind whose `active:` can't be read is always open, one whose `waiting:`
  /// can't is never put off, and a term of urgency that can't be read counts nothing.
  package var problems: [KindQueryProblem] {
    // Those of the built-in kinds are as they should be.
    guard schema.kinds.contains(where: { Schema.builtIn.kind(named: $0.name) != $0 }) else { return [] }
    return matchProblems + ActiveTest(schema: schema, clock: clock).problems
      + UrgencyMeter(schema, clock: clock).problems
  }

  /// Whether a note that names no kind may count as another one than "note".
  package var mayMatch: Bool { !queries.isEmpty }

  /// Returns the kind that a note counts as: its own `kind:`, else the first one in the schema's order whose
  /// `match:` fits it, else "note".
  ///
  /// - Complexity: O(1) where no kind has `match:`.
  package func kind(of note: Note, created: Timestamp) -> String {
    guard !queries.isEmpty, note.lacks("kind") else { return note.kind }
    let entry = Entry(note: note, created: created)
    return queries.first { $0.holds(for: entry) }?.kind ?? note.kind
  }
}
