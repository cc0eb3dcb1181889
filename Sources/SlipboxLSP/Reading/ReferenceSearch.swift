import NoteIndex
import Notes
import Platform
import SlipboxCore

/// The links to the thing at a place: to a note, a heading or a tag.
struct ReferenceSearch {
  private let place: DocumentPlace
  private let encoding: PositionEncoding
  private let offset: Int
  private let includesDeclaration: Bool

  init(_ request: Request, _ params: ReferenceParams) throws {
    encoding = request.client.encoding
    place = try request.place(params.textDocument.uri)
    offset = place.document.lines.offset(of: params.position)
    includesDeclaration = params.context?.includeDeclaration ?? false
  }

  func locations() throws -> [Location] {
    guard let box = place.box else { return [] }
    let reader = try SubjectReader(place)
    guard let web = reader.reader.web else { return [] }
    switch reader.subject(at: offset).subject {
    case .tag(let tag): return try locations(ofTag: tag.name, web, box)
    case .link(let link): return try locations(ofTargetOf: link, reader, web, box)
    case .heading(let number):
      let isTitle = reader.note.titleSource == .heading && reader.anchors.titleNumber == number
      return try locations(to: PlacedNote(place), heading: isTitle ? nil : number, web, box)
    case .key, .value, .text: return try locations(to: PlacedNote(place), heading: nil, web, box)
    }
  }

  private func locations(
    ofTargetOf link: FoundLink, _ reader: SubjectReader, _ web: NoteWeb, _ box: BoxView
  ) throws -> [Location] {
    switch link.target {
    case .note, .ambiguous:
      return try link.places.flatMap { number in
        let note = try PlacedNote(web.entries[number].note, box, encoding)
        return try locations(to: note, heading: link.part?.heading(in: HeadingAnchors(note.text)), web, box)
      }
    case .itself:
      return try locations(to: PlacedNote(place), heading: link.part?.heading(in: reader.anchors), web, box)
    // Of a target that is not a note, the places in this document.
    case .file, .url, .broken:
      return reader.reader.all().filter {
        $0.target == link.target && (link.target != .broken || $0.name == link.name)
      }
      .map { PlacedNote(place).location(of: $0.range) }
    }
  }

  /// The links and references to a note, or to one of its headings.
  private func locations(
    to target: PlacedNote, heading: Int?, _ web: NoteWeb, _ box: BoxView
  ) throws -> [Location] {
    let anchors = HeadingAnchors(target.text)
    let isWanted = { (part: LinkedPart?) in heading == nil || part?.heading(in: anchors) == heading }
    let own =
      heading == nil
      ? []
      : web.resolvedLinks(of: target.note).filter { link in
        web.target(of: link, from: target.note.path) == nil && isWanted(LinkedPart(link))
      }
    let sources = Dictionary(
      grouping: web.backlinks(to: target.note).filter { isWanted($0.part) }, by: \.source)
    let encoding = encoding
    let found = try concurrentMap(throwing: sources.sorted { $0.key < $1.key }) {
      (source, links) throws(SlipboxError) in
      let note = try PlacedNote(web.entries[source].note, box, encoding)
      return links.map { note.location(of: web.exactRange(of: $0, in: note.note)) }
    }
    let declaration = heading.map { anchors.headings[$0].lines } ?? target.titleRange
    return (includesDeclaration ? [target.location(of: declaration)] : [])
      + own.map { target.location(of: $0.link.range) } + found.flatMap { $0 }
  }

  /// The places of a tag and of those below it.
  private func locations(ofTag tag: String, _ web: NoteWeb, _ box: BoxView) throws -> [Location] {
    let encoding = encoding
    return try concurrentMap(throwing: try BoxTags(of: box.snapshot).places(with: tag)) {
      (number) throws(SlipboxError) in
      let note = try PlacedNote(web.entries[number].note, box, encoding)
      return note.note.tagPlaces.filter { $0.isWithin(tag) }.map { note.location(of: $0.range) }
    }.flatMap { $0 }
  }
}

