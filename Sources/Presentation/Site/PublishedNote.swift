import NoteIndex
import Notes
import SlipboxCore

/// A note and its connections without what comments hold, which belong to nobody but the writer.
struct PublishedNote: Sendable {
  let entry: Entry
  let connections: [Connection]
  /// Whether there were comments.
  private let hadComments: Bool

  init(_ entry: Entry, _ connections: [Connection]) {
    let text = entry.note.text
    let comments = BodyComments.all(in: text)
    hadComments = !comments.isEmpty
    guard hadComments else {
      (self.entry, self.connections) = (entry, connections)
      return
    }
    let note = Note(path: entry.note.path, text: BodyComments.blanked(text))
    self.entry = Entry(note: note, created: entry.created, kind: entry.kind)
    self.connections = connections.filter { connection in
      connection.field != nil || !comments.contains { $0.overlaps(connection.range) }
    }
  }

  /// The note, if it has no comments any more.
  var uncommented: Entry? { hadComments ? entry : nil }
}
