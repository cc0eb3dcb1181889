import NoteIndex
import Notes

/// The heading or block of a note that a link names after its `#`.
struct LinkedPart: Sendable {
  /// The name of the heading or block as it is written, without marks.
  let name: String
  let isBlock: Bool
  private let suffix: [UInt8]
  private let spelling: LinkSpelling

  /// - Returns: nil where the link names the whole of its target.
  init?(_ link: ResolvedLink) { self.init(link.link, reading: link.reading) }

  /// - Parameter reading: which of the readings of its target is meant.
  init?(_ link: BodyScan.Link, reading: Int) {
    spelling = LinkSpelling(link, reading: reading)
    suffix = spelling.suffix
    guard suffix.count > 1, suffix[0] == UInt8(ascii: "#") else { return nil }
    isBlock = suffix[1] == UInt8(ascii: "^")
    name = String(decoding: suffix[(isBlock ? 2 : 1)...], as: UTF8.self)
  }

  /// Whether a text has the heading or the block.
  func isThere(in text: NoteText) -> Bool {
    range(in: text) != nil
  }

  /// The bytes of the heading or of the line with the block; nil where there is none.
  func range(in text: NoteText) -> Range<Int>? {
    if isBlock { return BlockNames.all(in: text).first { $0.name == "^\(name)" }?.range }
    let anchors = HeadingAnchors(text)
    return heading(in: anchors).map { anchors.headings[$0].lines }
  }

  /// The number of the heading among those of a note; nil for a block, and where there is none.
  func heading(in anchors: HeadingAnchors) -> Int? { anchors.number(of: suffix, spelling) }
}
