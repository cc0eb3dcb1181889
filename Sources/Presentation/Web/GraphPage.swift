import Bytes
import NoteIndex
import Notes
package import SlipboxCore

/// A graph as a page of its own: one file of HTML without external resources.
///
/// Content of notes is data, which the script inserts as text; the page's own policy allows no other script or style.
package struct GraphPage {
  /// The parts of the page that a site replaces.
  struct Frame {
    /// The address of the front page.
    let home: String
    /// The note at a place as the site shows it.
    let node: (_ place: Int) -> Node
  }

  /// A note as a site shows it.
  struct Node {
    let title: String
    let kind: String
    let day: String
    let tags: [String]
    let aliases: [String]

    init(title: String, kind: String, day: String, tags: [String], aliases: [String]) {
      (self.title, self.kind, self.day, self.tags, self.aliases) = (title, kind, day, tags, aliases)
    }

    init(_ entry: Entry) {
      self.init(
        title: entry.note.title, kind: entry.kind, day: entry.created.civilDate.description,
        tags: entry.note.tags, aliases: entry.note.aliases)
    }
  }

  private let graph: WebGraph
  private let title: String
  private let address: (_ place: Int) -> String?
  private let frame: Frame?

  /// - Parameters:
  ///   - title: the title of the page.
  ///   - root: the absolute folder of the box, for links that open notes; nil if they are of the past.
  package init(_ graph: WebGraph, title: String, root: [UInt8]?) {
    self.init(graph, title: title) { place in
      root.map { FileURL.text(BytePath.join($0, graph.entries.path(at: place))) }
    }
  }

  /// - Parameter address: the address of the note at a place of the catalogue; nil if there is none.
  init(
    _ graph: WebGraph, title: String, _ frame: Frame? = nil, address: @escaping (_ place: Int) -> String?
  ) {
    self.frame = frame
    self.graph = graph
    self.title = title
    self.address = address
  }

  /// The file.
  package func bytes() -> [UInt8] {
    Array(Self.head(title, home: frame?.home).utf8) + data() + Array(Self.end.utf8)
  }

  private static func head(_ title: String, home: String?) -> String {
    let heading = MarkupText.escaped(title)
    let linked = home.map { "<a href=\"\(MarkupText.escaped($0))\">\(heading)</a>" } ?? heading
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy(inSite: home != nil))">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(heading)</title>
      <style>\(GraphPageStyle.css)</style>
      </head>
      <body>
      \(home == nil ? "" : "<noscript><p><a href=\"notes.html\">Notes</a> (the graph needs JavaScript)</p></noscript>\n")<section aria-label="Graph">
      <canvas id="graph" role="img" aria-label="Notes and the connections between them; the search finds each of them"></canvas>
      </section>
      <main id="tools" class="box">
      <h1 id="\(home == nil ? "heading" : "home")">\(linked)</h1>
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

  /// Only this script and this style, by their sums, and the scripts of the site that it is part of; nothing from elsewhere.
  private static func policy(inSite: Bool) -> String {
    "default-src 'none'; script-src \(scriptSource)\(inSite ? " 'self'" : ""); "
      + "style-src '\(source(GraphPageStyle.css))'; base-uri 'none'; form-action 'none'"
  }

  /// The script of the page as a source of a content security policy.
  package static let scriptSource = "'\(source(GraphPageScript.javaScript))'"

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
    let node = frame?.node(place) ?? Node(graph.entries[place])
    writer.object { writer in
      writer.member("title", node.title)
      if frame == nil {
        writer.member("path", bytes: graph.entries.path(at: place))
      } else {
        writer.member("path", node.title)
      }
      writer.member("kind", node.kind)
      writer.member("created", node.day)
      writer.key("tags")
      writer.strings(node.tags)
      if !node.aliases.isEmpty {
        writer.key("aliases")
        writer.strings(node.aliases)
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

/// The style of the page that shows a graph.
enum GraphPageStyle {
  static let css = """
    :root {
      color-scheme: light dark;
      --page: #fbfbf9; --panel: #ffffff; --ink: #22262a; --faint: #667079; --line: #d9dcdf;
      --node: #3f6f9f; --record: #8a6bb0; --chosen: #d2541b; --link: #8a949d; --accent: #2463a8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #16181b; --panel: #1f2226; --ink: #e6e8ea; --faint: #98a2ab; --line: #3a3f45;
        --node: #7fb0e0; --record: #b99be0; --chosen: #ff9a5c; --link: #6d7780; --accent: #8cc0ff;
      }
    }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body {
      background: var(--page); color: var(--ink); overflow: hidden;
      font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    }
    #heading { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
    #home { margin: 0 0 6px; font-size: 17px; line-height: 1.25; overflow-wrap: anywhere; }
    #home a { color: var(--accent); }
    canvas { position: fixed; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
    canvas.dragging { cursor: grabbing; }
    .box {
      position: fixed; background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
      box-shadow: 0 1px 6px rgb(0 0 0 / 12%);
    }
    #tools { top: 12px; left: 12px; width: min(320px, calc(100% - 24px)); padding: 10px; }
    #tools label { display: block; color: var(--faint); font-size: 13px; }
    #tools input[type="search"], #tools select {
      width: 100%; margin: 2px 0 8px; padding: 6px 8px; font: inherit; color: inherit; background: var(--page);
      border: 1px solid var(--line); border-radius: 6px;
    }
    #found { list-style: none; margin: -4px 0 8px; padding: 0; max-height: 40vh; overflow: auto; }
    #found button, #panel li button {
      display: block; width: 100%; padding: 3px 8px; border: 0; border-radius: 4px; text-align: left;
      font: inherit; color: inherit; background: none; cursor: pointer; overflow-wrap: anywhere;
    }
    #found button:hover, #panel li button:hover, #found button[aria-selected="true"] { background: var(--line); }
    #ways { margin: 0; padding: 0; list-style: none; max-height: 20vh; overflow: auto; }
    #ways label { display: flex; align-items: center; gap: 6px; color: var(--ink); }
    #ways i { flex: none; width: 18px; height: 3px; border-radius: 2px; }
    #count { margin: 8px 0 0; color: var(--faint); font-size: 13px; }
    #panel {
      top: 12px; right: 12px; bottom: 12px; width: min(340px, calc(100% - 24px)); padding: 14px 16px; overflow: auto;
    }
    #panel h1 { font-size: 19px; line-height: 1.25; margin: 0 28px 6px 0; overflow-wrap: anywhere; }
    #panel h2 { font-size: 13px; margin: 14px 0 2px; color: var(--faint); font-weight: 600; }
    #panel p { margin: 4px 0; overflow-wrap: anywhere; }
    #panel ul { list-style: none; margin: 0 -8px; padding: 0; }
    #panel small { color: var(--faint); }
    #panel a { color: var(--accent); }
    #tags button {
      margin: 0 4px 4px 0; padding: 1px 8px; font: inherit; font-size: 13px; color: inherit; cursor: pointer;
      background: var(--page); border: 1px solid var(--line); border-radius: 10px;
    }
    #close {
      position: absolute; top: 8px; right: 8px; width: 28px; height: 28px; border: 0; border-radius: 6px;
      background: none; color: var(--faint); font-size: 20px; line-height: 1; cursor: pointer;
    }
    #zoom { left: 12px; bottom: 12px; display: flex; }
    #zoom button { width: 34px; height: 34px; border: 0; background: none; color: inherit; font-size: 18px; cursor: pointer; }
    button:focus-visible, input:focus-visible, select:focus-visible, a:focus-visible {
      outline: 2px solid var(--accent); outline-offset: 1px;
    }
    @media (max-width: 600px) {
      #tools {
        top: 0; left: 0; right: 0; width: auto; padding: 8px 10px; border-radius: 0 0 8px 8px; border-width: 0 0 1px;
        display: grid; grid-template-columns: 1fr 1fr; gap: 0 10px; align-items: end;
      }
      #home, #found, #ways, #count { grid-column: 1 / -1; }
      #tools > label { grid-area: 2 / 1; }
      #search { grid-area: 3 / 1; }
      #by-tag { grid-area: 2 / 2 / 4 / 2; }
      #tools input[type="search"], #tools select { margin-bottom: 4px; }
      #ways { display: flex; flex-wrap: wrap; gap: 0 16px; }
      #count { margin: 2px 0 0; }
      #panel { top: auto; right: 8px; bottom: 8px; left: 8px; width: auto; max-height: 46%; z-index: 1; }
    }
    @media (pointer: coarse) {
      #tools input[type="search"], #tools select, #found button, #panel li button, #tags button, #ways label { min-height: 44px; }
      #ways input { width: 22px; height: 22px; }
      #close, #zoom button { width: 44px; height: 44px; }
    }
    [hidden] { display: none !important; }
    """
}

/// The address of a file on this machine.
package enum FileURL {
  /// The address of an absolute path; bytes that an address does not hold are percent-encoded.
  ///
  /// Source: RFC 8089, section 2; RFC 3986, section 2.3.
  package static func text(_ path: [UInt8]) -> String {
    let encoded = PercentEncoding.encoded(path) {
      PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/")
    }
    return "file://" + String(decoding: encoded, as: UTF8.self)
  }
}

/// The script of the page that shows a graph, in its parts: data, layout, drawing, input.
///
/// Content of notes is inserted into the page as text (`textContent`, `fillText`), never as markup.
enum GraphPageScript {
  static let javaScript = "\"use strict\";\n(() => {\n" + parts.joined(separator: "\n") + "})();"

  private static let parts = [
    PackageResources.graphdata_js, PackageResources.graphlayout_js, PackageResources.graphdrawing_js,
    PackageResources.graphpanel_js, PackageResources.graphreader_js,
  ].map { String(decoding: $0, as: UTF8.self) }
}
