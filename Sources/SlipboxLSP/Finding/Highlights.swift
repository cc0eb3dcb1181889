import NoteIndex
import Notes
import SlipboxCore

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
