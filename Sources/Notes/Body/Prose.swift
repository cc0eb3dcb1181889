/// The stretches of a body that people read as running text: no code, comment, HTML, formula, link, address or tag.
package struct Prose: Sendable {
  /// In bytes of the file, ascending, none over another.
  package let ranges: [Range<Int>]

  /// Scans the body of a note.
  ///
  /// - Complexity: O(n log n) in the body's length.
  package init(of note: NoteText) {
    let text = BodyComments.readable(note) ?? note
    let found = text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: text.body.upperBound)
      scanner.inline.prose = ([], [])
      scanner.scan(from: text.body.lowerBound)
      return scanner.inline
    }
    var holes = found.prose?.skipped ?? []
    holes += found.found.links.map(\.range) + found.found.tags.map(\.range)
    if text.bytes[text.body].contains(UInt8(ascii: "$")) { holes += BodyScan(text).formulas.map(\.range) }
    let scanned = (found.prose?.scanned ?? []).map { range in
      // The end of a comment over several lines.
      text.bytes[range].starts(with: "-->".utf8) ? range.lowerBound + 3..<range.upperBound : range
    }
    holes += scanned.flatMap { Self.addresses(in: $0, of: text.bytes) }
    ranges = Self.without(holes.sorted { $0.lowerBound < $1.lowerBound }, scanned)
  }

  /// What is left of some stretches, which ascend.
  private static func without(_ holes: [Range<Int>], _ stretches: [Range<Int>]) -> [Range<Int>] {
    var left: [Range<Int>] = []
    var next = 0
    for stretch in stretches {
      var start = stretch.lowerBound
      while next < holes.count, holes[next].lowerBound < stretch.upperBound {
        let hole = holes[next]
        if hole.lowerBound > start { left.append(start..<hole.lowerBound) }
        start = max(start, hole.upperBound)
        next += 1
      }
      if start < stretch.upperBound { left.append(start..<stretch.upperBound) }
    }
    return left
  }

  /// The runs without blanks that hold `://`, such as `https://example.org/sourdough`.
  private static func addresses(in range: Range<Int>, of bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = range.lowerBound
    while let colon = bytes[position..<range.upperBound].firstIndex(of: UInt8(ascii: ":")) {
      position = colon + 1
      guard bytes[colon..<range.upperBound].starts(with: "://".utf8) else { continue }
      var (start, end) = (colon, colon)
      while start > range.lowerBound, bytes[start - 1] > 0x20 { start -= 1 }
      while end < range.upperBound, bytes[end] > 0x20 { end += 1 }
      found.append(start..<end)
      position = end
    }
    return found
  }

  /// Whether a stretch stands whole in running text.
  ///
  /// - Complexity: O(log n).
  package func holds(_ range: Range<Int>) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < range.upperBound { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= range.lowerBound
      && range.upperBound <= ranges[low].upperBound
  }
}
