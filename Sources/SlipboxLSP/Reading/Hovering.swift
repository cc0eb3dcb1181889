import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The answer to `textDocument/hover`.
struct Hover: Encodable, Sendable {
  let contents: Markup
  let range: PositionRange
}

/// Describes the construct at a place of a note.
struct Hovering {
  private let request: Request
  private let place: DocumentPlace
  private let offset: Int
  private let writer: MarkdownWriter

  init(_ request: Request, _ params: PlaceParams) throws {
    self.request = request
    place = try request.place(params.textDocument.uri)
    offset = place.document.lines.offset(of: params.position)
    writer = MarkdownWriter(formats: request.client.capabilities.hoverFormats)
  }

  /// nil if there is nothing to say.
  func hover() throws -> Hover? {
    guard let box = place.box else { return nil }
    let reader = try SubjectReader(place)
    let (subject, range) = reader.subject(at: offset)
    guard let text = try text(of: subject, reader, box), !text.isEmpty else { return nil }
    return Hover(
      contents: Markup(text, formats: request.client.capabilities.hoverFormats),
      range: place.document.lines.range(of: range))
  }

  private func text(of subject: Subject, _ reader: SubjectReader, _ box: BoxView) throws -> String? {
    switch subject {
    case .link(let link): try text(of: link, reader, box)
    case .tag(let tag): try text(ofTag: tag.name, box)
    case .heading(let number): try text(ofHeading: number, reader, box)
    case .key(let field): describe(field, box)
    case .value(let field, let value): describe(value, of: field, box)
    case .text: nil
    }
  }

  private func text(of link: FoundLink, _ reader: SubjectReader, _ box: BoxView) throws -> String? {
    switch link.target {
    case .note(let place):
      let entries = try box.snapshot.catalogue().entries
      return try NoteDescription(box, writer).text(of: entries[place], part: link.part)
    case .itself:
      let entry = Entry(
        note: reader.note, created: reader.note.created ?? box.snapshot.clock.now,
        kind: box.snapshot.kind(of: reader.note))
      return try NoteDescription(box, writer).text(of: entry, part: link.part)
    case .ambiguous(let places):
      let entries = try box.snapshot.catalogue().entries
      let paths = places.prefix(10).map {
        writer.plain(String(decoding: entries.path(at: $0), as: UTF8.self))
      }
      let more = places.count > paths.count ? ["and \(places.count - paths.count) more"] : []
      return "\(places.count) notes match:\n\n\(writer.list(paths + more))"
    case .file(let uri):
      return DocumentURI.path(uri).map { writer.plain(String(decoding: $0, as: UTF8.self)) }
    case .url, .broken: return nil
    }
  }

  private func text(ofTag tag: String, _ box: BoxView) throws -> String {
    let web = try NoteWeb(box.snapshot)
    let all = try BoxTags(of: box.snapshot).places(with: tag)
    let own = all.filter { web.entries[$0].note.tags.contains { $0.isSameName(as: tag) } }
    let below = all.count - own.count
    return writer.joined([
      writer.strong("#\(tag)"),
      NoteDescription.titles(of: own, web, writer, counted: own.count == 1 ? "note" : "notes"),
      below == 0 ? "" : "\(below) more with nested tags",
    ])
  }

  /// How often a heading is linked to.
  private func text(ofHeading number: Int, _ reader: SubjectReader, _ box: BoxView) throws -> String? {
    guard let web = reader.reader.web else { return nil }
    let links = LinksToNote(reader.note, web, own: reader.reader.all())
    let count = links.count(toHeading: number, reader.anchors)
    return count == 0 ? nil : count == 1 ? "1 link" : "\(count) links"
  }

  // MARK: Front-matter

  private func field(_ place: FieldPlace, _ box: BoxView) -> Field? {
    box.snapshot.schema().kindOrPlain(named: box.snapshot.kind(of: self.place.note)).field(place.field.name)
  }

  private func describe(_ place: FieldPlace, _ box: BoxView) -> String? {
    field(place, box).map { field in
      writer.lines([
        "\(writer.strong(field.name)): \(writer.plain(Completion.described(field)))",
        field.isRequired ? "required" : "",
        field.defaultValue.map { "\(writer.plain($0)) by default" } ?? "",
      ])
    }
  }

  /// A day in words; of a choice all there are.
  private func describe(_ value: FieldPlace.Scalar, of place: FieldPlace, _ box: BoxView) -> String? {
    let field = field(place, box)
    if field?.isTime ?? true, let day = CivilDate(value.text) ?? Timestamp.adopted(value.text)?.civilDate {
      return DayWords.long(day, today: box.snapshot.clock.today)
    }
    return field.flatMap { $0.type == .choice ? describe(place, box) : nil }
  }
}

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
  func text(of entry: Entry, part: LinkedPart?) throws(SlipboxError) -> String {
    let text = try entry.note.text
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
