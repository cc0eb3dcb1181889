import NoteIndex
import Notes
import Synchronization

/// The headings and anchors of notes by which links lead into them; each note is read once, when the first such link asks.
final class SiteAnchors: Sendable {
  private let text: @Sendable (_ place: Int) -> NoteText
  private let known = Mutex<[Int: NoteParts]>([:])

  init(text: @escaping @Sendable (_ place: Int) -> NoteText) { self.text = text }

  private func parts(ofNote place: Int) -> NoteParts {
    if let parts = known.withLock({ $0[place] }) { return parts }
    let parts = NoteParts(text(place))
    known.withLock { $0[place] = parts }
    return parts
  }

  /// The place in a note that a link leads to, as what follows its address; nil for the whole note.
  func fragment(of link: BodyScan.Link, inNote place: Int) -> String? {
    guard link.target.utf8.contains(UInt8(ascii: "#")) else { return nil }
    let spelling = LinkSpelling(link, reading: 1)
    guard let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let name = spelling.decodedHeading(spelling.suffix[(mark + 1)...])
    if name.first == UInt8(ascii: "^") { return "#" + SafeAddress.fragment(name) }
    let parts = parts(ofNote: place)
    if let number = parts.headings.number(of: spelling.suffix, spelling) {
      return "#" + SafeAddress.fragment(parts.headings.anchor(of: number))
    }
    let isAnchor = parts.anchors.contains { $0.isInvisible && $0.name.utf8.elementsEqual(name) }
    return isAnchor ? "#" + SafeAddress.fragment(name) : nil
  }
}
