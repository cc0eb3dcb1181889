import NoteIndex
import Notes

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
