import Notes
import Text

/// The body of a note with signs in the place of its marks, which pass through cmark as letters of a word.
///
/// A sign is U+FDD0, a number and U+FDD1, which are no characters: if a note contains them, they are replaced. Differences
/// between our own scanner and cmark are harmless: a sign that ends up in code is replaced by its original text.
struct MarkedBody: Sendable {
  /// The prepared text in valid UTF-8.
  let markdown: [UInt8]
  let marks: [BodyMark]
  /// The ids of headings by their lines in the prepared text, from 1.
  let headingIDs: [Int: String]
  /// The lines of check boxes in the body by those in the prepared text, both from 1; empty unless a program ticks boxes.
  let boxLines: [Int: Int]
  /// Whether addresses elsewhere open beside the page.
  let opensTabs: Bool
  /// Whether check boxes have their lines in the body, from 1, by which a program ticks them.
  let namesLines: Bool
  /// The beginning of the ids of footnotes, so that those of embedded notes are their own.
  let idPrefix: String
  /// The address before the fragments of the text's own anchors: that of its page in a feed, else empty.
  let anchorBase: String
  /// Whether the ids of HTML, which is shown as text, are anchors.
  let namesAnchors: Bool
  /// Whether a line end inside a paragraph is a line break, as in Obsidian.
  let breaksLines: Bool
  /// Formulas and code as markup, if they were made.
  let rendered: RenderedMarkup
  private let text: NoteText

  private static let opening: [UInt8] = [0xEF, 0xB7, 0x90]
  private static let closing: [UInt8] = [0xEF, 0xB7, 0x91]

  /// - Parameters:
  ///   - marks: in any order; of overlapping ones the first wins.
  ///   - headings: the ids of headings, each with the offset of the heading in the file.
  ///   - opensTabs: whether addresses elsewhere open beside the page.
  ///   - namesLines: whether check boxes have their lines.
  ///   - breaksLines: whether a line end inside a paragraph is a line break.
  init(
    _ text: NoteText, marks: [BodyMark], headings: [(offset: Int, id: String)] = [], opensTabs: Bool = false,
    namesLines: Bool = false, idPrefix: String = "", anchorBase: String = "",
    namesAnchors: Bool = false, breaksLines: Bool = false, rendered: RenderedMarkup = RenderedMarkup()
  ) {
    self.namesAnchors = namesAnchors
    self.breaksLines = breaksLines
    self.anchorBase = anchorBase
    self.rendered = rendered
    self.opensTabs = opensTabs
    self.namesLines = namesLines
    self.idPrefix = idPrefix
    let syntax = BodySyntax(text, footnotesSpanLines: !namesLines)
    let boxes = CheckBox.all(in: text)
    let lines = namesLines ? Self.lines(of: boxes.map(\.mark), in: text, without: []) : []
    let marks = syntax.marks + Self.marks(for: boxes, lines, in: text) + marks
    var kept: [BodyMark] = []
    var end = text.body.lowerBound
    for mark in marks.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where mark.range.lowerBound >= end && mark.range.upperBound <= text.body.upperBound
      && !mark.range.isEmpty
    {
      kept.append(mark)
      end = mark.range.upperBound
    }
    var ranges = kept.map(\.range)[...]
    let footnotes = syntax.footnotes.filter { footnote in
      ranges = ranges.drop { $0.upperBound <= footnote.lowerBound }
      return ranges.prefix { $0.lowerBound < footnote.upperBound }.allSatisfy { footnote.contains($0) }
    }
    self.marks = kept + footnotes.map { BodyMark(range: $0, content: .footnote) }
    self.text = text
    let prepared = Self.prepared(text, kept, footnotes)
    markdown = prepared.markdown
    let cuts = (kept.map(\.range) + footnotes).sorted { $0.lowerBound < $1.lowerBound }
    let preparedLines = { (offsets: [Int]) in
      Self.lines(of: offsets, in: text, without: cuts).map { $0 + prepared.leadingLines }
    }
    headingIDs = Dictionary(
      zip(preparedLines(headings.map(\.offset)), headings.map(\.id)), uniquingKeysWith: { $1 })
    boxLines = Dictionary(
      zip(namesLines ? preparedLines(boxes.map(\.mark)) : [], lines), uniquingKeysWith: { first, _ in first })
  }

