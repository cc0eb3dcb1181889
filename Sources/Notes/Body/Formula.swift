/// A formula between `$` and `$` on one line, or between `$$` and `$$` in one paragraph.
package struct Formula: Sendable, Equatable {
  /// The bytes in the file, with the marks.
  package let range: Range<Int>
  /// Whether it has two marks on each side.
  package let isBlock: Bool
}

/// Finds the formulas of a body outside of code.
///
/// Source: tex_math_dollars of Pandoc: no blank follows the first mark or precedes the last, and no digit follows the last.
struct FormulaScan {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int
  private var position: Int
  private var found: [Formula] = []
  /// The links that begin or end after the position.
  private var links: ArraySlice<BodyScan.Link>
  /// The code spans that end after the position.
  private var codeSpans: ArraySlice<Range<Int>>

  private static let dollar = UInt8(ascii: "$")
  private static let backslash = UInt8(ascii: "\\")

  /// The formulas in order.
  ///
  /// - Parameters:
  ///   - code: the fenced blocks of code and the code spans.
  ///   - links: the links in order. The marks of a formula are not inside and outside of one.
  /// - Complexity: O(n).
  static func formulas(
    in bytes: UnsafeBufferPointer<UInt8>, _ body: Range<Int>, code: BodyCode.Ranges, links: [BodyScan.Link]
  ) -> [Formula] {
    var scan = FormulaScan(bytes, body, links, code.spans)
    scan.run(code.fences)
    return scan.found
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: Range<Int>, _ links: [BodyScan.Link], _ spans: [Range<Int>]
  ) {
    (self.bytes, end, position, self.links) = (bytes, body.upperBound, body.lowerBound, links[...])
    codeSpans = spans[...]
  }

  private mutating func run(_ fences: [Range<Int>]) {
    for fence in fences + [end..<end] {
      while position < fence.lowerBound {
        let paragraphEnd = min(paragraphEnd(), fence.lowerBound)
        while position < paragraphEnd { step(to: paragraphEnd) }
        position = max(position, paragraphEnd + 1)
      }
      position = max(position, fence.upperBound)
    }
  }

  private mutating func step(to limit: Int) {
    switch bytes[position] {
    case Self.backslash: position += 2
    case UInt8(ascii: "`"):
      codeSpans = codeSpans.drop { $0.upperBound <= position }
      position = codeSpans.first.flatMap { $0.lowerBound == position ? $0.upperBound : nil } ?? position + 1
    case Self.dollar:
      if let formula = formula(to: limit), !isCut(formula.range) {
        found.append(formula)
        position = formula.range.upperBound
      } else {
        while position < limit, bytes[position] == Self.dollar { position += 1 }
      }
    default: position += 1
    }
  }

  /// The end of the paragraph at the position: the next blank line.
  private func paragraphEnd() -> Int {
    var offset = position
    while let line = bytes.offset(of: 0x0A, from: offset, to: end) {
      var next = line + 1
      while next < end, isBlankByte(bytes[next]) || bytes[next] == 0x0D || bytes[next] == UInt8(ascii: ">") {
        next += 1
      }
      if next == end || bytes[next] == 0x0A { return line }
      offset = line + 1
    }
    return end
  }

  private func formula(to limit: Int) -> Formula? {
    let isBlock = position + 1 < limit && bytes[position + 1] == Self.dollar
    let first = position + (isBlock ? 2 : 1)
    guard first < limit, isBlock || bytes[first] > 0x20 else { return nil }
    var place = first
    while place < limit, isBlock || bytes[place] != 0x0A {
      if bytes[place] == Self.backslash {
        place += 2
        continue
      }
      if bytes[place] == Self.dollar {
        if !isBlock { return endsInline(place) ? Formula(range: position..<place + 1, isBlock: false) : nil }
        if place + 1 < limit, bytes[place + 1] == Self.dollar {
          return place > first ? Formula(range: position..<place + 2, isBlock: true) : nil
        }
      }
      place += 1
    }
    return nil
  }

