import NoteIndex
import Notes
import SlipboxCore

/// A row for a pipe about a place in a note: the note, the line, what stands there, the note that is meant, the title, and the
/// sentence.
struct SentenceRow {
  private let cells: [String]
  private let snippet: Snippet

  init(source: Entry, line: Int, what: String, target: String, _ snippet: Snippet) {
    cells = [source.name, String(line), what, target, source.note.title]
    self.snippet = snippet
  }

  func text(_ style: Style) -> String {
    "\(NoteColumns.row(cells))\t\(snippet.shown(style).replacingTabs)"
  }
}

extension String {
  /// The text with blanks for tabs, which part columns.
  fileprivate var replacingTabs: String {
    String(decoding: utf8.map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
  }
}
