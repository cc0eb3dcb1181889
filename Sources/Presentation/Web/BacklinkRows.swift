package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// The notes that link or refer to notes, as rows and as JSON.
package struct BacklinkRows {
  private let entries: Entries
  private let notes: [(place: Int, linking: [ConnectedNote])]

  package init(_ entries: Entries, _ notes: [(place: Int, linking: [ConnectedNote])]) {
    self.entries = entries
    self.notes = notes
  }

  /// A row a link with tabs between its columns: the note that holds it, its line, how it is written, the note that it
  /// leads to, the title of the note that holds it, and the sentence around it.
  package func rows(_ style: Style) -> [String] {
    notes.flatMap { place, linking in
      linking.flatMap { note in
        zip(note.connections, note.snippets).map { connection, snippet in
          SentenceRow(
            source: entries[note.place], line: connection.line, what: connection.way,
            target: entries[place].name,
            snippet
          ).text(style)
        }
      }
    }
  }

  /// The notes of each list as a terminal shows search results; of several lists under the titles of the linked notes.
  package func table(_ presenter: NotePresenter, _ display: Display) throws(SlipboxError) -> [String] {
    var lines: [String] = []
    for (place, linking) in notes {
      if notes.count > 1 { lines.append(display.style.bold(Visible.escape(entries[place].note.title))) }
      let matches = linking.map { Match(entries, $0.place, snippets: Snippet.joined($0.snippets)) }
      let inner = notes.count > 1 ? display.indented : display
      let rows = try NoteList(presenter, .rows, isSearch: true, display: inner).table(matches, kind: nil)
      lines += notes.count > 1 ? rows.map { "  " + $0 } : rows
    }
    return lines
  }

  /// The notes that link, each once.
  package func sources() -> [Entry] {
    var seen: Set<Int> = []
    return notes.flatMap(\.linking).map(\.place).filter { seen.insert($0).inserted }.map { entries[$0] }
  }

  /// One object with the notes and those that link to them.
  package func json() -> [UInt8] {
    JSONDocument.list("notes", notes) { note, writer in
      writer.object { writer in
        writer.names(of: entries[note.place].note)
        writer.member("backlinks", of: note.linking) { write($0, to: &$1) }
      }
    }
  }

  private func write(_ note: ConnectedNote, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.names(of: entries[note.place].note)
      writer.member("links", of: zip(note.connections, note.snippets)) { link, writer in
        writer.object { writer in
          writer.member("target", link.0.text)
          writer.member("form", link.0.form?.rawValue ?? "field")
          writer.member("line", link.0.line)
          writer.member("field", link.0.field)
          writer.member("sentence", link.1.text)
        }
      }
    }
  }
}

/// The notes that name a note without linking to it, as rows and as JSON.
package struct MentionRows {
  private let entries: Entries
  private let target: Entry
  private let notes: [MentioningNote]

  package init(_ entries: Entries, of target: Entry, _ notes: [MentioningNote]) {
    self.entries = entries
    self.target = target
    self.notes = notes
  }

  /// A row a mention with tabs between its columns: the note with the mention, its line, the name as it is written, the
  /// mentioned note, the title of the note with the mention, and the sentence around it.
  package func rows(_ style: Style) -> [String] {
    notes.flatMap { note in
      note.mentions.map { text, snippet in
        SentenceRow(source: entries[note.place], line: snippet.line, what: text, target: target.name, snippet)
          .text(style)
      }
    }
  }

  /// The notes as a terminal shows search results.
  package func table(_ presenter: NotePresenter, _ display: Display) throws(SlipboxError) -> [String] {
    let matches = notes.map { Match(entries, $0.place, snippets: Snippet.joined($0.mentions.map(\.snippet))) }
    return try NoteList(presenter, .rows, isSearch: true, display: display).table(matches, kind: nil)
  }

  /// One object with the note and those that name it.
  package func json() -> [UInt8] {
    JSONDocument.object { writer in
      writer.key("note")
      writer.object { $0.names(of: target.note) }
      writer.member("mentions", of: notes) { note, writer in
        writer.object { writer in
          writer.names(of: entries[note.place].note)
          writer.member("places", of: note.mentions) { mention, writer in
            writer.object {
              $0.member("line", mention.snippet.line)
              $0.member("text", mention.text)
              $0.member("sentence", mention.snippet.text)
            }
          }
        }
      }
    }
  }
}

