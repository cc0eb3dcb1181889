import NoteIndex
import Notes
import SlipboxCore

/// The answer to `textDocument/hover`.
struct Hover: Encodable, Sendable {
  let contents: Markup
  let range: PositionRange
}

/// Says what stands at a place of a note.
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

  /// Nil where there is nothing to say.
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
      return "\(places.count) notes fit:\n\n\(writer.list(paths + more))"
    case .file(let uri):
      return DocumentURI.path(uri).map { writer.plain(String(decoding: $0, as: UTF8.self)) }
    case .url, .broken: return nil
    }
  }

  private func text(ofTag tag: String, _ box: BoxView) throws -> String {
    let web = try NoteWeb(box.snapshot)
    let all = try box.snapshot.places(bearing: tag)
    let own = all.filter { web.entries[$0].note.tags.contains { $0.isSameName(as: tag) } }
    let below = all.count - own.count
    return writer.joined([
      writer.strong("#\(tag)"),
      NoteDescription.titles(of: own, web, writer, counted: own.count == 1 ? "note" : "notes"),
      below == 0 ? "" : "\(below) more with tags below it",
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
