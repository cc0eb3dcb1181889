import Notes

/// A query that a kind declares.
struct KindQuery: Sendable {
  /// Which of its queries it is.
  enum Purpose: String, Sendable { case active, waiting, match, urgency }

  let kind: String
  let node: QueryNode

  init(_ kind: String, _ node: QueryNode) {
    self.kind = kind
    self.node = node
  }

  /// Says whether the query asks for a note.
  func holds(for entry: Entry) -> Bool { node.matches(entry, modified: nil) }
}
