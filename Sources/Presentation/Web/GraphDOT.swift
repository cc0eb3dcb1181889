package import NoteIndex
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
  /// The fields with connections, in alphabetical order.
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

/// A graph in numbers, as lines.
package struct SummaryLines {
  private let summary: WebSummary
  private let entries: Entries

  package init(_ summary: WebSummary, _ entries: Entries) {
    self.summary = summary
    self.entries = entries
  }

  /// A row a number with tabs between its columns; of notes and groups the number, the name and the title.
  package func rows() -> [String] {
    let numbers = counts.map { "\($0.name)\t\($0.count)" }
    let linked = summary.mostLinked.map { row("linked", $0) }
    return numbers + linked + summary.groups.map { row("group", $0) }
  }

  private func row(_ name: String, _ note: WebSummary.Ranked) -> String {
    let entry = entries[note.place]
    return NoteColumns.row([name, String(note.count), entry.name, entry.note.title])
  }

  private var counts: [(name: String, count: Int)] {
    [("notes", summary.notes), ("links", summary.links)] + summary.fields.map { ("\($0.name):", $0.count) }
      + [
        ("orphans", summary.orphans), ("broken", summary.broken), ("ambiguous", summary.ambiguous),
        ("components", summary.groupCount),
      ]
  }

  /// The numbers, then the most linked notes and the largest groups.
  package func lines(_ display: Display) -> [String] {
    var table = Table(
      columns: [
        Table.Column(), Table.Column(alignment: .trailing, paint: display.style.bold),
      ], style: display.style, width: display.width)
    for (name, count) in counts { table.add([name, String(count)]) }
    return table.lines() + list("most linked", summary.mostLinked, display)
      + list("largest components, by one note each", summary.groups, display)
  }

  private func list(_ title: String, _ notes: [WebSummary.Ranked], _ display: Display) -> [String] {
    guard !notes.isEmpty else { return [] }
    let inner = display.indented
    let isAlone = notes.allSatisfy { entries[$0.place].note.id == nil }
    var table = Table(
      columns: [
        Table.Column(alignment: .trailing, paint: display.style.bold),
        RowLayout.name(inner.width, isAlone: isAlone) { display.style.dim($0) }, RowLayout.title,
      ], style: inner.style, width: inner.width)
    for note in notes {
      let entry = entries[note.place]
      table.add([String(note.count), entry.name, entry.note.title])
    }
    return ["", display.style.dim(title)] + table.lines().map { "  " + $0 }
  }
}
