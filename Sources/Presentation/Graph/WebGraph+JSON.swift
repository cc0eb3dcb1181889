import NoteIndex
import Notes
package import SlipboxCore

extension WebGraph {
  /// The fields in which connections stand, in alphabetical order.
  var fields: [String] { Set(edges.compactMap(\.field)).sorted() }

  /// One object with the notes and the connections between them.
  package func json() -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("nodes", of: places) { place, writer in
        let entry = entries[place]
        writer.object { writer in
          writer.names(of: entry.note)
          writer.member("kind", entry.kind)
          writer.key("tags")
          writer.strings(entry.note.tags)
        }
      }
      writer.member("edges", of: edges) { edge, writer in
        writer.object { writer in
          writer.member("source", bytes: entries.path(at: places[edge.source]))
          writer.member("target", bytes: entries.path(at: places[edge.target]))
          writer.member("field", edge.field)
          writer.member("count", edge.count)
        }
      }
    }
  }
}