extension NoteWeb {
  /// The range of a backlink in its note: of a reference the name alone.
  func exactRange(of link: Backlink, in note: Note) -> Range<Int> {
    guard link.link == nil, let field = link.field else { return link.range }
    return range(ofReference: link.name, field: field, in: note) ?? link.range
  }
}

/// A stretch of a text that is the same thing as the one at the cursor.
struct DocumentHighlight: Encodable, Sendable {
  let range: PositionRange
}

/// The places in a document with the same target or tag.
struct Highlights {
  private let place: DocumentPlace
  private let offset: Int

  init(_ request: Request, _ params: PlaceParams) throws {
    place = try request.place(params.textDocument.uri)
    offset = place.document.lines.offset(of: params.position)
  }

  func all() throws -> [DocumentHighlight] {
    let reader = try SubjectReader(place)
    let (subject, range) = reader.subject(at: offset)
    return ranges(of: subject, range, reader).map {
      DocumentHighlight(range: place.document.lines.range(of: $0))
    }
  }

  private func ranges(of subject: Subject, _ range: Range<Int>, _ reader: SubjectReader) -> [Range<Int>] {
    switch subject {
    case .link(let link):
      let same = reader.reader.all().filter { Self.areSame($0, link, reader.anchors) }.map(\.range)
      return same.contains(range) ? same : [range] + same
    case .tag(let tag):
      return reader.note.tagPlaces.filter { $0.name.isSameName(as: tag.name) }.map(\.range)
    case .heading(let number):
      let links = reader.reader.all().filter {
        $0.target == .itself && $0.part?.heading(in: reader.anchors) == number
      }
      return links.isEmpty ? [] : [range] + links.map(\.range)
    case .key, .value, .text: return []
    }
  }

  private static func areSame(_ one: FoundLink, _ other: FoundLink, _ anchors: HeadingAnchors) -> Bool {
    guard one.target == other.target else { return false }
    if one.target == .broken { return one.name == other.name }
    // In the document itself, places are different targets.
    return one.target != .itself || one.part?.name == other.part?.name
  }
}

/// A place that a stretch of a text leads to.
struct LocationLink: Encodable, Sendable {
  let originSelectionRange: PositionRange
  let targetUri: String
  let targetRange: PositionRange
  let targetSelectionRange: PositionRange
}

/// The target of a link or a reference.
struct Definition {
  /// The answer to `textDocument/definition`.
  enum Answer: Encodable, Sendable {
    case links([LocationLink])
    case locations([Location])

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .links(let links): try links.encode(to: encoder)
      case .locations(let locations): try locations.encode(to: encoder)
      }
    }
  }

  private let place: DocumentPlace
  private let client: Client
  private let offset: Int

  init(_ request: Request, _ params: PlaceParams) throws {
    client = request.client
    place = try request.place(params.textDocument.uri)
    offset = place.document.lines.offset(of: params.position)
  }

  /// Several places if a link fits several notes; none if it is broken.
  func answer() throws -> Answer {
    let (subject, origin) = try SubjectReader(place).subject(at: offset)
    guard case .link(let link) = subject else { return answer([], origin) }
    return answer(try locations(of: link), origin)
  }

  private func answer(_ locations: [Location], _ origin: Range<Int>) -> Answer {
    guard client.capabilities.hasDefinitionLinks else { return .locations(locations) }
    let range = place.document.lines.range(of: origin)
    return .links(
      locations.map {
        LocationLink(
          originSelectionRange: range, targetUri: $0.uri, targetRange: $0.range,
          targetSelectionRange: $0.range)
      })
  }

  private func locations(of link: FoundLink) throws -> [Location] {
    switch link.target {
    case .note, .ambiguous:
      guard let box = place.box else { return [] }
      let entries = try box.snapshot.catalogue().entries
      return try link.places.map { number in
        let note = try PlacedNote(entries[number].note, box, client.encoding)
        return note.location(of: note.destination(of: link.part))
      }
    case .itself:
      let note = PlacedNote(place)
      return [note.location(of: note.destination(of: link.part))]
    case .file(let uri):
      let start = Position(line: 0, character: 0)
      return [Location(uri: uri, range: PositionRange(start: start, end: start))]
    case .url, .broken: return []
    }
  }
}