  /// The marks of boxes that cmark leaves as text: those in quotes, behind the sign of another item, and with another sign
  /// than a blank and `x`.
  ///
  /// Source: cmark-gfm, ext_scanners.re, tasklist.
  private static func marks(for boxes: [CheckBox], _ lines: [Int], in text: NoteText) -> [BodyMark] {
    let bytes = text.bytes
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let referred = boxes.allSatisfy { isUsual(bytes[$0.mark]) } ? [] : referredSigns(in: text)
    return boxes.indices.compactMap { index in
      let mark = boxes[index].mark
      let range = mark - 1..<mark + 2
      let line = lines.isEmpty ? nil : lines[index]
      guard isUsual(bytes[mark]) else {
        if referred.contains(bytes[mark]) { return nil }
        let sign = String(decoding: bytes[mark...mark], as: UTF8.self)
        return BodyMark(range: range, content: .box(sign, line: line))
      }
      let start = bytes[..<mark].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
      var rest = bytes[max(start, text.body.lowerBound)..<mark - 1].drop(while: isBlank)
      let number = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(number.count + 1).drop(while: isBlank)
      if rest.isEmpty, mark + 2 < bytes.count, isBlank(bytes[mark + 2]) { return nil }
      return BodyMark(range: range, content: .checkBox(isDone: bytes[mark] != 0x20, line: line))
    }
  }

  /// Whether cmark reads a box with a sign.
  private static func isUsual(_ sign: UInt8) -> Bool {
    [0x20, UInt8(ascii: "x"), UInt8(ascii: "X")].contains(sign)
  }

  /// The signs that are labels of links: `[1]` is a link if the body has `[1]: address`.
  ///
  /// - Complexity: O(n).
  private static func referredSigns(in text: NoteText) -> Set<UInt8> {
    let bytes = text.bytes[text.body]
    var signs: Set<UInt8> = []
    for colon in bytes.indices.dropFirst(3) where bytes[colon] == UInt8(ascii: ":") {
      if bytes[colon - 1] == UInt8(ascii: "]"), bytes[colon - 3] == UInt8(ascii: "[") {
        signs.insert(bytes[colon - 2])
      }
    }
    return signs
  }

  /// The text of a body for cmark, and the number of lines before the body.
  ///
  /// Inline footnotes become footnotes with a label, whose texts are placed above the body, so that no open block can
  /// contain them.
  private static func prepared(
    _ text: NoteText, _ marks: [BodyMark], _ footnotes: [Range<Int>]
  ) -> (markdown: [UInt8], leadingLines: Int) {
    var (result, definitions) = ([UInt8](), [UInt8]())
    result.reserveCapacity(text.body.count + 8 * marks.count)
    var (position, next) = (text.body.lowerBound, 0)
    /// Adds the text up to an offset, with signs in the place of its marks.
    func add(to end: Int, _ result: inout [UInt8]) {
      while next < marks.count, marks[next].range.lowerBound < end {
        append(text.bytes[position..<marks[next].range.lowerBound], to: &result)
        result += sign(next)
        position = marks[next].range.upperBound
        next += 1
      }
      append(text.bytes[position..<end], to: &result)
      position = end
    }
    for (number, footnote) in footnotes.enumerated() {
      add(to: footnote.lowerBound, &result)
      let label = "[^".utf8 + sign(marks.count + number) + "]".utf8
      result += label
      var definition: [UInt8] = []
      position += 2
      add(to: footnote.upperBound - 1, &definition)
      position += 1
      let line = definition.indices.compactMap { place -> UInt8? in
        let isEnd = definition[place] == 0x0A || definition[place] == 0x0D
        if isEnd, place > 0, definition[place] == 0x0A, definition[place - 1] == 0x0D { return nil }
        return isEnd ? 0x20 : definition[place]
      }
      definitions += label + ": ".utf8 + line + "\n\n".utf8
    }
    add(to: text.body.upperBound, &result)
    // An indented line would go on with the last footnote.
    if !definitions.isEmpty, result.first == 0x20 || result.first == 0x09 {
      definitions += "<!-- -->\n\n".utf8
    }
    let markdown = definitions + result
    let isValid = UTF8Check.firstInvalidOffset(in: markdown[...]) == nil
    return (
      isValid ? markdown : Array(String(decoding: markdown, as: UTF8.self).utf8),
      definitions.count { $0 == 0x0A }
    )
  }

  private static func sign(_ number: Int) -> [UInt8] { opening + Array(String(number).utf8) + closing }

  /// Adds text in which the signs are replaced.
  private static func append(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    for byte in bytes {
      let isSign = (byte == 0x90 || byte == 0x91) && result.suffix(2).elementsEqual([0xEF, 0xB7])
      if isSign {
        result.removeLast(2)
        result += "\u{FFFD}".utf8
      } else {
        result.append(byte)
      }
    }
  }

