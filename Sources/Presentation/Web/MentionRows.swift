package import NoteIndex
import Notes
package import SlipboxCore

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

  /// A row a mention with tabs between its columns: the note that holds it, its line, the name as it stands there, the note
  /// that is named, the title of the note that holds it, and the sentence around it.
  package func rows(_ style: Style) -> [String] {
    notes.flatMap { note in
      note.mentions.map { text, snippet in
        SentenceRow(source: entries[note.place], line: snippet.line, what: text, target: target.name, snippet)
          .text(style)
      }
    }
  }

  /// The notes as a terminal shows what a search found.
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
