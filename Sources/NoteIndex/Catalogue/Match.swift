/// A note that a query found.
package struct Match: Sendable {
  package let entries: Entries
  /// The place of the note in the catalogue.
  package let place: Int
  /// How well the note fits; 0 where nothing was ranked.
  package let score: Double
  /// Lines of the note with what was looked for, in their order; none where nothing was ranked.
  package let snippets: [Snippet]

  package init(_ entries: Entries, _ place: Int, score: Double = 0, snippets: [Snippet] = []) {
    self.entries = entries
    self.place = place
    self.score = score
    self.snippets = snippets
  }

  /// The entry, which may be made each time it is asked for.
  package var entry: Entry { entries[place] }
}

/// A part of a line with what was looked for in it.
package struct Snippet: Sendable, Equatable {
  /// The number of the line in the file, from 1.
  package let line: Int
  /// The line, cut where it is long, which `…` marks; not made safe for a terminal.
  package let text: String
  /// The matches, in order: UTF-8 offsets in `text`.
  package let highlights: [Range<Int>]

  package init(line: Int, text: String, highlights: [Range<Int>]) {
    self.line = line
    self.text = text
    self.highlights = highlights
  }
}
