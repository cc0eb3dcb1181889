package import Notes

/// Tells the kinds of notes: their own, or those whose `match:` query fits them.
package struct KindMatcher: Sendable {
  /// The faults in the queries that kinds declare; `key` is `match` or `active`.
  ///
  /// A `match:` that can't be read fits no note; a kind whose `active:` can't be read is always active.
  package let problems: [(kind: String, key: String, error: QueryError)]
  private let queries: [KindQuery]

  /// Reads the queries of a schema.
  package init(_ schema: Schema, clock: ClockReading) {
    var problems: [(kind: String, key: String, error: QueryError)] = []
    var queries: [KindQuery] = []
    for kind in schema.kinds {
      guard let match = kind.match else { continue }
      do throws(QueryError) {
        queries.append(try KindQuery(match, of: kind.name, .match, schema, clock: clock))
      } catch {
        problems.append((kind.name, KindQuery.Purpose.match.rawValue, error))
      }
    }
    let active = ActiveTest(schema: schema, clock: clock).problems
    self.problems = problems + active.map { ($0.kind, KindQuery.Purpose.active.rawValue, $0.error) }
    self.queries = queries
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
