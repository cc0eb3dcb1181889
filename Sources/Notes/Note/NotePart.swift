/// A part of a note, as a reference names it behind the note: `Bread#Second rise`, `Bread#^id`, `Bread:12-20`.
package enum NotePart: Sendable, Equatable {
  /// A heading by its text or its anchor, with the headings above it before it, or its line behind it: `Bread#Second rise`,
  /// `Bread#Top#Log`, `Bread#Log:12`.
  case heading(String)
  /// A block by its name, which begins with `^`.
  case block(String)
  /// Lines of the file, counted from 1.
  case lines(ClosedRange<Int>)

  /// The part as it is typed behind a name.
  package var typed: String {
    switch self {
    case .heading(let name): "#\(name)"
    case .block(let name): "#\(name)"
    case .lines(let lines):
      lines.count == 1 ? ":\(lines.lowerBound)" : ":\(lines.lowerBound)-\(lines.upperBound)"
    }
  }

  /// The names and parts that a reference may mean, the longest name first: a title may have a `#` of its own.
  package static func readings(of reference: String) -> [(name: String, part: NotePart)] {
    var readings: [(name: String, part: NotePart)] = []
    if let colon = reference.lastIndex(of: ":"), colon > reference.startIndex,
      let lines = lines(reference[reference.index(after: colon)...])
    {
      readings.append((String(reference[..<colon]), .lines(lines)))
    }
    for mark in reference.indices.reversed() where reference[mark] == "#" && mark > reference.startIndex {
      let part = String(reference[reference.index(after: mark)...])
      guard part.utf8.contains(where: { $0 > 0x20 && $0 != UInt8(ascii: "#") }) else { continue }
      let isBlock = part.hasPrefix("^") && part.utf8.count > 1
      readings.append((String(reference[..<mark]), isBlock ? .block(part) : .heading(part)))
    }
    return readings
  }

  /// The name before line numbers that no file has, and the fault: `Bread:0`, `Bread:20-10`; nil for other texts.
  package static func lineFault(in reference: String) -> (name: String, fault: String)? {
    guard let colon = reference.lastIndex(of: ":"), colon > reference.startIndex else { return nil }
    let text = reference[reference.index(after: colon)...]
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let numbers = parts.map { Int($0) ?? .max }
    let name = String(reference[..<colon])
    if numbers.contains(0) { return (name, "lines begin at 1") }
    return numbers[0] > numbers[numbers.count - 1] ? (name, "\(text) is backwards") : nil
  }

  /// Line numbers as `12` or `12-20`; nil for other texts.
  private static func lines(_ text: Substring) -> ClosedRange<Int>? {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard (1...2).contains(numbers.count), let first = numbers.first ?? nil, let last = numbers.last ?? nil,
      first > 0, first <= last
    else { return nil }
    return first...last
  }
}

/// The ranges of a part of a note in its bytes. All bounds are at the beginning of a line or at the end of the file.
package struct PartSpan: Sendable, Equatable {
  /// The whole part: a heading with its text and the headings below it, a block, or lines.
  package let whole: Range<Int>
  /// The part without its heading, which a new text replaces.
  package let content: Range<Int>
  /// The part without the text below its next heading.
  package let own: Range<Int>
  /// The bytes of the name of a block, which stays at its end.
  package var blockName: Range<Int>?
  /// The bytes of the text of a list item, after its mark and its check box, without nested lines.
  package var itemText: Range<Int>?
}

/// Why a part of a note can't be found.
package enum PartProblem: Error, Equatable {
  case noHeading, noBlock
  /// The numbers of the headings of that name.
  case severalHeadings([Int])
  /// The lines of the blocks of that name.
  case severalBlocks([Int])
  /// The file has only so many lines.
  case noLine(count: Int)
  /// The lines are not all of the body.
  case frontMatter
}

extension NoteText {
  /// Finds a part of the note.
  ///
  /// - Parameter takesFirst: whether a name that several headings have means the first of them, as in links.
  /// - Complexity: that of a scan of the body.
  package func span(of part: NotePart, takesFirst: Bool = false) throws(PartProblem) -> PartSpan {
    switch part {
    case .heading(let name):
      let anchors = HeadingAnchors(self)
      let numbers = self.numbers(ofHeadings: name, among: anchors)
      guard let number = numbers.first else { throw .noHeading }
      guard takesFirst || numbers.count == 1 else { throw .severalHeadings(numbers) }
      return span(ofHeading: number, among: anchors)
    case .block(let name): return try span(ofBlock: name)
    case .lines(let lines):
      let found = try span(ofLines: lines)
      guard found.lowerBound >= body.lowerBound else { throw .frontMatter }
      return PartSpan(whole: found, content: found, own: found)
    }
  }

