package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// A note as a line that people choose among others.
package struct OfferedNote: Sendable {
  /// How the note is named in a command: its id, or its path.
  package let name: [UInt8]
  /// Day, title, state and tags, without control characters.
  package let text: String
  /// The note as it is named after the choice.
  package let echo: String

  /// The lines of some notes.
  package static func lines(
    _ entries: [Entry], _ snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [OfferedNote] {
    let states = RecordStates(snapshot.schema(), clock: snapshot.clock, try snapshot.catalogue())
    return entries.map { OfferedNote($0, states.state(of: $0).word) }
  }

  private init(_ entry: Entry, _ state: String) {
    let note = entry.note
    name = note.id?.bytes ?? note.path
    let parts =
      [entry.created.civilDate.description, note.title, state] + note.tags.map { "#" + $0 }
    text = Visible.escape(parts.filter { !$0.isEmpty }.joined(separator: "  "))
    echo = "\(note.shownName)  \(Visible.escape(note.title))"
  }
}
