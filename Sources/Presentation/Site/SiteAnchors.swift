import NoteIndex
import Notes
import Synchronization

/// The headings of notes by which links lead into them; each note is read once, when the first such link asks.
final class SiteAnchors: Sendable {
  private let text: @Sendable (_ place: Int) -> NoteText
  private let known = Mutex<[Int: HeadingAnchors]>([:])

  init(text: @escaping @Sendable (_ place: Int) -> NoteText) { self.text = text }

  /// The headings of the note at a place of the catalogue.
  func anchors(ofNote place: Int) -> HeadingAnchors {
    if let anchors = known.withLock({ $0[place] }) { return anchors }
    let anchors = HeadingAnchors(text(place))
    known.withLock { $0[place] = anchors }
    return anchors
  }

  /// The place in a note that a link leads to, as what follows its address; nil for the whole note.
  func fragment(of link: BodyScan.Link, inNote place: Int) -> String? {
    guard link.target.utf8.contains(UInt8(ascii: "#")) else { return nil }
    let spelling = LinkSpelling(link, reading: 1)
    guard let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let name = spelling.decodedHeading(spelling.suffix[(mark + 1)...])
    if name.first == UInt8(ascii: "^") { return "#" + SafeAddress.fragment(name) }
    let anchors = anchors(ofNote: place)
    guard let number = anchors.number(of: spelling.suffix, spelling) else { return nil }
    return "#" + SafeAddress.fragment(anchors.anchor(of: number))
  }
}
