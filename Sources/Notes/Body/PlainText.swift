/// Markdown of one line as plain text, for titles.
///
/// Marks of emphasis, code and footnotes are removed, links leave their labels, escapes the escaped character. It is simple
/// and fast, not CommonMark: unusual constructs stay as they are written.
package struct PlainText {
  private let bytes: [UInt8]
  private var plain: [UInt8] = []
  private var position = 0
  /// Whether a comment was found that nothing closes, so that no later one is closed either.
  private var isCommentUnclosed = false

  /// Returns the text without markup, and with single blanks between its words.
  package static func of(_ markdown: [UInt8]) -> String {
    var reader = PlainText(bytes: markdown)
    while reader.position < markdown.count { reader.step() }
    let words = reader.plain.split { $0 <= 0x20 }
    return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func step() {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "\\") where position + 1 < bytes.count && isPunctuation(bytes[position + 1]):
      plain.append(bytes[position + 1])
      position += 2
    case UInt8(ascii: "`"): takeCode()
    case UInt8(ascii: "*") where isEmphasis(from: position, to: position + 1): position += 1
    case UInt8(ascii: "_") where !isInsideWord(position): position += 1
    case UInt8(ascii: "~") where next(1) == byte: position += 2
    case UInt8(ascii: "!") where next(1) == UInt8(ascii: "["): if !takeLink(position + 1) { keep() }
    case UInt8(ascii: "["): if !takeLink(position) { keep() }
    case UInt8(ascii: "<") where starts("<!--", at: position): takeComment()
    default: keep()
    }
  }

  private mutating func keep() {
    plain.append(bytes[position])
    position += 1
  }

  private func next(_ distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  /// Code as it is, without its backticks.
  private mutating func takeCode() {
    let length = bytes[position...].prefix { $0 == UInt8(ascii: "`") }.count
    let start = position + length
    var candidate = start
    while candidate < bytes.count {
      guard let open = bytes[candidate...].firstIndex(of: UInt8(ascii: "`")) else { break }
      let count = bytes[open...].prefix { $0 == UInt8(ascii: "`") }.count
      if count == length {
        plain.append(contentsOf: bytes[start..<open])
        position = open + count
        return
      }
      candidate = open + count
    }
    plain.append(contentsOf: bytes[position..<start])
    position = start
  }

  /// A link's or an image's label, a wiki link's label or else its target.
  private mutating func takeLink(_ open: Int) -> Bool {
    guard let label = footnote(open) ?? wikiLabel(open) ?? label(open) else { return false }
    plain.append(contentsOf: PlainText.of(Array(bytes[label.text])).utf8)
    position = label.end
    return true
  }

  /// A footnote's mark, which leaves nothing.
  private func footnote(_ open: Int) -> (text: Range<Int>, end: Int)? {
    guard starts("[^", at: open), let close = firstBracket(from: open + 2),
      bytes[close] == UInt8(ascii: "]"), close > open + 2, !bytes[open..<close].contains(0x20)
    else { return nil }
    return (close..<close, close + 1)
  }

  private func wikiLabel(_ open: Int) -> (text: Range<Int>, end: Int)? {
    guard starts("[[", at: open), let close = firstBracket(from: open + 2), starts("]]", at: close) else {
      return nil
    }
    let inner = (open + 2)..<close
    let parts = WikiLabels.parts(of: bytes[inner])
    return ((parts.label ?? parts.target).indices, close + 2)
  }

  private func label(_ open: Int) -> (text: Range<Int>, end: Int)? {
    guard let close = firstBracket(from: open + 1), bytes[close] == UInt8(ascii: "]") else { return nil }
    let link = bytes.withUnsafeBufferPointer { buffer -> Int? in
      guard close + 1 < buffer.count, buffer[close + 1] == UInt8(ascii: "(") else { return nil }
      return LinkTarget(buffer, inParenthesesFrom: close + 2, to: buffer.count)?.end
    }
    return link.map { ((open + 1)..<close, $0) }
  }

  private func firstBracket(from start: Int) -> Int? {
    bytes[start...].firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
  }

  private mutating func takeComment() {
    var end = position + 4
    while end < bytes.count, !isCommentUnclosed, !starts("-->", at: end) { end += 1 }
    if isCommentUnclosed || end >= bytes.count {
      isCommentUnclosed = true
      return keep()
    }
    position = end + 3
  }

  private func starts(_ text: String, at start: Int) -> Bool { bytes[start...].starts(with: text.utf8) }

  /// Whether marks touch a word on at least one side.
  private func isEmphasis(from start: Int, to end: Int) -> Bool {
    let before = start > 0 ? bytes[start - 1] : 0x20
    let after = end < bytes.count ? bytes[end] : 0x20
    return before > 0x20 || after > 0x20
  }

  /// Whether a run of underscores has letters or digits on both sides.
  private func isInsideWord(_ index: Int) -> Bool {
    var (first, last) = (index, index)
    while first > 0, bytes[first - 1] == UInt8(ascii: "_") { first -= 1 }
    while last + 1 < bytes.count, bytes[last + 1] == UInt8(ascii: "_") { last += 1 }
    return first > 0 && last + 1 < bytes.count && isWord(bytes[first - 1]) && isWord(bytes[last + 1])
  }

  private func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x61...0x7A).contains(byte | 0x20)
  }

  private func isPunctuation(_ byte: UInt8) -> Bool {
    (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
      || (0x7B...0x7E).contains(byte)
  }
}

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

  /// The remaining parts of some ascending stretches.
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

  /// Whether a stretch is wholly in running text.
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
