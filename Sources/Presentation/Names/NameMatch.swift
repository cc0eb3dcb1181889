/// A note that fits what was typed, with the name that does.
package struct NameMatch: Sendable {
  /// How the name fits, the best first.
  package enum Fit: Int, Sendable {
    case whole, beginning, word, letters
  }

  /// What the name is to the note, the best first.
  package enum Use: Int, Sendable {
    case title, alias, file, id
  }

  package let note: NamedNote
  package let name: String
  package let fit: Fit
  package let use: Use

  /// Whether it stands before another in a list: newer notes first, and in the end by path.
  package func precedes(_ other: NameMatch) -> Bool {
    let (own, others) = ((fit.rawValue, use.rawValue), (other.fit.rawValue, other.use.rawValue))
    if own != others { return own < others }
    if note.created != other.note.created { return note.created > other.note.created }
    return note.path.lexicographicallyPrecedes(other.note.path)
  }
}
