/// A note that has much in common with another one, and what that is.
package struct RelatedNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// How much they have in common: a sum of parts of at most 1 for links, tags and words.
  package let score: Double
  /// Whether one of the two links or refers to the other.
  package let isConnected: Bool
  /// The notes that both link or refer to, the most telling first.
  package let bothLinkTo: [Int]
  /// The notes that link or refer to both, the most telling first.
  package let bothLinkedFrom: [Int]
  /// The tags that both bear, the rarest first.
  package let tags: [String]
  /// The rare words that both hold, the most telling first.
  package let words: [String]
}
