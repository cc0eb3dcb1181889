package import NoteIndex
import Notes
package import SlipboxCore
import Text

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

  /// What the two have in common, such as `both link to Bread; tags food; words levain, starter`.
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