  /// The headings that a name means, by their numbers: `HEADING:LINE` means the one that begins on the line.
  package func numbers(ofHeadings name: String, among anchors: HeadingAnchors) -> [Int] {
    let numbers = anchors.numbers(named: name)
    guard numbers.isEmpty, let colon = name.lastIndex(of: ":") else { return numbers }
    let digits = name[name.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let line = Int(digits) else { return [] }
    return anchors.numbers(named: String(name[..<colon])).filter { number in
      position(of: anchors.headings[number].lines.lowerBound).line == line
    }
  }

  /// A heading with its section.
  package func span(ofHeading number: Int, among anchors: HeadingAnchors) -> PartSpan {
    let start = start(ofHeading: number, among: anchors)
    let own = own(ofHeading: number, among: anchors)
    let end = self.start(ofHeading: anchors.section(of: number).upperBound, among: anchors)
    return PartSpan(whole: start..<end, content: own.lowerBound..<end, own: start..<own.upperBound)
  }

  /// The bytes below a heading, up to the next one.
  package func own(ofHeading number: Int, among anchors: HeadingAnchors) -> Range<Int> {
    let text = nextLine(after: anchors.headings[number].lines.upperBound)
    return text..<max(text, start(ofHeading: number + 1, among: anchors))
  }

  /// The start of the lines of a heading; the end of the body after the last heading.
  private func start(ofHeading number: Int, among anchors: HeadingAnchors) -> Int {
    let headings = anchors.headings
    return number < headings.count ? lineStart(before: headings[number].lines.lowerBound) : body.upperBound
  }

  /// The bytes of lines of the file.
  private func span(ofLines lines: ClosedRange<Int>) throws(PartProblem) -> Range<Int> {
    // Numbers of lines count line feeds alone, as editors do.
    let next = { [bytes] (offset: Int) in bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    }
    var (line, start) = (1, 0)
    while line < lines.lowerBound, start < bytes.count { (line, start) = (line + 1, next(start)) }
    guard line == lines.lowerBound, start < bytes.count else { throw .noLine(count: lineCount) }
    var end = next(start)
    while line < lines.upperBound, end < bytes.count { (line, end) = (line + 1, next(end)) }
    guard line == lines.upperBound else { throw .noLine(count: lineCount) }
    return start..<end
  }

  /// The lines of the block with a name: the paragraph up to that line, the list item with its nested lines, or, above a
  /// name on a line of its own, the lines up to a blank one.
  private func span(ofBlock name: String) throws(PartProblem) -> PartSpan {
    let fences = FencedCode.all(in: self)
    let places = BlockNames.all(in: self).filter { block in
      block.name.hasSameBytes(as: name) && !fences.contains { $0.contains(block.range.lowerBound) }
    }
    guard let place = places.first else { throw .noBlock }
    guard places.count == 1 else {
      throw .severalBlocks(positions(of: places.map(\.range.lowerBound)).map(\.line))
    }
    let end = nextLine(after: place.range.upperBound)
    var start = lineStart(before: place.range.lowerBound)
    let heading = BodyHeading.all(in: self).last { $0.lines.upperBound <= start }
    let top = max(body.lowerBound, heading.map { nextLine(after: $0.lines.upperBound) } ?? 0)
    let isAlone = bytes[start..<place.range.lowerBound].allSatisfy(isBlankByte)
    if isAlone {
      start = self.start(ofBlockAbove: start, notBefore: top, fences)
    } else if let paragraph = paragraph(at: place.range.lowerBound) {
      start = max(top, lineStart(before: paragraph.lowerBound))
    }
    guard !isAlone, let mark = Self.mark(ofItem: bytes[start..<end]) else {
      return PartSpan(whole: start..<end, content: start..<end, own: start..<end, blockName: place.range)
    }
    let whole = start..<self.end(ofItem: start, mark: mark, from: end)
    let text = mark.upperBound..<place.range.upperBound
    return PartSpan(whole: whole, content: whole, own: whole, blockName: place.range, itemText: text)
  }

  /// The bytes of the paragraph, the heading or the row that an offset is in; nil in other blocks.
  private func paragraph(at offset: Int) -> Range<Int>? {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      scanner.inline.prose = ([], [])
      scanner.scan(from: body.lowerBound)
      return scanner.inline.prose?.scanned.first { $0.contains(offset) }
    }
  }

