/// Finds the intended word for a mistyped one.
package enum Spelling {
  /// Longer words are not compared.
  private static let longestWord = 64

  /// Returns the candidate nearest to `word`, nil when none is near; the first of several equally near.
  ///
  /// Near is one slip of the finger (a letter too many, too few, wrong, or two swapped), two in words of more
  /// than four letters; a candidate that begins with the word; and one that begins with all but its last letter, in words
  /// of more than five (`category` for `categories`). Case and diacritics do not count.
  /// - Complexity: O(n · m²) for n candidates and words of m letters, at most 64.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = Array(Folding.fold(word).unicodeScalars)
    guard !letters.isEmpty && letters.count <= longestWord else { return nil }
    let limit = letters.count > 4 ? 2 : 1
    var nearest: (candidate: String, distance: Int)?
    for candidate in candidates {
      let other = Array(Folding.fold(candidate).unicodeScalars)
      guard other.count <= longestWord else { continue }
      let isPrefix = letters.count > 1 && other.starts(with: letters)
      let isStem = letters.count > 5 && other.starts(with: letters.dropLast())
      let distance = min(
        isPrefix ? 1 : isStem ? 2 : .max, self.distance(letters, other, limit: limit))
      if distance <= limit && distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
    }
    return nearest?.candidate
  }

  /// Returns the candidate that one slip of the finger makes of a word, or that the word begins; nil for none.
  ///
  /// For refusals, where `nearest` would be far-fetched. In words of four letters or fewer the first letter is right, and
  /// no letter is another one: `dune` is no `done`. Two letters begin nothing. Case and diacritics do not count.
  package static func slip(of word: String, among candidates: [String]) -> String? {
    let letters = Array(Folding.fold(word).unicodeScalars)
    guard !letters.isEmpty && letters.count <= longestWord else { return nil }
    return candidates.first { candidate in
      let other = Array(Folding.fold(candidate).unicodeScalars)
      guard other.count <= longestWord, !other.isEmpty else { return false }
      if letters.count > 2, other.starts(with: letters) { return true }
      guard distance(letters, other, limit: 1) <= 1 else { return false }
      guard min(letters.count, other.count) <= 4 else { return true }
      let isSwapped = letters.sorted { $0.value < $1.value } == other.sorted { $0.value < $1.value }
      return letters[0] == other[0] && (letters.count != other.count || isSwapped)
    }
  }

  /// Returns the candidate that differs from a word of four letters in one of them; nil for none. Case and diacritics do not
  /// count.
  package static func replacement(of word: String, among candidates: [String]) -> String? {
    let letters = Array(Folding.fold(word).unicodeScalars)
    guard letters.count == 4 else { return nil }
    return candidates.first { candidate in
      let other = Array(Folding.fold(candidate).unicodeScalars)
      return other.count == 4 && zip(letters, other).count { $0 != $1 } == 1
    }
  }

  /// Returns the edit distance of two words, or more than `limit`.
  ///
  /// Source: Damerau, "A technique for computer detection and correction of spelling errors", 1964 (the optimal string
  /// alignment form).
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], limit: Int) -> Int {
    guard abs(a.count - b.count) <= limit, !a.isEmpty, !b.isEmpty else { return .max }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var row = last
    for i in 1...a.count {
      row[0] = i
      for j in 1...b.count {
        let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(substitution, last[j] + 1, row[j - 1] + 1)
        if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[b.count]
  }
}

extension String {
  /// The word after its indefinite article: `a task`, `an issue`.
  package var withArticle: String {
    let isVowel = unicodeScalars.first.map { "aeiouAEIOU".unicodeScalars.contains($0) } ?? false
    return isVowel ? "an \(self)" : "a \(self)"
  }
}