  private func endsInline(_ place: Int) -> Bool {
    bytes[place - 1] > 0x20 && !(place + 1 < end && (0x30...0x39).contains(bytes[place + 1]))
  }

  /// Whether a link holds the first mark of a formula and not the last, as in `[for $5](a.md) or [6$](b.md)`.
  private mutating func isCut(_ range: Range<Int>) -> Bool {
    links = links.drop { $0.range.upperBound <= range.lowerBound }
    return links.first.map {
      $0.range.lowerBound < range.lowerBound && $0.range.upperBound < range.upperBound
    } ?? false
  }
}

/// The code of a body, as cmark-gfm reads it.
///
/// Every reader that has to know which text is code asks this one: its code spans end with their block.
package struct BodyCode {
  /// The fenced blocks and the code spans, both in order.
  struct Ranges {
    var fences: [Range<Int>]
    var spans: [Range<Int>]

    init(_ scanner: BodyBlocks) {
      fences = scanner.fences ?? []
      let found = scanner.inline.codeSpans ?? []
      let isSorted = zip(found, found.dropFirst()).allSatisfy { $0.lowerBound < $1.lowerBound }
      spans = isSorted ? found : found.sorted { $0.lowerBound < $1.lowerBound }
    }
  }

  /// The fenced blocks with their first and last lines, in order.
  package private(set) var fences: [Range<Int>] = []
  /// The code spans with their backticks, in order.
  package private(set) var spans: [Range<Int>] = []
  /// The text that is code whether or not signs replace formulas and links; elsewhere comments are comments. In order.
  private(set) var certain: [Range<Int>] = []
  /// The texts of the lines of indented code.
  private var lines: [Range<Int>] = []
  private(set) var formulas: [Range<Int>] = []
  /// The targets of links of Markdown, images and definitions.
  private(set) var targets: [Range<Int>] = []

  /// Reads a body.
  ///
  /// - Complexity: that of one scan of the body, or of two if a formula or a link has a backtick or a line end.
  package init(_ text: NoteText) {
    let links = read(text.bytes, text.body)
    let whole = links.filter { [.wiki, .embed, .html].contains($0.form) }
    let marks = (formulas + targets + whole.map(\.range)).filter { range in
      text.bytes[range].contains { $0 == UInt8(ascii: "`") || $0 == 0x0A }
    }
    certain = inOrder
    guard !marks.isEmpty else { return }
    var bytes = text.bytes
    for place in marks.joined() { bytes[place] = UInt8(ascii: "x") }
    var signed = BodyCode()
    _ = signed.read(bytes, text.body)
    certain = Self.common(certain, signed.inOrder)
  }

  private var inOrder: [Range<Int>] { (fences + lines + spans).sorted { $0.lowerBound < $1.lowerBound } }

  /// The parts that two lists of ranges have in common, both in order.
  private static func common(_ one: [Range<Int>], _ other: [Range<Int>]) -> [Range<Int>] {
    var (found, first) = ([Range<Int>](), 0)
    for range in one {
      while first < other.count, other[first].upperBound <= range.lowerBound { first += 1 }
      var next = first
      while next < other.count, other[next].lowerBound < range.upperBound {
        let both = range.clamped(to: other[next])
        if !both.isEmpty { found.append(both) }
        next += 1
      }
    }
    return found
  }

  private init() {}

  private mutating func read(_ bytes: [UInt8], _ body: Range<Int>) -> [BodyScan.Link] {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      (scanner.fences, scanner.codeLines, scanner.inline.targets) = ([], [], [])
      scanner.inline.codeSpans = []
      scanner.scan(from: body.lowerBound)
      let (code, links) = (Ranges(scanner), scanner.inline.found.linksInOrder)
      (fences, spans) = (code.fences, code.spans)
      (lines, targets) = (scanner.codeLines ?? [], scanner.inline.targets ?? [])
      formulas = FormulaScan.formulas(in: bytes, body, code: code, links: links).map(\.range)
      return links
    }
  }
}
