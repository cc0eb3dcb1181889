import Notes

/// The marks of a body that Obsidian's Markdown has and cmark does not: highlights, math, inline footnotes and the heads of
/// callouts.
///
/// Code and escaped signs have none. Each mark ends in the paragraph in which it begins.
struct BodySyntax {
  /// In order; the ranges of inline footnotes are not among them.
  private(set) var marks: [BodyMark] = []
  /// The inline footnotes, with their signs: `^[text]`. They have marks of their own inside.
  private(set) var footnotes: [Range<Int>] = []
  private let bytes: [UInt8]
  private let end: Int
  private let footnotesSpanLines: Bool
  /// The brackets of the paragraph that ends at `limit`.
  private var brackets: (limit: Int, closes: [Int: Int]) = (-1, [:])
  private var position: Int
  /// The formulas from the position on.
  private var formulas: ArraySlice<Formula>
  /// The ends of the code spans by their beginnings.
  private var codeEnds: [Int: Int] = [:]

  private static let dollar = UInt8(ascii: "$")
  private static let backslash = UInt8(ascii: "\\")

  /// Reads a body.
  ///
  /// - Parameter footnotesSpanLines: whether an inline footnote may go over several lines.
  /// - Complexity: that of a scan of the body.
  init(_ text: NoteText, footnotesSpanLines: Bool = true) {
    bytes = text.bytes
    end = text.body.upperBound
    position = text.body.lowerBound
    self.footnotesSpanLines = footnotesSpanLines
    formulas = []
    let hasSyntax = bytes[text.body].contains { "$=!^".utf8.contains($0) }
    guard hasSyntax || footnotesSpanLines && bytes[text.body].contains(UInt8(ascii: "[")) else { return }
    if hasSyntax { formulas = BodyScan(text).formulas[...] }
    let code = BodyCode(text)
    codeEnds = Dictionary(code.spans.map { ($0.lowerBound, $0.upperBound) }, uniquingKeysWith: max)
    scan(code.fences[...])
  }

  private mutating func scan(_ fences: ArraySlice<Range<Int>>) {
    var fences = fences
    var paragraphEnd = position
    var isLineStart = true
    while position < end {
      while let fence = fences.first, fence.upperBound <= position { fences.removeFirst() }
      if let fence = fences.first, fence.contains(position) {
        position = fence.upperBound
        continue
      }
      if position >= paragraphEnd {
        paragraphEnd = min(self.paragraphEnd(), fences.first?.lowerBound ?? end)
      }
      if isLineStart { takeCallout() }
      guard position < end else { break }
      isLineStart = bytes[position] == 0x0A
      step(to: max(paragraphEnd, position + 1))
    }
  }

  private mutating func step(to limit: Int) {
    switch bytes[position] {
    case Self.backslash: position += 2
    case UInt8(ascii: "`"): position = codeEnds[position] ?? position + 1
    case Self.dollar:
      formulas = formulas.drop { $0.range.lowerBound < position }
      if let formula = formulas.first, formula.range.lowerBound == position {
        marks.append(BodyMark(range: formula.range, content: .math(isBlock: formula.isBlock)))
        position = formula.range.upperBound
      } else {
        skip(Self.dollar)
      }
    case UInt8(ascii: "^"):
      if let close = footnote(to: limit) { footnotes.append(position..<close) }
      position += 1
    case UInt8(ascii: "="):
      if let close = highlight(to: limit) {
        marks.append(BodyMark(range: position..<position + 2, content: .highlight(isOpening: true)))
        marks.append(BodyMark(range: close..<close + 2, content: .highlight(isOpening: false)))
        position += 2
      } else {
        if let last = marks.last, last.range.lowerBound == position {
          position += 2
          return
        }
        skip(UInt8(ascii: "="))
      }
    default: position += 1
    }
  }

  private func next(_ distance: Int) -> UInt8? {
    position + distance < end ? bytes[position + distance] : nil
  }

  private mutating func skip(_ byte: UInt8) {
    while position < end, bytes[position] == byte { position += 1 }
  }

  /// The end of the paragraph at the position: the next blank line.
  private func paragraphEnd() -> Int {
    var offset = position
    while let line = bytes[offset..<end].firstIndex(of: 0x0A) {
      let rest = bytes[(line + 1)..<end].drop {
        $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == UInt8(ascii: ">")
      }
      if rest.isEmpty || rest.first == 0x0A { return line }
      offset = line + 1
    }
    return end
  }

