package import Notes

/// The heading, block or anchor of a note that a link names after its `#`.
package struct LinkedPart: Sendable {
  /// The name of the heading or block as it is written, without marks.
  package let name: String
  package let isBlock: Bool
  private let suffix: [UInt8]
  private let spelling: LinkSpelling

  /// - Returns: nil if the link names the whole of its target.
  package init?(_ link: ResolvedLink) { self.init(link.link, reading: link.reading) }

  /// - Parameter reading: which of the readings of its target is meant.
  package init?(_ link: BodyScan.Link, reading: Int) {
    guard link.target.utf8.contains(where: { "#&\\".utf8.contains($0) }) else { return nil }
    spelling = LinkSpelling(link, reading: reading)
    guard let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    suffix = Array(spelling.suffix[mark...])
    guard suffix.count > 1 else { return nil }
    isBlock = suffix[1] == UInt8(ascii: "^")
    name = String(decoding: suffix[(isBlock ? 2 : 1)...], as: UTF8.self)
  }

  /// Whether a note has the heading, the block or the anchor.
  package func isThere(in parts: NoteParts) -> Bool { range(in: parts) != nil }

  /// The bytes of the heading, of the line with the block or of the anchor; nil if the note has none.
  package func range(in parts: NoteParts) -> Range<Int>? {
    if isBlock { return parts.blocks.first { $0.name == "^\(name)" }?.range }
    if let number = heading(in: parts.headings) { return parts.headings.headings[number].lines }
    let wanted = spelling.decodedHeading(suffix[1...])
    return parts.anchors.first { $0.name.utf8.elementsEqual(wanted) }?.range
  }

  /// The number of the heading among those of a note; nil for a block, and if there is none.
  package func heading(in anchors: HeadingAnchors) -> Int? { anchors.number(of: suffix, spelling) }
}

/// The places in a note that links can name: headings, blocks and the ids of HTML.
package struct NoteParts: Sendable {
  package let headings: HeadingAnchors
  package let blocks: [(name: String, range: Range<Int>)]
  package let anchors: [BodyScan.Anchor]

  /// - Complexity: that of a scan of the body.
  package init(_ text: NoteText) {
    headings = HeadingAnchors(text)
    blocks = BlockNames.all(in: text)
    anchors = BodyScan(text).anchors
  }
}
