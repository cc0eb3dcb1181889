import NoteIndex
import Notes
package import SlipboxCore
import Text

/// A graph in the language of Graphviz.
package struct GraphDOT {
  private static let colours = ["#c9820f", "#2f9e77", "#b3478f", "#5a7fd6", "#b0562b", "#6f9a21"]

  private let graph: WebGraph

  package init(_ graph: WebGraph) { self.graph = graph }

  /// The file: a node a note by its id or path with its title, an edge a connection; those of fields have colours and names.
  ///
  /// Source: "DOT Language", graphviz.org/doc/info/lang.html.
  package func bytes() -> [UInt8] {
    let fields = graph.fields
    var text = "digraph slipbox {\n  node [shape=box, style=rounded];\n  edge [color=\"#8a949d\"];\n"
    for place in graph.places {
      let entry = graph.entries[place]
      text += "  \(Self.quoted(entry.name)) [label=\(Self.label(entry.note.title))];\n"
    }
    for edge in graph.edges {
      text += "  \(name(edge.source)) -> \(name(edge.target))"
      if let field = edge.field {
        let colour = Self.colours[(fields.firstIndex(of: field) ?? 0) % Self.colours.count]
        text += " [color=\"\(colour)\", label=\(Self.label(field))]"
      }
      text += ";\n"
    }
    return Array((text + "}\n").utf8)
  }

  private func name(_ number: Int) -> String { Self.quoted(graph.entries[graph.places[number]].name) }

  /// A text between quotes: control characters are spelt out, quotes and backslashes are escaped.
  private static func quoted(_ text: String) -> String {
    let shown = Visible.escape(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(shown)\""
  }

  /// A label between quotes, in which an ampersand would begin an entity.
  private static func label(_ text: String) -> String { quoted(text.replacing("&", with: "&amp;")) }
}

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
