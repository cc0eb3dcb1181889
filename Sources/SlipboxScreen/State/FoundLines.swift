import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Synchronization
import Text

/// The lines of notes with the words that were looked for. Each is looked up once.
///
/// Safe for several threads.
final class FoundLines: Sendable {
  private let query: Query
  private let matches: [Match]
  private let snapshot: BoxSnapshot
  private let known = Mutex<[Int: [Snippet]]>([:])

  /// How many notes are looked at to see whether any text has the words.
  private static let sample = 50

  /// Fails for a query without words, and if the words are in titles alone.
  init?(_ query: Query, _ matches: [Match], in snapshot: BoxSnapshot) {
    guard query.hasText else { return nil }
    (self.query, self.matches, self.snapshot) = (query, matches, snapshot)
    guard matches.indices.prefix(Self.sample).contains(where: { !snippets(ofRow: $0).isEmpty }) else {
      return nil
    }
  }

  /// What is shown under a row of the list; nil if its text has none of the words.
  func line(ofRow row: Int, _ display: Display) -> String? { snippets(ofRow: row).first?.shown(display) }

  private func snippets(ofRow row: Int) -> [Snippet] {
    guard matches.indices.contains(row) else { return [] }
    if let found = known.withLock({ $0[row] }) { return found }
    // A text that can't be read has no line to show; the preview says why.
    let found = (try? snapshot.withSnippets([matches[row]], of: query))?.first?.snippets ?? []
    known.withLock { $0[row] = found }
    return found
  }

  /// The words of a note as they stand in its text, folded.
  func words(of entry: Entry) -> Set<String> {
    guard let row = matches.firstIndex(where: { $0.entries.path(at: $0.place) == entry.note.path }) else {
      return []
    }
    let words = snippets(ofRow: row).flatMap { snippet in
      snippet.highlights.map { Folding.fold(String(decoding: Array(snippet.text.utf8)[$0], as: UTF8.self)) }
    }
    return Set(words.filter { !$0.isEmpty })
  }
}

extension CellLine {
  /// Marks words in a line of a note, and says whether it has any.
  ///
  /// - Parameter words: folded words.
  /// - Complexity: O(n m) in the cells and the letters of the words.
  static func mark(_ words: Set<String>, in line: inout [Cell]) -> Bool {
    let letters = line.map { Folding.fold($0.text) }
    var isFound = false
    for word in words {
      for start in letters.indices where word.hasPrefix(letters[start]) && !letters[start].isEmpty {
        var (end, rest) = (start, word[...])
        while end < letters.count, !rest.isEmpty, rest.hasPrefix(letters[end]) {
          rest = rest.dropFirst(letters[end].count)
          end += 1
        }
        guard rest.isEmpty else { continue }
        for place in start..<end { line[place].style.attributes.insert([.bold, .underline]) }
        isFound = true
      }
    }
    return isFound
  }
}
