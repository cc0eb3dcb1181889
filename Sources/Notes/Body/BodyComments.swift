/// The comments of a body: `<!-- -->` of HTML and `%% %%` of Obsidian.
package enum BodyComments {
  /// The bytes of the comments in their order, outside of code.
  ///
  /// A comment of HTML that nothing closes goes on to the end, as does one of Obsidian that begins a line; elsewhere the
  /// marks are text then.
  /// A fence inside of a comment hides no further comments: without the comment it opens no code.
  /// - Complexity: that of a scan of the body, and of another one for each such fence.
  package static func all(in text: NoteText) -> [Range<Int>] {
    var comments = scan(text)
    var (rest, found) = (text, comments)
    while !found.isEmpty, found.contains(where: { holdsFence($0, in: rest.bytes) }) {
      rest = blanked(rest, found)
      found = scan(rest)
      comments += found
    }
    return comments.sorted { $0.lowerBound < $1.lowerBound }
  }

  private static func holdsFence(_ comment: Range<Int>, in bytes: [UInt8]) -> Bool {
    offset(of: "```", in: bytes, comment) != nil || offset(of: "~~~", in: bytes, comment) != nil
  }

  private static func scan(_ text: NoteText) -> [Range<Int>] {
    let (bytes, end) = (text.bytes, text.body.upperBound)
    guard offset(of: "%%", in: bytes, text.body) != nil || offset(of: "<!--", in: bytes, text.body) != nil
    else { return [] }
    var fences = FencedCode.all(in: text)[...]
    var comments: [Range<Int>] = []
    var position = text.body.lowerBound
    while position < end {
      while let fence = fences.first, fence.upperBound <= position { fences.removeFirst() }
      if let fence = fences.first, fence.contains(position) {
        position = fence.upperBound
        continue
      }
      if let close = comment(at: position, in: bytes, to: end) {
        comments.append(position..<close)
        position = close
      } else {
        position = next(after: position, in: bytes, to: end)
      }
    }
    return comments
  }

  /// The text from which links and tags are read if it has comments of Obsidian, which Markdown shows; nil if it has none.
  ///
  /// - Complexity: that of a search for `%%` if there is none.
  static func readable(_ text: NoteText) -> NoteText? {
    let hasMark = text.bytes.withUnsafeBufferPointer { bytes in
      var position = text.body.lowerBound
      while let mark = bytes.offset(of: UInt8(ascii: "%"), from: position, to: text.body.upperBound) {
        if mark + 1 < text.body.upperBound, bytes[mark + 1] == UInt8(ascii: "%") { return true }
        position = mark + 1
      }
      return false
    }
    return hasMark ? blanked(text) : nil
  }

  /// The body with blanks in the place of comments, so that all else stands where it stood.
  package static func blanked(_ text: NoteText) -> NoteText { blanked(text, all(in: text)) }

  private static func blanked(_ text: NoteText, _ comments: [Range<Int>]) -> NoteText {
    guard !comments.isEmpty else { return text }
    var bytes = text.bytes
    for comment in comments {
      for place in comment where bytes[place] != 0x0A && bytes[place] != 0x0D { bytes[place] = 0x20 }
      // Text behind many blanks would be code: an invisible letter (U+2060) opens the line.
      let rest = bytes[comment.upperBound..<text.body.upperBound].drop { $0 == 0x20 }
      let isFollowed = rest.first.map { $0 != 0x0A && $0 != 0x0D } ?? false
      let blanks = bytes[..<comment.upperBound].reversed().prefix { $0 == 0x20 }.count
      let start = comment.upperBound - blanks
      let opensLine = start == text.body.lowerBound || bytes[start - 1] == 0x0A
      if opensLine, blanks >= 4, isFollowed {
        bytes.replaceSubrange(start..<start + 3, with: [0xE2, 0x81, 0xA0])
      }
    }
    return NoteText(bytes)
  }

  /// The end of a comment that begins at an offset.
  private static func comment(at position: Int, in bytes: [UInt8], to end: Int) -> Int? {
    let rest = bytes[position..<end]
    if rest.starts(with: "<!--".utf8) {
      return offset(of: "-->", in: bytes, min(position + 2, end)..<end).map { $0 + 3 } ?? end
    }
    guard rest.starts(with: "%%".utf8) else { return nil }
    if let close = offset(of: "%%", in: bytes, position + 2..<end) { return close + 2 }
    let isFirst = position == 0 || bytes[position - 1] == 0x0A
    return isFirst ? end : nil
  }

  /// Where to go on behind a byte: behind the whole of a span of code or an escape.
  private static func next(after position: Int, in bytes: [UInt8], to end: Int) -> Int {
    switch bytes[position] {
    case UInt8(ascii: "\\"): return min(position + 2, end)
    case UInt8(ascii: "`"):
      let length = bytes[position..<end].prefix { $0 == UInt8(ascii: "`") }.count
      var start = position + length
      while start < end {
        // A span of code ends with its paragraph.
        if bytes[start] == 0x0A, start + 1 < end, bytes[start + 1] == 0x0A { break }
        let run = bytes[start..<end].prefix { $0 == UInt8(ascii: "`") }.count
        if run == length { return start + run }
        start += max(run, 1)
      }
      return position + length
    default: return position + 1
    }
  }

  private static func offset(of mark: StaticString, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let count = mark.utf8CodeUnitCount
    guard range.count >= count else { return nil }
    return mark.withUTF8Buffer { mark in
      (range.lowerBound...range.upperBound - count).first { start in
        bytes[start] == mark[0] && bytes[start..<start + count].elementsEqual(mark)
      }
    }
  }
}

/// A block of code between fences, with its first line and, where there is one, its closing fence.
package enum FencedCode {
  /// The bytes of the blocks of a note, in their order, without the line end behind each.
  ///
  /// - Complexity: that of a scan of the body.
  package static func all(in text: NoteText) -> [Range<Int>] {
    let body = text.body
    return text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      scanner.fences = []
      scanner.scan(from: body.lowerBound)
      return scanner.fences ?? []
    }
  }
}