  /// The lines of offsets in the body, from 1. The line ends in `cuts` don't count: signs replace them.
  ///
  /// - Parameter offsets: in order, as are the cuts.
  private static func lines(of offsets: [Int], in text: NoteText, without cuts: [Range<Int>]) -> [Int] {
    let bytes = text.bytes
    var (line, position, cuts) = (1, text.body.lowerBound, cuts[...])
    return offsets.map { offset in
      while position < min(offset, text.body.upperBound) {
        while let cut = cuts.first, cut.lowerBound < position { cuts.removeFirst() }
        if let cut = cuts.first, cut.lowerBound == position {
          position = cut.upperBound
          cuts.removeFirst()
          continue
        }
        // For cmark a carriage return alone ends a line too.
        let isReturn = bytes[position] == 0x0D && (position + 1 >= bytes.count || bytes[position + 1] != 0x0A)
        if bytes[position] == 0x0A || isReturn { line += 1 }
        position += 1
      }
      return line
    }
  }

  // MARK: Signs

  /// A piece of a text of cmark's.
  enum Piece {
    case text(ArraySlice<UInt8>)
    case mark(BodyMark)
  }

  /// The pieces of a text that cmark has read.
  func pieces(of text: [UInt8]) -> [Piece] {
    guard text.contains(0xEF) else { return [.text(text[...])] }
    var pieces: [Piece] = []
    var (start, position) = (0, 0)
    while let found = text[position...].firstIndex(of: 0xEF) {
      guard let (number, end) = Self.sign(at: found, in: text), marks.indices.contains(number)
      else {
        position = found + 1
        continue
      }
      var (before, after) = (found, end)
      if case .footnote = marks[number].content, found - start >= 2, end < text.count {
        // A footnote label in code is plain text: its brackets are not those of the note.
        (before, after) = (found - 2, end + 1)
      }
      if start < before { pieces.append(.text(text[start..<before])) }
      pieces.append(.mark(marks[number]))
      (start, position) = (after, after)
    }
    if start < text.count { pieces.append(.text(text[start...])) }
    return pieces
  }

  /// A text of cmark's with its signs replaced by the note's original text.
  func original(of text: [UInt8]) -> [UInt8] {
    pieces(of: text).flatMap { piece -> [UInt8] in
      switch piece {
      case .text(let bytes): Array(bytes)
      case .mark(let mark): original(of: mark)
      }
    }
  }

  /// The mark as it is in the note, in valid UTF-8.
  func original(of mark: BodyMark) -> [UInt8] {
    if case .hidden = mark.content { return [] }
    return Array(String(decoding: text.bytes[mark.range], as: UTF8.self).utf8)
  }

  /// The mark with which a text of cmark's begins.
  func leadingMark(_ text: [UInt8]) -> BodyMark? {
    guard let (number, _) = Self.sign(at: 0, in: text), marks.indices.contains(number) else {
      return nil
    }
    return marks[number]
  }

  /// The mark that a text of cmark's is, whole.
  func mark(_ text: [UInt8]) -> BodyMark? {
    guard let (number, end) = Self.sign(at: 0, in: text), end == text.count,
      marks.indices.contains(number)
    else { return nil }
    return marks[number]
  }

  private static func sign(at start: Int, in text: [UInt8]) -> (number: Int, end: Int)? {
    guard text[start...].starts(with: opening) else { return nil }
    var (number, position) = (0, start + 3)
    while position < text.count, (0x30...0x39).contains(text[position]), number < 1 << 40 {
      number = number * 10 + Int(text[position] - 0x30)
      position += 1
    }
    guard text[position...].starts(with: closing) else { return nil }
    return (number, position + 3)
  }
}

/// A wiki link or an embedded file taken apart: `[[target|label]]`.
struct WikiLabel {
  let target: String
  /// The label; nil if there is none.
  let text: String?

  init(_ link: ArraySlice<UInt8>) {
    let isEmbed = link.first == UInt8(ascii: "!")
    let parts = WikiLabels.parts(of: link.dropFirst(isEmbed ? 3 : 2).dropLast(2), isEmbed: isEmbed)
    target = Self.trimmed(parts.target)
    let label = parts.label.map(Self.trimmed) ?? ""
    text = label.isEmpty ? nil : label
  }

  /// Whether the target is the name of a note alone, without a heading.
  var isName: Bool { !target.utf8.contains(UInt8(ascii: "#")) }

  /// The label of an image: its text, and its size, which is the last part or all of it.
  var imageParts: (text: String?, size: String?) { text.map(Self.imageParts) ?? (nil, nil) }

  /// The same of the text of an image of Markdown, such as `A loaf|300`.
  static func imageParts(_ text: String) -> (text: String?, size: String?) {
    var parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard let last = parts.last, last.utf8.first.map({ (0x31...0x39).contains($0) }) ?? false,
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "x") })
    else { return (text, nil) }
    parts.removeLast()
    return (parts.isEmpty ? nil : parts.joined(separator: " "), last)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
