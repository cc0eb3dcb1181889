import Bytes
package import Notes

/// Finds the sentence around a range of a note, as the context that a reader needs.
package struct SentenceFinder {
  private let bytes: [UInt8]
  private let body: Range<Int>

  package init(_ text: NoteText) {
    bytes = text.bytes
    body = text.body
  }

  /// Returns the sentence that contains a range, shortened if it is long; in front matter, a table or a heading its line.
  ///
  /// Sentences end at `.`, `!`, `?` or `…` before a blank, at ideographic full stops, and at the end of their paragraph
  /// or item.
  /// - Parameter line: the line of the file in which the range begins, from 1.
  package func snippet(around range: Range<Int>, line: Int) -> Snippet {
    let range = range.clamped(to: 0..<bytes.count)
    let paragraph = paragraph(around: range)
    let sentence = start(of: range.lowerBound, in: paragraph)..<end(of: range.upperBound, in: paragraph)
    let (text, highlight) = onOneLine(sentence, range)
    return Excerpt(of: text, line: 0..<text.count, highlights: [highlight]).snippet(line)
  }

  // MARK: Paragraphs

  /// The number of bytes to read around a range: longer excerpts are never shown, and a paragraph may have thousands of
  /// links.
  private static let reach = 1_024

  /// The lines that belong together with those of a stretch.
  private func paragraph(around range: Range<Int>) -> Range<Int> {
    let isInBody = range.lowerBound >= body.lowerBound
    var start = lineStart(range.lowerBound)
    var end = lineEnd(isInBody ? max(range.lowerBound, range.upperBound - 1) : range.lowerBound)
    guard isInBody, !standsAlone(start) else { return start..<max(end, start) }
    while start > max(body.lowerBound, range.lowerBound - Self.reach), !beginsBlock(start) {
      let above = lineStart(start - 1)
      if isEmpty(above) || standsAlone(above) { break }
      start = above
    }
    while end + 1 < min(bytes.count, range.upperBound + Self.reach), !isEmpty(end + 1), !beginsBlock(end + 1),
      !standsAlone(end + 1)
    {
      end = lineEnd(end + 1)
    }
    return start..<max(end, start)
  }

  /// The beginning of a line, or a place in it as far away as is read.
  private func lineStart(_ offset: Int) -> Int {
    var low = max(0, offset - Self.reach)
    if let end = bytes[low..<offset].lastIndex(of: UInt8(ascii: "\n")) { return end + 1 }
    while low > 0, low < offset, bytes[low] & 0xC0 == 0x80 { low += 1 }
    return low
  }

  /// The end of a line, or a place in it as far away as is read.
  private func lineEnd(_ offset: Int) -> Int {
    guard offset < bytes.count else { return bytes.count }
    var high = min(bytes.count, offset + Self.reach)
    if let end = bytes[offset..<high].firstIndex(of: UInt8(ascii: "\n")) { return end }
    while high < bytes.count, high > offset, bytes[high] & 0xC0 == 0x80 { high -= 1 }
    return high
  }

  /// The first byte of a line that is neither a blank nor a mark of a quotation.
  private func contentStart(_ start: Int) -> Int {
    var position = start
    while position < bytes.count, Self.isLead(bytes[position]) { position += 1 }
    return position
  }

  private func isEmpty(_ start: Int) -> Bool {
    let content = contentStart(start)
    return content >= bytes.count || bytes[content] == UInt8(ascii: "\n")
  }

  /// Whether a line is a heading or a row of a table.
  private func standsAlone(_ start: Int) -> Bool {
    let content = contentStart(start)
    guard content < bytes.count else { return false }
    return bytes[content] == UInt8(ascii: "|") || headingMarks(content) > 0
  }

  /// Returns the length of the `#` and the blank that begin a heading here; 0 for no heading.
  private func headingMarks(_ content: Int) -> Int {
    let marks = bytes[content...].prefix { $0 == UInt8(ascii: "#") }.count
    guard (1...6).contains(marks), content + marks < bytes.count, ASCII.isBlank(bytes[content + marks]) else {
      return 0
    }
    return marks + 1
  }

  /// Whether a line begins an item of a list.
  private func beginsBlock(_ start: Int) -> Bool { markerLength(contentStart(start)) > 0 }

  /// The length of `- `, `* `, `+ `, `1. ` with a box for a task behind it; 0 for none.
  private func markerLength(_ content: Int) -> Int {
    guard content + 1 < bytes.count else { return 0 }
    var length = 0
    if "-*+".utf8.contains(bytes[content]) {
      length = 1
    } else {
      let digits = bytes[content...].prefix(9).prefix { $0 &- UInt8(ascii: "0") < 10 }.count
      guard digits > 0, content + digits < bytes.count, ".)".utf8.contains(bytes[content + digits]) else {
        return 0
      }
      length = digits + 1
    }
    guard content + length < bytes.count, ASCII.isBlank(bytes[content + length]) else { return 0 }
    let rest = bytes[(content + length + 1)...]
    let isTask = ["[ ] ", "[x] ", "[X] "].contains { rest.starts(with: $0.utf8) }
    return length + 1 + (isTask ? 4 : 0)
  }

  // MARK: Sentences

  private func start(of offset: Int, in paragraph: Range<Int>) -> Int {
    var position = offset
    while position > paragraph.lowerBound {
      position -= 1
      if let end = sentenceEnd(at: position, before: paragraph.upperBound), end <= offset { return end }
    }
    return paragraph.lowerBound
  }

  private func end(of offset: Int, in paragraph: Range<Int>) -> Int {
    var position = max(offset, paragraph.lowerBound)
    while position < paragraph.upperBound {
      if let end = sentenceEnd(at: position, before: paragraph.upperBound) { return end }
      position += 1
    }
    return max(paragraph.upperBound, offset)
  }

  /// Returns the end of the sentence whose last character begins at an offset; nil if no sentence ends there.
  private func sentenceEnd(at offset: Int, before limit: Int) -> Int? {
    if bytes[offset] == 0xE3, offset + 2 < limit, bytes[offset + 1] == 0x80, bytes[offset + 2] == 0x82 {
      return offset + 3
    }
    if bytes[offset] == 0xEF, offset + 2 < limit, bytes[offset + 1] == 0xBC,
      bytes[offset + 2] == 0x81 || bytes[offset + 2] == 0x9F
    {
      return offset + 3
    }
    guard ".!?".utf8.contains(bytes[offset]) || isEllipsis(offset) else { return nil }
    var end = offset + (bytes[offset] == 0xE2 ? 3 : 1)
    while end < limit, Self.closing.contains(bytes[end]) { end += 1 }
    guard end < limit, ASCII.isBlank(bytes[end]) || bytes[end] == UInt8(ascii: "\n") else { return nil }
    var next = end
    while next < limit, bytes[next] <= 0x20 { next += 1 }
    guard next < limit else { return nil }
    if "!?".utf8.contains(bytes[offset]) { return end }
    // A lower-case letter continues the sentence: `e.g. bread`, `approx. two hours`.
    guard !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[next]) else { return nil }
    return isInitial(before: offset) ? nil : end
  }

  private static let closing = Array(")]\"'*_".utf8)

  private func isEllipsis(_ offset: Int) -> Bool {
    bytes[offset...].starts(with: [0xE2, 0x80, 0xA6])
  }

  /// Whether a single letter or number precedes a full stop: `J. R. R. Tolkien`, `1. Flour`.
  private func isInitial(before stop: Int) -> Bool {
    guard bytes[stop] == UInt8(ascii: "."), stop > 0, ASCII.isWord(bytes[stop - 1]) else { return false }
    return stop == 1 || bytes[stop - 2] <= 0x20 || bytes[stop - 2] == UInt8(ascii: ".")
  }

  // MARK: Text

  /// Returns a range as one line, with the range of a part in it.
  ///
  /// A single blank replaces each line end together with the marks at the beginning of the next line.
  private func onOneLine(_ stretch: Range<Int>, _ part: Range<Int>) -> ([UInt8], Range<Int>) {
    var text: [UInt8] = []
    var (first, last): (Int?, Int) = (nil, 0)
    var position = stretch.lowerBound
    var isLineStart = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
    while position < stretch.upperBound {
      if isLineStart {
        position = afterMarks(position, before: part.lowerBound)
        isLineStart = false
        continue
      }
      let byte = bytes[position]
      if first == nil, position >= part.lowerBound { first = text.count }
      if byte == UInt8(ascii: "\n") {
        isLineStart = true
        if text.last != 0x20 { text.append(0x20) }
      } else if byte != 0x0D {
        text.append(byte == 0x09 ? 0x20 : byte)
      }
      position += 1
      if position <= part.upperBound { last = text.count }
    }
    let start = min(first ?? text.count, text.count)
    return (text, start..<max(start, min(last, text.count)))
  }

  /// Returns the offset of the text of a line after its marks. A part that begins inside the marks is not skipped.
  private func afterMarks(_ lineStart: Int, before part: Int) -> Int {
    let content = contentStart(lineStart)
    if (lineStart...content).contains(part) { return part }
    let end = content + max(markerLength(content), headingMarks(content))
    return part > content && part < end ? content : end
  }

  private static func isLead(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == UInt8(ascii: ">")
  }
}
