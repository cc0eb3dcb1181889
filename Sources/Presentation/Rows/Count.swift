/// Numbers with their nouns.
package enum Count {
  /// `1 note`, `2 notes`.
  package static func notes(_ count: Int) -> String { count == 1 ? "1 note" : "\(count) notes" }
}