  /// The beginning of the block above a line: of its fence, or of the lines up to a blank one.
  private func start(ofBlockAbove line: Int, notBefore top: Int, _ fences: [Range<Int>]) -> Int {
    var start = line
    var isAlone = true
    while start > top {
      let above = lineStart(before: start - 1)
      let isBlank = bytes[above..<start].allSatisfy { isSpaceByte($0) }
      if isBlank && !isAlone { break }
      if !isBlank, isAlone, let fence = fences.first(where: { $0.contains(above) }) {
        return max(top, lineStart(before: fence.lowerBound))
      }
      if !isBlank { isAlone = false }
      start = above
    }
    return start
  }

  /// The end of a list item whose first lines end at an offset: the last line that is indented to its text, or that
  /// continues its paragraph.
  private func end(ofItem start: Int, mark: Range<Int>, from offset: Int) -> Int {
    let margin = Self.columns(of: bytes[start..<mark.lowerBound]) + 2
    var (end, line, isAfterBlank) = (offset, offset, false)
    while line < bytes.count {
      let next = nextLine(after: line)
      let indent = bytes[line..<next].prefix(while: isBlankByte)
      let text = bytes[(line + indent.count)..<next]
      if text.allSatisfy(isSpaceByte) {
        isAfterBlank = true
      } else if Self.columns(of: indent) >= margin || (!isAfterBlank && !Self.beginsBlock(text)) {
        (end, isAfterBlank) = (next, false)
      } else {
        break
      }
      line = next
    }
    return end
  }

  /// The columns that blanks take, with tabs to every fourth column.
  private static func columns(of blanks: ArraySlice<UInt8>) -> Int {
    blanks.reduce(0) { $1 == 0x09 ? ($0 / 4 + 1) * 4 : $0 + 1 }
  }

  /// Whether a line begins a block that ends a paragraph.
  private static func beginsBlock(_ text: ArraySlice<UInt8>) -> Bool {
    if isItem(text) { return true }
    guard let first = text.first else { return true }
    let run = text.prefix { $0 == first }.count
    switch first {
    case UInt8(ascii: ">"): return true
    case UInt8(ascii: "#"): return run <= 6 && text.dropFirst(run).first.map(isSpaceByte) ?? true
    case UInt8(ascii: "`"), UInt8(ascii: "~"): return run >= 3
    case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      return text.allSatisfy { $0 == first || isSpaceByte($0) } && text.count { $0 == first } >= 3
    default: return false
    }
  }

  /// The bytes of the mark of a list item, with its check box and the blanks behind; nil for another text.
  static func mark(ofItem lines: ArraySlice<UInt8>) -> Range<Int>? {
    guard isItem(lines) else { return nil }
    let start = lines.firstIndex { !isBlankByte($0) } ?? lines.startIndex
    let end = lines[start...].firstIndex(where: isSpaceByte) ?? lines.endIndex
    let text = lines[end...].firstIndex { !isBlankByte($0) } ?? end
    let box = lines[text...].prefix(4)
    guard box.count == 4, box.first == UInt8(ascii: "["), box.dropFirst(2).first == UInt8(ascii: "]"),
      box.last.map(isBlankByte) == true
    else { return start..<text }
    return start..<(lines[(text + 4)...].firstIndex { !isBlankByte($0) } ?? text + 4)
  }

  /// Whether a line begins with the mark of a list item.
  package static func isItem(_ lines: ArraySlice<UInt8>) -> Bool {
    let text = lines.drop(while: isBlankByte)
    let digits = text.prefix { (0x30...0x39).contains($0) }
    let mark = text.dropFirst(digits.count)
    guard let first = mark.first, (digits.isEmpty ? "-*+" : ".)").utf8.contains(first) else { return false }
    return mark.dropFirst().first.map(isSpaceByte) ?? true
  }

  private var lineCount: Int {
    bytes.count { $0 == 0x0A } + (bytes.last == 0x0A || bytes.isEmpty ? 0 : 1)
  }

  /// The beginning of the line of an offset. As in Markdown, a line ends with a line feed, a carriage return, or both.
  package func lineStart(before offset: Int) -> Int {
    var start = offset
    while start > 0, !endsLine(at: start - 1) { start -= 1 }
    return start
  }

  /// The beginning of the line behind the one of an offset; the end of the file behind the last one.
  package func nextLine(after offset: Int) -> Int {
    (offset..<bytes.count).first(where: endsLine).map { $0 + 1 } ?? bytes.count
  }

  private func endsLine(at offset: Int) -> Bool {
    switch bytes[offset] {
    case 0x0A: true
    case 0x0D: offset + 1 == bytes.count || bytes[offset + 1] != 0x0A
    default: false
    }
  }
}
