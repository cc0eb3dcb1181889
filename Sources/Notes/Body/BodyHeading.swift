/// A heading of a note's body, outside of lists and quotations.
package struct BodyHeading: Sendable, Equatable {
  /// From 1 to 6.
  package let level: Int
  /// The bytes of its text, without marks and blanks around it.
  package let text: Range<Int>
  /// The bytes of an id of its own with the marks around it, as `{#id}` or `{#id .class}`; empty if it has none.
  package let attribute: Range<Int>
  /// The bytes from the first mark or letter to the end of its last line, without the line end.
  package let lines: Range<Int>

  /// The headings of a note in their order.
  ///
  /// - Complexity: that of a scan of the body.
  package static func all(in text: NoteText) -> [BodyHeading] {
    let body = text.body
    return text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      scanner.headings = []
      scanner.scan(from: body.lowerBound)
      return scanner.headings ?? []
    }
  }

  init(level: Int, text: Range<Int>, lines: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
    self.level = level
    self.lines = lines
    let length = Self.attributeLength(bytes[text])
    attribute = text.upperBound - length..<text.upperBound
    var end = attribute.lowerBound
    while end > text.lowerBound, isSpaceByte(bytes[end - 1]) { end -= 1 }
    self.text = text.lowerBound..<end
  }

  /// The length of `{#id}` or `{#id .class key=value}` at the end of a text after a blank; 0 if there is none.
  private static func attributeLength(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    guard text.last == UInt8(ascii: "}"), let open = text.lastIndex(of: UInt8(ascii: "{")),
      open > text.startIndex, isBlankByte(text[open - 1])
    else { return 0 }
    let words = text[(open + 1)..<(text.endIndex - 1)].split(whereSeparator: isBlankByte)
    let isRead = words.allSatisfy { word in
      let isMarked = (word.first == UInt8(ascii: "#") || word.first == UInt8(ascii: ".")) && word.count > 1
      return (isMarked && !word.dropFirst().contains(UInt8(ascii: "#")) || word.contains(UInt8(ascii: "=")))
        && !word.contains(UInt8(ascii: "}"))
    }
    return isRead && words.contains { $0.first == UInt8(ascii: "#") } ? text.endIndex - open : 0
  }

  /// The id that the heading gives itself, as kramdown and Pandoc read it; empty if it has none.
  package func id(in bytes: [UInt8]) -> [UInt8] {
    let words = bytes[attribute].dropFirst().dropLast().split(whereSeparator: isBlankByte)
    return words.first { $0.first == UInt8(ascii: "#") }.map { Array($0.dropFirst()) } ?? []
  }

  /// Whether a line of marks below the text makes the heading.
  package var isUnderlined: Bool { lines.lowerBound == text.lowerBound && !text.isEmpty }

  /// The text without markup.
  package func plain(in bytes: [UInt8]) -> String { PlainText.of(Array(bytes[text])) }
}

/// The heading that opens the body of a note and gives it its title.
///
/// It is of the first level and the first block. Only blank lines, comments, git's conflict markers, and one line of
/// tags or one image may precede it. A heading further down names a part of the note.
package struct TitleHeading: Sendable, Equatable {
  /// Without markup, not empty, at most about 1,000 bytes of it.
  package let text: String
}

/// Finds the first block of a body.
struct BodyOpening {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int

  /// Returns the start of the first block, after the lines that may precede the heading of a title.
  ///
  /// - Complexity: linear in the text before the block.
  static func offset(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    BodyOpening(bytes: bytes, end: end).offset(from: start)
  }

  private func offset(from start: Int) -> Int {
    var position = start
    var hasLead = false
    while position < end {
      let first = skippingBlanks(position)
      guard first < end else { return end }
      if starts("<!--", at: first) {
        position = lineEnd(behind: find("-->", from: first + 2))
      } else if starts("%%", at: first) {
        position = lineEnd(behind: find("%%", from: first + 2))
      } else if isMarker(at: first) {
        position = lineEnd(first)
      } else if !hasLead, isLead(first..<lineEnd(first)) {
        hasLead = true
        position = lineEnd(first)
      } else {
        return first
      }
    }
    return end
  }

  /// Whether a line is git's opening marker of a conflict: a version of the first block is below it.
  private func isMarker(at line: Int) -> Bool {
    guard starts("<<<<<<<", at: line) else { return false }
    let last = bytes[line..<end].prefix { $0 == UInt8(ascii: "<") }.endIndex
    return last < end && bytes[last] == 0x20
  }

  /// Whether a line is tags alone, or one image.
  private func isLead(_ line: Range<Int>) -> Bool {
    var last = line.upperBound
    while last > line.lowerBound, isBlank(bytes[last - 1]) || bytes[last - 1] == 0x0A { last -= 1 }
    let line = line.lowerBound..<last
    if starts("!", at: line.lowerBound) { return isImage(line) }
    let words = bytes[line].split(whereSeparator: { isBlank($0) || $0 == UInt8(ascii: ",") })
    return words.allSatisfy { word in
      word.first == UInt8(ascii: "#") && word.count > 1
        && !word.dropFirst().contains(UInt8(ascii: "#"))
    }
  }

  private func isImage(_ line: Range<Int>) -> Bool {
    if starts("![[", at: line.lowerBound) {
      return find("]]", from: line.lowerBound + 3).map { $0 + 2 == line.upperBound } ?? false
    }
    guard starts("![", at: line.lowerBound), let close = find("](", from: line.lowerBound + 2),
      close < line.upperBound,
      let target = LinkTarget(bytes, inParenthesesFrom: close + 2, to: line.upperBound)
    else { return false }
    return target.end == line.upperBound
  }

  private func skippingBlanks(_ start: Int) -> Int {
    var position = start
    while position < end, isBlank(bytes[position]) || bytes[position] == 0x0A { position += 1 }
    return position
  }

  /// The beginning of the line after an offset; the end for nil.
  private func lineEnd(behind position: Int?) -> Int { position.map { lineEnd($0) } ?? end }

  private func lineEnd(_ position: Int) -> Int {
    bytes.offset(of: 0x0A, from: position, to: end).map { $0 + 1 } ?? end
  }

  private func starts(_ text: StaticString, at position: Int) -> Bool {
    end - position >= text.utf8CodeUnitCount
      && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  private func find(_ text: StaticString, from start: Int) -> Int? {
    var position = start
    while position < end, let next = bytes.offset(of: text.utf8Start[0], from: position, to: end) {
      if starts(text, at: next) { return next }
      position = next + 1
    }
    return nil
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

extension BodyInline {
  /// Takes the heading that opens the body, if it says something.
  mutating func takeTitle(_ first: Int, _ last: Int) {
    guard first < last else { return }
    let limit = min(last, first + 1000)
    var cut = limit
    while cut < last, cut > first, bytes[cut] & 0xC0 == 0x80 { cut -= 1 }
    let plain = PlainText.of(Array(bytes[first..<cut]))
    if !plain.isEmpty { found.heading = TitleHeading(text: plain) }
  }
}
