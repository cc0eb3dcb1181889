/// A state of a record that follows from what its kind declares; `is:` asks for it.
package enum RecordStanding: String, Sendable, CaseIterable {
  /// Open, and put off to no later day.
  case active
  /// Open, and put off.
  case waiting
  /// Open, and it refers by a field that blocks to another open record.
  case blocked
  /// Open, and another open record refers to it so.
  case blocking

  /// The name by which rows and queries ask for it.
  package var term: String { "is:" + rawValue }

  /// Reads `is:waiting`.
  package init?(term: String) {
    guard let state = Self.allCases.first(where: { $0.term == term }) else { return nil }
    self = state
  }
}
