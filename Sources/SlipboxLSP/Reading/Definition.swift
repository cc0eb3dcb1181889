import NoteIndex
import Notes
import SlipboxCore

/// A place that a stretch of a text leads to.
struct LocationLink: Encodable, Sendable {
  let originSelectionRange: PositionRange
  let targetUri: String
  let targetRange: PositionRange
  let targetSelectionRange: PositionRange
}

/// Where a link or a reference leads to.
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

  /// Several places where a link fits several notes; none where it leads nowhere.
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
      return link.places.map { number in
        let note = PlacedNote(entries[number].note, box, client.encoding)
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
