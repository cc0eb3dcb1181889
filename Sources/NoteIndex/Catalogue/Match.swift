/// A note that a query found.
package struct Match: Sendable {
  package let entry: Entry
  /// How well the note fits; 0 where nothing was ranked.
  package let score: Double
  /// Lines of the note with what was looked for, in their order; none where nothing was ranked.
  package let snippets: [Snippet]

  init(entry: Entry, score: Double = 0, snippets: [Snippet] = []) {
    self.entry = entry
    self.score = score
    self.snippets = snippets
  }
}

/// A part of a line with what was looked for in it.
package struct Snippet: Sendable, Equatable {
  /// The number of the line in the file, from 1.
  package let line: Int
  /// The line, cut where it is long, which `…` marks; not made safe for a terminal.
  package let text: String
  /// What was found, in order: UTF-8 offsets in `text`.
  package let highlights: [Range<Int>]
}
