package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// The links of notes as rows and as JSON.
package struct LinkRows {
  private let entries: Entries
  /// The notes by their places, each with its links.
  private let notes: [(place: Int, links: [Connection])]

  package init(_ entries: Entries, _ notes: [(place: Int, links: [Connection])]) {
    self.entries = entries
    self.notes = notes
  }

  /// A row a link with tabs between its columns: its target, the type of the target, the note with the link, its
  /// line, the link as it is written, and the title.
  package func rows() -> [String] {
    let columns = NoteColumns(modified: nil)
    return notes.flatMap { place, links in
      let name = columns.known(NoteColumns.nameColumn, of: entries[place])
      return links.map { link in
        NoteColumns.row([
          link.name(in: entries), link.sort, name, String(link.line), link.way, link.title(in: entries),
        ])
      }
    }
  }

  /// A table a note; of several each under the title of its note.
  package func table(_ display: Display) -> [String] {
    notes.flatMap { place, links in
      guard notes.count > 1 else { return table(links, display) }
      let title = display.style.bold(Visible.escape(entries[place].note.title))
      return [title] + table(links, display.indented).map { "  " + $0 }
    }
  }

  private func table(_ links: [Connection], _ display: Display) -> [String] {
    let style = display.style
    let isAlone = links.compactMap(\.place).allSatisfy { entries[$0].note.id == nil }
    var way = RowLayout.fixed(leaves: 1)
    way.paint = style.dim
    var table = Table(
      columns: [
        Table.Column(alignment: .trailing, paint: style.dim), way,
        RowLayout.name(display.width, isAlone: isAlone) { style.bold($0) }, RowLayout.title,
      ], style: style, width: display.width)
    for link in links {
      table.add([Table.Cell(String(link.line)), Table.Cell(link.way)] + cells(link, style))
    }
    return table.lines()
  }

  private func cells(_ link: Connection, _ style: Style) -> [Table.Cell] {
    if link.missing != nil { return [Table.Cell("broken", paint: style.red), Table.Cell(link.text)] }
    return switch link.target {
    case .note(let place): [Table.Cell(entries[place].name), Table.Cell(link.title(in: entries))]
    case .file, .url: [Table.Cell(""), Table.Cell(link.name(in: entries), paint: style.dim)]
    case .broken: [Table.Cell("broken", paint: style.red), Table.Cell(link.text)]
    case .ambiguous(let places):
      [
        Table.Cell("ambiguous", paint: style.red),
        Table.Cell("\(link.text) (\(places.map { entries[$0].name }.joined(separator: ", ")))"),
      ]
    }
  }

  /// The paths of the notes and files that the links lead to, each once.
  package func paths() -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    return notes.flatMap(\.links).compactMap { link in
      let path: [UInt8]? =
        switch link.target {
        case .note(let place): entries.path(at: place)
        case .file(let path): path
        default: nil
        }
      return path.flatMap { seen.insert($0).inserted ? $0 : nil }
    }
  }

  /// The notes that the links lead to, each once.
  package func targets() -> [Entry] {
    var seen: Set<Int> = []
    return notes.flatMap(\.links).compactMap(\.place).filter { seen.insert($0).inserted }.map { entries[$0] }
  }

  /// One object with the notes and their links.
  package func json() -> [UInt8] {
    JSONDocument.list("notes", notes) { note, writer in
      writer.object { writer in
        writer.names(of: entries[note.place].note)
        writer.member("links", of: note.links) { $0.write(in: entries, to: &$1) }
      }
    }
  }
}

extension Connection {
  /// How it is written, in a word: the form of a link, or the field that holds it and a colon.
  var way: String { field.map { "\($0):" } ?? form?.rawValue ?? "" }

  /// The type of its target in a word.
  var sort: String {
    if missing != nil { return "broken" }
    return switch target {
    case .note: "note"
    case .ambiguous: "ambiguous"
    case .file: "file"
    case .url: "url"
    case .broken: "broken"
    }
  }

  /// The name of its target: of a note its id or path, of a file its path, an address; else the target as written.
  func name(in entries: Entries) -> String {
    switch target {
    case .note(let place): entries[place].name
    case .file(let path): String(decoding: path, as: UTF8.self)
    case .url(let address): String(decoding: address, as: UTF8.self)
    case .ambiguous, .broken: text
    }
  }

  /// The title of the note that it leads to, with the heading or block; of several their names.
  func title(in entries: Entries) -> String {
    switch target {
    case .note(let place):
      entries[place].note.title + (part.map { ($0.isBlock ? "#^" : "#") + $0.name } ?? "")
    case .ambiguous(let places): places.map { entries[$0].name }.joined(separator: ", ")
    case .file, .url, .broken: ""
    }
  }
}

extension Connection {
  /// Writes it as an object: target, form, line and field as written, and the resolved target.
  func write(in entries: Entries, to writer: inout JSONWriter, others: (inout JSONWriter) -> Void = { _ in })
  {
    writer.object { writer in
      writer.member("target", text)
      writer.member("form", form?.rawValue ?? "field")
      writer.member("line", line)
      writer.member("field", field)
      if let missing { writer.member("missing", (missing.isBlock ? "#^" : "#") + missing.name) }
      others(&writer)
      switch target {
      case .note(let place): writer.names(of: entries[place].note)
      case .ambiguous(let places):
        writer.member("ambiguous", of: places) { place, writer in
          writer.object { $0.names(of: entries[place].note) }
        }
      case .file(let path): writer.member("file", bytes: path)
      case .url(let address): writer.member("url", bytes: address)
      case .broken: writer.member("dangling", true)
      }
    }
  }
}

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
