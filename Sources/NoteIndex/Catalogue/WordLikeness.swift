import Bytes
import Notes
import Text

/// The notes that have rare words of one note, and how alike they are by these.
package struct WordLikeness: Sendable {
  /// The rare words of the note as it spells them, in lower case, the most significant first.
  package let words: [String]
  /// For each other note that has any of them, by its place: its likeness, from 0 to 1, and the numbers of the words.
  package let notes: [Int: (likeness: Double, words: [Int])]
}

extension Catalogue {
  /// Finds for each of some words that no note has a similar word of the notes; nil if no word is similar.
  ///
  /// - Complexity: linear in the number of different words of the notes.
  package func nearWords(of words: [String], executor: ParallelExecutor? = nil) -> [String?] {
    let answers = TextAnswers(entries, executor)
    return words.map { word in
      let letters = Array(Folding.fold(word).utf8)
      guard answers.frequencies(of: [letters]) == [0] else { return nil }
      let known = answers.words(like: letters).map { String(decoding: $0, as: UTF8.self) }
      return Spelling.slip(of: word, among: known.filter { $0.unicodeScalars.count > 2 })
    }
  }

  /// So many words of a note are compared.
  private static let mostWords = 24
  /// A word in more than this percentage of the notes is not significant.
  private static let commonPercent = 10
  private static let shortestWord = 4

  /// Finds the notes that have rare words in common with the note at a place.
  ///
  /// Rare words are frequent in the note and occur in few others. Likeness is the rank of a note in a search for all of
  /// them, relative to the rank of the note itself.
  /// - Complexity: a search for that many words.
  package func likeness(at place: Int, executor: ParallelExecutor? = nil) -> WordLikeness {
    let answers = TextAnswers(entries, executor)
    let counted = Self.words(of: entries[place].note)
    let most = max(3, entries.count * Self.commonPercent / 100)
    let frequencies = answers.frequencies(of: counted.map { $0.folded })
    var rated: [(word: Int, weight: Double)] = []
    for (number, frequency) in frequencies.enumerated() where (2...most).contains(frequency) {
      let rarity = Double(entries.count) / Double(frequency)
      rated.append((number, Double(min(counted[number].count, 8)).squareRoot() * CLibrary.logarithm(rarity)))
    }
    rated.sort { $0.weight == $1.weight ? $0.word < $1.word : $0.weight > $1.weight }
    let chosen = rated.prefix(Self.mostWords).map { counted[$0.word] }
    let terms = chosen.compactMap { word in
      WordPattern(word.folded, isPrefix: false).map { TextTerm(scope: .anywhere, pattern: .words($0)) }
    }
    guard terms.count == chosen.count, !terms.isEmpty else { return WordLikeness(words: [], notes: [:]) }
    let scores = answers.scores(by: terms)
    let own = scores[place]
    var notes: [Int: (likeness: Double, words: [Int])] = [:]
    for (number, term) in terms.enumerated() {
      for other in answers.places(of: term) where other != place {
        notes[other, default: (own > 0 ? min(1, scores[other] / own) : 0, [])].words.append(number)
      }
    }
    return WordLikeness(words: chosen.map(\.shown), notes: notes)
  }

  /// Returns the words of a note's title and running text, in the order of their first occurrence, each with its number
  /// of occurrences.
  private static func words(of note: Note) -> [(folded: [UInt8], shown: String, count: Int)] {
    var words: [(folded: [UInt8], shown: String, count: Int)] = []
    var numbers: [[UInt8]: Int] = [:]
    let text = note.textOrEmpty
    let add = { (bytes: ArraySlice<UInt8>) in
      Words.forEach(in: bytes) { range in
        let folded = Folding.fold(bytes[range])
        if let number = numbers[folded] {
          words[number].count += 1
        } else if isTelling(bytes[range]) {
          numbers[folded] = words.count
          words.append((folded, String(decoding: bytes[range], as: UTF8.self).lowercased(), 1))
        }
      }
    }
    add(Array(note.title.utf8)[...])
    for range in Prose(of: text).ranges { add(text.bytes[range]) }
    return words
  }

  /// Whether a word is long enough to be significant, and is not a number.
  private static func isTelling(_ word: ArraySlice<UInt8>) -> Bool {
    let isLong = word.count >= shortestWord || word.contains { $0 >= 0xE3 }
    return isLong && word.count < ScannedWord.longest
      && !word.allSatisfy { $0 < 0x41 || $0 == UInt8(ascii: "_") }
  }
}
