import NoteIndex
import Notes
import SlipboxCore

/// A note of a box with the lines of its text.
struct PlacedNote: Sendable {
  let uri: String
  let note: Note
  let text: NoteText
  let lines: LineTable

  /// - Complexity: that of reading the text.
  init(_ note: Note, _ box: BoxView, _ encoding: PositionEncoding) {
    uri = box.uri(of: note.path)
    self.note = note
    text = note.text
    lines = LineTable(text.bytes, encoding)
  }

  init(_ place: DocumentPlace) {
    uri = place.document.uri
    note = place.note
    text = note.text
    lines = place.document.lines
  }

  func location(of range: Range<Int>) -> Location { Location(uri: uri, range: lines.range(of: range)) }

  /// Where the title stands: in its heading or its field, else the first line.
  var titleRange: Range<Int> {
    switch note.titleSource {
    case .field:
      let fields = FieldPlace.all(in: text)
      if let value = fields.first(where: { $0.field.name.isSameName(as: "title") })?.values.first {
        return value.range
      }
    case .heading:
      let anchors = HeadingAnchors(text)
      if let number = anchors.titleNumber { return anchors.headings[number].lines }
    case .file, .none: break
    }
    return lines.content(ofLine: 0)
  }

  /// Where a link to the note leads: to its heading or block, else to its title.
  func destination(of part: LinkedPart?) -> Range<Int> { part?.range(in: NoteParts(text)) ?? titleRange }
}

/// The links that lead to a note: those of others, and its own to its headings.
struct LinksToNote {
  let others: [Backlink]
  /// The note's own links to itself.
  let own: [FoundLink]

  /// - Parameter own: the links of the note.
  init(_ note: Note, _ web: NoteWeb, own: [FoundLink]) {
    others = web.backlinks(to: note)
    self.own = own.filter { $0.target == .itself && $0.link != nil }
  }

  /// How many notes link or refer to it.
  var noteCount: Int { Set(others.map(\.source)).count }

  /// How many links lead to a heading.
  func count(toHeading number: Int, _ anchors: HeadingAnchors) -> Int { counts(anchors)[number] ?? 0 }

  /// How many links lead to each heading, by its number.
  func counts(_ anchors: HeadingAnchors) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for part in others.compactMap(\.part) + own.compactMap(\.part) {
      if let number = part.heading(in: anchors) { counts[number, default: 0] += 1 }
    }
    return counts
  }
}

extension Backlink {
  /// The heading or block that it names.
  var part: LinkedPart? { link.flatMap { LinkedPart($0, reading: 1) } }
}
