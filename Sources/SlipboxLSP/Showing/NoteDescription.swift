import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// A note in a few lines: the row of its kind, its fields, its beginning, and the notes that link to it.
struct NoteDescription {
  /// So many fields, and titles of notes, are shown at most.
  private static let (mostFields, mostTitles) = (12, 5)
  /// So many characters of a value are shown at most.
  private static let longestValue = 120

  let writer: MarkdownWriter
  let web: NoteWeb
  private let row: LiveRow

  init(_ box: BoxView, _ writer: MarkdownWriter) throws(SlipboxError) {
    self.writer = writer
    web = try NoteWeb(box.snapshot)
    row = try LiveRow(box.snapshot)
  }

  /// - Parameter part: the heading or block that is meant; nil for the whole note.
  func text(of entry: Entry, part: LinkedPart?) -> String {
    let text = entry.note.text
    if let part, let section = section(part, of: entry.note, text) { return section }
    let backlinks = web.backlinks(to: entry.note)
    return writer.joined([
      writer.lines([writer.strong(entry.note.title), rowLine(of: entry, backlinks)]),
      fields(of: entry), writer.excerpt(NoteLead.of(text)), self.backlinks(backlinks),
    ])
  }

  private func section(_ part: LinkedPart, of note: Note, _ text: NoteText) -> String? {
    let anchors = HeadingAnchors(text)
    if let number = part.heading(in: anchors) {
      return writer.joined([
        writer.strong("\(note.title) › \(anchors.texts[number])"),
        writer.excerpt(NoteLead.of(section: number, anchors, text)),
      ])
    }
    guard part.isBlock, let range = part.range(in: NoteParts(text)) else { return nil }
    return writer.joined([
      writer.strong("\(note.title) › ^\(part.name)"), writer.excerpt(NoteLead.of(block: range, text)),
    ])
  }

  /// The row as `slip list` shows it.
  private func rowLine(of entry: Entry, _ backlinks: [Backlink]) -> String {
    let cells = row.cells(of: entry) { [web] kind in
      Set(backlinks.filter { $0.link == nil && web.entries[$0.source].kind == kind }.map(\.source)).count
    }
    let shown =
      cells.isEmpty
      ? [entry.created.civilDate.description] + entry.note.tags.map { "#\($0)" }
      : [entry.kind, row.state(of: entry)] + cells
    return shown.filter { !$0.isEmpty }.map(writer.plain).joined(separator: " · ")
  }

  private func fields(of entry: Entry) -> String {
    let shown = row.fields(of: entry).filter { !$0.value.isEmpty }.prefix(Self.mostFields)
    return writer.list(
      shown.map { "\(writer.plain($0.name)): \(writer.plain(String($0.value.prefix(Self.longestValue))))" })
  }

  /// How many notes link to a note, and the titles of the first few.
  func backlinks(_ backlinks: [Backlink]) -> String {
    var seen: Set<Int> = []
    let sources = backlinks.map(\.source).filter { seen.insert($0).inserted }
    guard !sources.isEmpty else { return "" }
    return Self.titles(of: sources, web, writer, counted: sources.count == 1 ? "backlink" : "backlinks")
  }

  /// `3 notes: Ada, Bob, Cleo`.
  static func titles(
    of places: [Int], _ web: NoteWeb, _ writer: MarkdownWriter, counted noun: String
  ) -> String {
    let titles = places.prefix(mostTitles).map { writer.plain(web.entries.names(at: $0).title) }
    let rest = places.count > mostTitles ? ", …" : ""
    return "\(places.count) \(noun): \(titles.joined(separator: ", "))\(rest)"
  }
}