/// A row for a pipe about a place in a note: the note, the line, the text at the place, the target note, the title, and the
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

extension Snippet {
  /// Snippets without duplicate sentences; each has all highlights of the duplicates.
  static func joined(_ snippets: [Snippet]) -> [Snippet] {
    var joined: [Snippet] = []
    for snippet in snippets {
      guard let last = joined.last, last.line == snippet.line, last.text.utf8.elementsEqual(snippet.text.utf8)
      else {
        joined.append(snippet)
        continue
      }
      let marks = (last.highlights + snippet.highlights).sorted { $0.lowerBound < $1.lowerBound }
      joined[joined.count - 1] = Snippet(line: last.line, text: last.text, highlights: marks)
    }
    return joined
  }
}

/// The notes that have much in common with a note, each with the reason, as rows and as JSON.
package struct RelatedRows {
  /// So many of each are named in a reason.
  private static let mostNamed = 5

  private let entries: Entries
  private let target: Entry
  private let notes: [RelatedNote]

  package init(_ entries: Entries, to target: Entry, _ notes: [RelatedNote]) {
    self.entries = entries
    self.target = target
    self.notes = notes
  }

  /// A row a note with tabs between its columns: its name, the score, its title and the reason.
  package func rows() -> [String] {
    notes.map { note in
      let entry = entries[note.place]
      return NoteColumns.row([entry.name, Self.score(note), entry.note.title, reason(note)])
    }
  }

  /// A row a note as lists have it, and under it the reason.
  package func table(_ presenter: NotePresenter, _ display: Display) throws(SlipboxError) -> [String] {
    let rows = try presenter.rows(of: notes.map { entries[$0.place] }, display)
    let style = display.style
    return zip(rows, notes).flatMap { row, note in
      let text = Visible.escape(reason(note))
      let room = display.width.map { max(1, $0 - 2) } ?? .max
      return [row, "  " + style.dim(CellWidth.truncate(text, to: room, mark: style.ellipsis))]
    }
  }

  /// One object with the note and those that have much in common with it.
  package func json() -> [UInt8] {
    JSONDocument.object { writer in
      writer.key("note")
      writer.object { $0.names(of: target.note) }
      writer.member("related", of: notes) { note, writer in
        writer.object { writer in
          writer.names(of: entries[note.place].note)
          writer.key("score")
          writer.double((note.score * 1_000).rounded() / 1_000)
          writer.member("linked", note.isConnected)
          write("both-link-to", note.bothLinkTo, &writer)
          write("both-linked-from", note.bothLinkedFrom, &writer)
          writer.key("tags")
          writer.strings(note.tags)
          writer.key("words")
          writer.strings(note.words)
        }
      }
    }
  }

  private func write(_ name: String, _ places: [Int], _ writer: inout JSONWriter) {
    writer.member(name, of: places) { place, writer in
      writer.object { $0.names(of: entries[place].note) }
    }
  }

  private static func score(_ note: RelatedNote) -> String {
    let thousandths = Int((note.score * 1_000).rounded())
    let rest = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// The similarities of the two notes, such as `both link to Bread; tags food; words levain, starter`.
  private func reason(_ note: RelatedNote) -> String {
    let parts = [
      note.isConnected ? "linked" : "",
      Self.part("both link to", note.bothLinkTo.map { entries[$0].note.title }),
      Self.part("both linked from", note.bothLinkedFrom.map { entries[$0].note.title }),
      Self.part(note.tags.count == 1 ? "tag" : "tags", note.tags),
      Self.part(note.words.count == 1 ? "word" : "words", note.words),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private static func part(_ name: String, _ texts: [String]) -> String {
    guard !texts.isEmpty else { return "" }
    let others = texts.count - mostNamed
    return "\(name) \(texts.prefix(mostNamed).joined(separator: ", "))"
      + (others > 0 ? " and \(others) more" : "")
  }
}
