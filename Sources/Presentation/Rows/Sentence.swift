/// Words put together as in a sentence.
package enum Sentence {
  /// Words with commas, and a conjunction before the last: `a, b and c`.
  package static func list(_ words: [String], _ conjunction: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}
