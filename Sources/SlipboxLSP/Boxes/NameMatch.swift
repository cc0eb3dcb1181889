/// A note that fits what was typed, with the name that does.
struct NameMatch: Sendable {
  /// How the name fits, the best first.
  enum Fit: Int, Sendable {
    case whole, beginning, word, letters
  }

  /// What the name is to the note, the best first.
  enum Use: Int, Sendable {
    case title, alias, file, id
  }

  let note: NamedNote
  let name: String
  let fit: Fit
  let use: Use
  /// The place of the note among all, the newest first.
  let age: Int

  /// Whether it stands before another in a list.
  func precedes(_ other: NameMatch) -> Bool {
    (fit.rawValue, use.rawValue, age) < (other.fit.rawValue, other.use.rawValue, other.age)
  }
}
