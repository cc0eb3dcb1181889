import Bytes
import NoteIndex
import Notes
package import SlipboxCore

/// A graph as a page of its own: one file of HTML that asks for nothing outside of it.
///
/// What notes say is data, which the script puts in as text; the page's own policy lets no other script or style run.
package struct GraphPage {
  private let graph: WebGraph
  private let title: String
  private let address: (_ place: Int) -> String?
  private let entry: (_ place: Int) -> Entry

  /// - Parameters:
  ///   - title: what the page is about.
  ///   - root: the absolute folder of the box, from which notes are opened; nil where they are of the past.
  package init(_ graph: WebGraph, title: String, root: [UInt8]?) {
    self.init(graph, title: title) { place in
      root.map { FileURL.text(BytePath.join($0, graph.entries.path(at: place))) }
    }
  }

  /// - Parameters:
  ///   - address: the address of the note at a place of the catalogue; nil where there is none.
  ///   - entry: the note at a place as it is shown; nil for the one of the catalogue.
  init(
    _ graph: WebGraph, title: String, entry: ((_ place: Int) -> Entry)? = nil,
    address: @escaping (_ place: Int) -> String?
  ) {
    self.entry = entry ?? { graph.entries[$0] }
    self.graph = graph
    self.title = title
    self.address = address
  }

  /// The file.
  package func bytes() -> [UInt8] {
    Array(Self.head(title).utf8) + data() + Array(Self.end.utf8)
  }

  private static func head(_ title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>\(MarkupText.escaped(title))</title>
    <style>\(GraphPageStyle.css)</style>
    </head>
    <body>
    <canvas id="graph" role="img" aria-label="Notes and the connections between them; the search finds each of them"></canvas>
    <main id="tools" class="box">
    <label for="search">Search, or press /</label>
    <input type="search" id="search" autocomplete="off" spellcheck="false" aria-controls="found">
    <ul id="found" aria-label="Notes found" hidden></ul>
    <div id="by-tag"><label for="tag">Tag</label><select id="tag"><option value="">all notes</option></select></div>
    <ul id="ways" aria-label="Connections shown"></ul>
    <p id="count" role="status"></p>
    </main>
    <aside id="panel" class="box" aria-label="Note" hidden>
    <button type="button" id="close" aria-label="Close">&times;</button>
    <h1 id="title"></h1>
    <p><small id="about"></small></p>
    <div id="tags"></div>
    <p><a id="file" target="_blank" rel="noopener noreferrer"></a></p>
    <h2 id="links-head"></h2><ul id="links"></ul>
    <h2 id="backlinks-head"></h2><ul id="backlinks"></ul>
    </aside>
    <div id="zoom" class="box">
    <button type="button" id="nearer" aria-label="Nearer">+</button>
    <button type="button" id="farther" aria-label="Farther">&minus;</button>
    <button type="button" id="whole" aria-label="All notes">&#9633;</button>
    </div>
    <script type="application/json" id="data">
    """
  }

  private static let end = "</script>\n<script>\(GraphPageScript.javaScript)</script>\n</body>\n</html>\n"

  /// Only this script and this style, by their sums; nothing from elsewhere.
  private static let policy =
    "default-src 'none'; script-src '\(source(GraphPageScript.javaScript))'; "
    + "style-src '\(source(GraphPageStyle.css))'; base-uri 'none'; form-action 'none'"

  private static func source(_ text: String) -> String {
    "sha256-" + Base64.encoded(SHA256.digest(of: Array(text.utf8)))
  }

  // MARK: Data

  /// The graph as JSON without any sign that HTML knows.
  private func data() -> [UInt8] {
    let ways = graph.fields
    let numbers = Dictionary(ways.enumerated().map { ($0.element, $0.offset + 1) }, uniquingKeysWith: { $1 })
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("nodes", of: graph.places) { write($0, to: &$1) }
      writer.member("edges", of: graph.edges) { edge, writer in
        writer.array(of: [edge.source, edge.target, edge.field.flatMap { numbers[$0] } ?? 0]) {
          $1.integer($0)
        }
      }
      writer.key("ways")
      writer.strings(["link"] + ways)
    }
    return Self.inert(writer.takeBytes())
  }

  private func write(_ place: Int, to writer: inout JSONWriter) {
    let entry = entry(place)
    writer.object { writer in
      writer.member("title", entry.note.title)
      writer.member("path", bytes: entry.note.path)
      writer.member("kind", entry.kind)
      writer.member("created", entry.created.civilDate.description)
      writer.key("tags")
      writer.strings(entry.note.tags)
      if !entry.note.aliases.isEmpty {
        writer.key("aliases")
        writer.strings(entry.note.aliases)
      }
      writer.member("url", address(place))
    }
  }

  /// JSON in which `<`, `>` and `&` are escaped, so that nothing in it ends or begins an element.
  private static func inert(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    for byte in json {
      switch byte {
      case UInt8(ascii: "<"): result += "\\u003c".utf8
      case UInt8(ascii: ">"): result += "\\u003e".utf8
      case UInt8(ascii: "&"): result += "\\u0026".utf8
      default: result.append(byte)
      }
    }
    return result
  }
}
