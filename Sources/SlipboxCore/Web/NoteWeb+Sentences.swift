package import NoteIndex
import Notes
import Platform

/// A note that is connected to another one, with where and how.
package struct ConnectedNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  package let connections: [Connection]
  /// The sentence around each of them.
  package let snippets: [Snippet]
}

extension NoteWeb {
  /// Some connections by the notes that hold them, which stand together already, of so many notes at most.
  package func notes(holding connections: [Connection], most: Int?) -> [[Connection]] {
    var notes: [[Connection]] = []
    for connection in connections {
      if notes.last?.last?.source == connection.source {
        notes[notes.count - 1].append(connection)
      } else if notes.count < most ?? .max {
        notes.append([connection])
      } else {
        break
      }
    }
    return notes
  }

  /// The connections of some notes, each with the sentence around it.
  ///
  /// - Complexity: the texts of these notes are read, on several threads.
  package func sentences(of notes: [[Connection]]) -> [ConnectedNote] {
    concurrentMap(notes) { [entries] connections in
      let place = connections[0].source
      let sentences = SentenceFinder(entries[place].note.text)
      return ConnectedNote(
        place: place, connections: connections,
        snippets: connections.map { sentences.snippet(around: $0.range, line: $0.line) })
    }
  }
}
