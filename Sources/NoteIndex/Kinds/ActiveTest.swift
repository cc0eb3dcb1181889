package import Notes

/// Tells which records are active, by the `active:` query of their kind.
package struct ActiveTest: Sendable {
  /// The kinds that have such a query.
  private let queries: [KindQuery]
  private let schema: Schema
  /// Queries that can't be read; their kinds are always active.
  let problems: [(kind: String, error: QueryError)]

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
    self.queries = queries
    self.schema = schema
    self.problems = problems
  }

  /// Says whether a record is active; one whose kind has no `active:`, and a plain note, always is.
  package func isActive(_ entry: Entry) -> Bool {
    guard let kind = schema.kind(named: entry.kind),
      let query = queries.first(where: { $0.kind.hasSameBytes(as: kind.name) })
    else { return true }
    return query.holds(for: entry)
  }
}
