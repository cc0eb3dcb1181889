/// The record that is made when one of its kind is done: the same again, with later dates.
package struct Succession: Sendable, Equatable {
  /// The field that says how often.
  package var by: String
  /// The dates that move; the first of them that a record has is the one that is counted from.
  package var moves: [String]
  /// The field with the last day on which it comes.
  package var until: String?
  /// The fields that the next record does not take over.
  package var clears: [String]

  package init(by: String, moves: [String], until: String? = nil, clears: [String] = []) {
    self.by = by
    self.moves = moves
    self.until = until
    self.clears = clears
  }
}
