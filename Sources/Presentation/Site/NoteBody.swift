import NoteIndex
import Notes

/// The text of a note on a page.
struct NoteBody {
  private let body: MarkedBody
  private let shift: Int
  private let skipsHeading: Bool
  /// The id of the heading that stands above the page as its title.
  let titleID: String?

  /// A text that begins with the note's title as a heading is shown without it; the highest headings below become `<h2>`.
  init(_ note: Note, _ text: NoteText, _ marks: NoteMarks, number: Int) {
    let anchors = HeadingAnchors(text)
    let isTitled = Self.beginsWithTitle(note, text, anchors)
    let ids = anchors.headings.indices.map { index in
      (
        offset: anchors.headings[index].lines.lowerBound,
        id: String(decoding: anchors.anchor(of: index), as: UTF8.self)
      )
    }
    let highest = anchors.headings.dropFirst(isTitled ? 1 : 0).map(\.level).min() ?? 2
    body = MarkedBody(
      text, marks: marks.marks(of: note, text, number: number), headings: ids.filter { !$0.id.isEmpty })
    shift = max(0, 2 - highest)
    skipsHeading = isTitled
    titleID = isTitled ? ids.first?.id : nil
  }

  private static func beginsWithTitle(_ note: Note, _ text: NoteText, _ anchors: HeadingAnchors) -> Bool {
    guard let first = anchors.headings.first,
      text.bytes[text.body.lowerBound..<first.lines.lowerBound].allSatisfy({ $0 <= 0x20 })
    else { return false }
    return anchors.texts[0].hasSameBytes(as: note.title)
  }

  func write(_ out: inout MarkupWriter) {
    MarkdownHTML.write(body, shift: shift, skipsHeading: skipsHeading, to: &out)
  }
}