  // MARK: Highlights

  /// The offset of the signs that end a highlight which begins at the position.
  private func highlight(to limit: Int) -> Int? {
    let sign = UInt8(ascii: "=")
    guard next(1) == sign, let first = next(2), first > 0x20, first != sign,
      marks.last?.range.lowerBound != position
    else { return nil }
    guard position == 0 || bytes[position - 1] != sign else { return nil }
    var place = position + 2
    while place + 1 < limit {
      if bytes[place] == sign, bytes[place + 1] == sign {
        let isEnd = bytes[place - 1] > 0x20 && (place + 2 >= end || bytes[place + 2] != sign)
        return isEnd ? place : nil
      }
      place += 1
    }
    return nil
  }

  // MARK: Footnotes

  /// The end of an inline footnote that begins at the position.
  ///
  /// Source: inline_notes of Pandoc.
  private mutating func footnote(to limit: Int) -> Int? {
    guard next(1) == UInt8(ascii: "["), position >= footnotes.last?.upperBound ?? 0 else { return nil }
    if brackets.limit != limit { brackets = (limit, closingBrackets(from: position + 1, to: limit)) }
    return brackets.closes[position + 1].flatMap { $0 > position + 2 ? $0 + 1 : nil }
  }

  /// The offsets of the brackets that close others, by the offsets of those, outside of code.
  private func closingBrackets(from start: Int, to limit: Int) -> [Int: Int] {
    var (place, open, closes) = (start, [Int](), [Int: Int]())
    while place < limit {
      switch bytes[place] {
      case Self.backslash: place += 1
      case UInt8(ascii: "`"):
        place = codeEnds[place] ?? place + 1
        continue
      case UInt8(ascii: "["): open.append(place)
      case UInt8(ascii: "]"): if let start = open.popLast() { closes[start] = place }
      case 0x0A where !footnotesSpanLines: open = []
      default: break
      }
      place += 1
    }
    return closes
  }

  // MARK: Callouts

  /// Takes `[!type]` or `[!type|metadata]` and the sign of a fold at the beginning of a line of a quote, which may be in an
  /// item of a list.
  private mutating func takeCallout() {
    var place = position
    var depth = 0
    while place < end {
      if bytes[place] == UInt8(ascii: ">") {
        depth += 1
        place += 1
      } else if bytes[place] == 0x20 || bytes[place] == 0x09 {
        place += 1
      } else if let mark = endOfListMark(place) {
        (depth, place) = (0, mark)
      } else {
        break
      }
    }
    guard depth > 0, place + 3 < end, bytes[place] == UInt8(ascii: "["),
      bytes[place + 1] == UInt8(ascii: "!")
    else {
      return
    }
    let name = bytes[(place + 2)..<end].prefix { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || byte == UInt8(ascii: "-")
    }
    guard !name.isEmpty, name.endIndex < end else { return }
    var close = name.endIndex
    if bytes[close] == UInt8(ascii: "|") {
      // With a backtick code may begin there, which goes on after the bracket.
      close = bytes[close..<end].firstIndex { $0 == 0x60 || $0 == UInt8(ascii: "]") || $0 == 0x0A } ?? end
    }
    guard close < end, bytes[close] == UInt8(ascii: "]") else { return }
    close += 1
    var isOpen: Bool?
    if close < end, bytes[close] == UInt8(ascii: "+") || bytes[close] == UInt8(ascii: "-") {
      isOpen = bytes[close] == UInt8(ascii: "+")
      close += 1
    }
    while close < end, bytes[close] == 0x20 { close += 1 }
    let type = String(decoding: name, as: UTF8.self).lowercased()
    marks.append(BodyMark(range: place..<close, content: .callout(type, isOpen: isOpen)))
    position = close
  }

  /// The end of the mark of a list item at an offset, with the blank behind it; nil without a mark.
  private func endOfListMark(_ start: Int) -> Int? {
    var place = start
    if "-*+".utf8.contains(bytes[place]) {
      place += 1
    } else {
      while place < end, (0x30...0x39).contains(bytes[place]), place - start < 9 { place += 1 }
      guard place > start, place < end, bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: ")")
      else { return nil }
      place += 1
    }
    return place < end && bytes[place] == 0x20 ? place + 1 : nil
  }
}
