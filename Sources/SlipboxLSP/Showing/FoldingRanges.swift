import Notes

/// Lines that can be folded into their first one; both counted from 0.
struct FoldingRange: Encodable, Hashable, Sendable {
  let startLine: Int
  let endLine: Int
}

/// The front-matter, the sections and the blocks of code of a document.
struct FoldingRanges {
  private let text: NoteText
  private let lines: LineTable

  init(_ document: OpenDocument) {
    text = document.text
    lines = document.lines
  }

  /// - Parameter limit: how many the client takes; the outermost come first.
  func all(limit: Int?) -> [FoldingRange] {
    let anchors = HeadingAnchors(text)
    let sections = anchors.headings.indices.map { number in
      anchors.headings[number].lines.lowerBound..<NoteLead.end(ofSection: number, anchors, text)
    }
    let blocks = [text.block].compactMap { $0 } + sections + FencedCode.all(in: text)
    let ranges = blocks.compactMap(range).sorted {
      ($0.startLine, $1.endLine) < ($1.startLine, $0.endLine)
    }
    guard let limit, limit < ranges.count else { return ranges }
    let widest = ranges.sorted { $0.endLine - $0.startLine > $1.endLine - $1.startLine }.prefix(max(0, limit))
    return ranges.filter(Set(widest).contains)
  }

  /// The lines of a stretch without the empty ones at its end; nil where there is one alone.
  private func range(_ stretch: Range<Int>) -> FoldingRange? {
    var end = stretch.upperBound
    while end > stretch.lowerBound, text.bytes[end - 1] <= 0x20 { end -= 1 }
    let (first, last) = (lines.line(at: stretch.lowerBound), lines.line(at: max(stretch.lowerBound, end - 1)))
    return last > first ? FoldingRange(startLine: first, endLine: last) : nil
  }
}
