package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// Links that lead to nothing, or to several notes, as rows and as JSON.
package struct BrokenRows {
  private let entries: Entries
  /// In the order of the notes that hold them, each with the name that it almost has.
  private let links: [(link: Connection, near: String?)]

  package init(_ entries: Entries, _ links: [(link: Connection, near: String?)]) {
    self.entries = entries
    self.links = links
  }

  /// A row a link with tabs between its columns: the note that holds it, its line, `broken` or `ambiguous`, how it is written,
  /// the target, and the notes that fit, or the nearest name.
  package func rows() -> [String] {
    let sources = notes()
    return links.map { link, near in
      NoteColumns.row([
        sources[link.source]?.name ?? "", String(link.line), link.sort, link.way, link.text,
        near ?? link.title(in: entries),
      ])
    }
  }

  /// The links of each note under its row.
  package func table(_ presenter: NotePresenter, _ display: Display) throws(SlipboxError) -> [String] {
    let places = sources()
    let rows = try presenter.rows(of: places.map { entries[$0] }, display)
    let groups = Dictionary(grouping: links) { $0.link.source }
    return zip(places, rows).flatMap { place, row in
      [row] + (groups[place] ?? []).map { "  " + line($0.link, $0.near, display.indented) }
    }
  }

  private func line(_ link: Connection, _ near: String?, _ display: Display) -> String {
    let style = display.style
    let number = "\(link.line):"
    let (text, remark) = (Visible.escape(Self.written(link)), Visible.escape(remark(link, near)))
    let room = display.width.map { max(1, $0 - number.utf8.count - 1) } ?? .max
    let shown = CellWidth.truncate(text, to: room, mark: style.ellipsis)
    let left = room - CellWidth.of(shown) - 2
    let rest = left > 8 ? CellWidth.truncate(remark, to: left, mark: style.ellipsis) : ""
    return style.dim(number) + " " + style.red(shown) + (rest.isEmpty ? "" : "  " + style.dim(rest))
  }

  private static func written(_ link: Connection) -> String {
    switch link.form {
    case .wiki: "[[\(link.text)]]"
    case .embed: "![[\(link.text)]]"
    case nil: "\(link.way) \(link.text)"
    default: "(\(link.text))"
    }
  }

  private func remark(_ link: Connection, _ near: String?) -> String {
    if case .ambiguous(let places) = link.target {
      return
        "matches \(Count.notes(places.count)): \(places.map { entries[$0].name }.joined(separator: ", "))"
    }
    if let missing = link.missing { return "no such \(missing.isBlock ? "block" : "heading")" }
    return near.map { "did you mean \($0)?" } ?? ""
  }

  /// The places of the notes that hold the links, each once.
  package func sources() -> [Int] {
    var seen: Set<Int> = []
    return links.map(\.link.source).filter { seen.insert($0).inserted }
  }

  /// The notes that hold the links, by their places; each is read once.
  private func notes() -> [Int: Entry] {
    Dictionary(uniqueKeysWithValues: sources().map { ($0, entries[$0]) })
  }

  /// One object with the links.
  package func json() -> [UInt8] {
    let sources = notes()
    return JSONDocument.list("links", links) { link, writer in
      link.link.write(in: entries, to: &writer) { writer in
        writer.key("note")
        writer.object { writer in
          if let source = sources[link.link.source] { writer.names(of: source.note) }
        }
        writer.member("near", link.near)
      }
    }
  }
}
