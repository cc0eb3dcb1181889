/// Reads the blocks of a body as cmark-gfm does and passes the text in them to `BodyInline`.
///
/// Source: CommonMark 0.31, sections 4 and 5, GitHub's tables, and cmark's blocks.c if they leave a choice.
struct BodyBlocks {
  /// A block that holds other blocks.
  enum Container {
    case quote
    /// A list item whose text begins at a column, counted from its container.
    case item(width: Int, hasContent: Bool)
    case footnote
  }

  /// An open block of lines.
  enum Leaf {
    case none
    case paragraph(Paragraph)
    case fence(Fence)
    case indentedCode
    case html(HTMLBlock)
    /// The rows of a table with so many columns.
    case table(columns: Int)
  }

  /// A paragraph that may go on.
  struct Paragraph {
    var start: Int
    var end: Int
    /// The start of the text of the last line.
    var lastLine: Int
    /// The starts of the texts of lazy lines with leading blanks: cmark reads no definition there.
    var lazyIndented: [Int] = []
    /// How many marks of quotations may begin a line.
    var quoteDepth: Int

    init(_ line: BodyLine, quoteDepth: Int) {
      (start, end, lastLine) = (line.text, line.end, line.text)
      self.quoteDepth = quoteDepth
    }
  }

  /// An open fenced block of code.
  struct Fence {
    /// The offset of the first mark.
    let start: Int
    let mark: UInt8
    let length: Int
  }

  /// Text to be read for links and tags after all blocks, when the labels of references are known.
  private struct Run {
    var range: Range<Int>
    let isHTML: Bool
    let isAfterComment: Bool
    let quoteDepth: Int
  }

  /// The greatest depth of nested containers; deeper ones are read as text.
  private static let mostContainers = 100

  let bytes: UnsafeBufferPointer<UInt8>
  let end: Int
  var inline: BodyInline
  var containers: [Container] = []
  var leaf = Leaf.none
  /// The headings; nil if the caller does not need them.
  var headings: [BodyHeading]?
  /// The offsets of the marks of check boxes in list items; nil if the caller does not need them.
  var boxes: [Int]?
  /// The fenced blocks of code; nil if the caller does not need them.
  var fences: [Range<Int>]?
  /// The texts of the lines of indented code; nil if the caller does not need them.
  var codeLines: [Range<Int>]?
  /// The blocks of `<pre>`, `<script>` and `<style>`; nil if the caller does not need them.
  var elements: [Range<Int>]?
  private var runs: [Run] = []
  /// The start of the first block.
  private var opening = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) {
    self.bytes = bytes
    self.end = end
    inline = BodyInline(bytes)
  }

  /// Scans from an offset, the beginning of a line, to the end.
  ///
  /// - Complexity: O(n).
  mutating func scan(from start: Int) {
    opening = BodyOpening.offset(in: bytes, from: start, to: end)
    var position = start
    var lineFeed = start - 1
    while position < end {
      if lineFeed < position { lineFeed = bytes.offset(of: 0x0A, from: position, to: end) ?? end }
      let lineEnd = bytes.offset(of: 0x0D, from: position, to: lineFeed) ?? lineFeed
      take(BodyLine(bytes, from: position, to: lineEnd))
      position = lineEnd + 1 == lineFeed ? lineFeed + 1 : lineEnd + 1
    }
    closeLeaf(at: end)
    for run in runs {
      inline.scan(
        run.range.lowerBound, run.range.upperBound, isHTML: run.isHTML, isAfterComment: run.isAfterComment,
        quoteDepth: run.quoteDepth)
    }
  }

  /// Takes a heading for the title if it is of the first level and opens the body.
  ///
  /// - Parameter start: its first byte that is not blank.
  mutating func takeTitle(_ text: Range<Int>, level: Int, from start: Int) {
    if level == 1, start == opening { inline.takeTitle(text.lowerBound, text.upperBound) }
  }

  /// Remembers text to be read for links and tags.
  mutating func add(
    _ range: Range<Int>, isHTML: Bool = false, isAfterComment: Bool = false, quoteDepth: Int? = nil
  ) {
    guard !range.isEmpty else { return }
    runs.append(
      Run(
        range: range, isHTML: isHTML, isAfterComment: isAfterComment,
        quoteDepth: quoteDepth ?? self.quoteDepth))
  }

  /// Adds a line to the open block of HTML, whose tags may have several lines.
  mutating func extendHTML(to end: Int) {
    guard let last = runs.indices.last else { return }
    runs[last].range = runs[last].range.lowerBound..<end
  }

  /// How many of the open containers are quotations.
  var quoteDepth: Int { containers.count { if case .quote = $0 { true } else { false } } }

  // MARK: Lines

  private mutating func take(_ start: BodyLine) {
    var line = start
    let depth = matchContainers(&line)
    var continues = false
    if depth == containers.count {
      switch continueLeaf(&line) {
      case .taken: return
      case .continues: continues = true
      case .ends: break
      }
    }
    if openBlocks(&line, depth: depth, continues: continues) { return }
    addText(line, isLazy: depth < containers.count)
  }

  /// Moves past the marks of the open containers that a line continues, and returns their number.
  private mutating func matchContainers(_ line: inout BodyLine) -> Int {
    for depth in containers.indices {
      switch containers[depth] {
      case .quote:
        guard !line.isIndented, line.first == UInt8(ascii: ">") else { return depth }
        takeQuoteMark(&line)
      case .item(let width, let hasContent):
        if line.indent >= width {
          line.skip(columns: width)
        } else if line.isBlank, hasContent {
          line.skipBlanks()
        } else {
          return depth
        }
      case .footnote:
        if line.isIndented {
          line.skip(columns: 4)
        } else if !line.isBlank {
          return depth
        }
      }
    }
    return containers.count
  }

  private mutating func takeQuoteMark(_ line: inout BodyLine) {
    line.skipText(1)
    if line.hasBlank { line.skip(columns: 1) }
  }

  /// Opens the blocks that begin on a line; returns whether they take the whole line.
  ///
  /// - Parameters:
  ///   - depth: the number of containers that the line continues.
  ///   - continues: whether the line continues the open leaf.
  private mutating func openBlocks(_ line: inout BodyLine, depth: Int, continues: Bool) -> Bool {
    var (depth, continues) = (depth, continues)
    // A paragraph goes on lazily until a block opens or a blank line ends it.
    var mayBeLazy = if case .paragraph = leaf { true } else { false }
    let isUnmatched = !continues
    while true {
      if line.isIndented {
        if mayBeLazy || line.isBlank { break }
        close(to: depth, before: line)
        leaf = .indentedCode
        codeLines?.append(line.text..<line.end)
        return true
      }
      let isParagraph = if continues, case .paragraph = leaf { true } else { false }
      if takeLeafStart(&line, depth: depth, isParagraph: isParagraph) { return true }
      guard let container = containerStart(&line, depth: depth, isParagraph: isParagraph) else {
        if continues, takeTableLine(line) { return true }
        break
      }
      containers.append(container)
      depth += 1
      (continues, mayBeLazy) = (false, false)
      if boxes != nil, case .item = container, let mark = boxMark(line) { boxes?.append(mark) }
      if isTask(line) {
        line.skipText(3)
        break
      }
    }
    if mayBeLazy, isUnmatched, !line.isBlank { return false }
    if !continues { close(to: depth, before: line) }
    return line.isBlank
  }

  /// The container that begins at the text of a line, with its marks read and the blocks before it closed.
  private mutating func containerStart(
    _ line: inout BodyLine, depth: Int, isParagraph: Bool
  ) -> Container? {
    guard depth < Self.mostContainers, !line.isBlank else { return nil }
    if line.first == UInt8(ascii: ">") {
      let tag = tagEnd(line)
      close(to: depth, before: line)
      if let tag { add(tag, isHTML: true) }
      takeQuoteMark(&line)
      return .quote
    }
    if let length = footnoteMark(line) {
      close(to: depth, before: line)
      if inline.labelUses != nil, let close = bytes.offset(of: 0x5D, from: line.text, to: end) {
        let label = inline.comparable(line.text + 1..<close)
        inline.labelUses?.beginFootnote(label, line.text..<end)
      }
      line.skipText(length)
      return .footnote
    }
    guard let length = listMark(line, isParagraph: isParagraph) else { return nil }
    close(to: depth, before: line)
    let offset = line.indent
    line.skipText(length)
    // A text five columns away is code in an item whose text begins one column away.
    let isNear = !line.isBlank && (1...4).contains(line.indent)
    let width = isNear ? line.indent : 1
    if line.isBlank { line.skipBlanks() } else { line.skip(columns: width) }
    return .item(width: offset + length + width, hasContent: false)
  }

  /// The tag of a paragraph whose `>` alone is on the line after it, as people write `<img` over several lines: cmark reads
  /// a quotation there, others the tag.
  private func tagEnd(_ line: BodyLine) -> Range<Int>? {
    guard case .paragraph(let paragraph) = leaf,
      let start = bytes[paragraph.start..<paragraph.end].lastIndex(of: UInt8(ascii: "<")),
      let tag = HTMLTag(bytes, from: start, to: line.text + 1, quoteDepth: paragraph.quoteDepth),
      tag.range.upperBound == line.text + 1
    else { return nil }
    return tag.range
  }

  /// The offset of the mark of a check box at the text of a line; nil if there is none.
  private func boxMark(_ line: BodyLine) -> Int? {
    let text = line.text
    guard !line.isIndented, text + 2 < line.end, bytes[text] == UInt8(ascii: "["),
      bytes[text + 2] == UInt8(ascii: "]"), (0x20...0x7E).contains(bytes[text + 1]),
      text + 3 == line.end || isBlankByte(bytes[text + 3])
    else { return nil }
    return text + 1
  }

  /// Whether the box of a task is at the text of a line that begins with the mark of a list item.
  private func isTask(_ line: BodyLine) -> Bool {
    guard line.text + 3 < line.end, isBlankByte(bytes[line.text + 3]), bytes[line.text] == UInt8(ascii: "["),
      " xX".utf8.contains(bytes[line.text + 1]), bytes[line.text + 2] == UInt8(ascii: "]")
    else { return false }
    var start = line.text
    while start > 0, isBlankByte(bytes[start - 1]) { start -= 1 }
    guard start > 0, start < line.text else { return false }
    start -= 1
    while start > 0, (0x30...0x39).contains(bytes[start - 1]) { start -= 1 }
    while start > 0, isBlankByte(bytes[start - 1]) { start -= 1 }
    return start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D
  }

  /// - Parameter isLazy: whether the line does not continue all containers of the paragraph that it is of.
  private mutating func addText(_ line: BodyLine, isLazy: Bool) {
    guard case .paragraph(var paragraph) = leaf else {
      noteContent()
      leaf = .paragraph(Paragraph(line, quoteDepth: quoteDepth))
      return
    }
    paragraph.end = line.end
    paragraph.lastLine = line.text
    if isLazy, line.indent > 0 { paragraph.lazyIndented.append(line.text) }
    // So far to the right, `>` is text of a lazy line.
    if isLazy, line.first == UInt8(ascii: ">") { paragraph.quoteDepth = 0 }
    leaf = .paragraph(paragraph)
  }

  // MARK: Ends

  /// Closes the open leaf and the containers below some of them, before a block that begins on a line.
  mutating func close(to depth: Int, before line: BodyLine) {
    closeLeaf(at: line.text)
    while containers.count > depth {
      if case .footnote = containers.removeLast() { inline.labelUses?.endFootnote(at: line.text) }
    }
    if !line.isBlank { noteContent() }
  }

  /// Remembers that the innermost container has a block.
  private mutating func noteContent() {
    guard let last = containers.indices.last, case .item(let width, false) = containers[last] else { return }
    containers[last] = .item(width: width, hasContent: true)
  }

  private mutating func closeLeaf(at offset: Int) {
    let open = leaf
    leaf = .none
    switch open {
    case .paragraph(let paragraph):
      add(takeDefinitions(paragraph)..<paragraph.end, quoteDepth: paragraph.quoteDepth)
    case .fence(let fence):
      // The text of the next line may begin after marks of containers.
      var last = offset
      while last < end, last > fence.start, bytes[last - 1] != 0x0A, bytes[last - 1] != 0x0D { last -= 1 }
      addFence(fence, to: last)
    case .html(.element): endElement(at: offset)
    case .none, .indentedCode, .html, .table: break
    }
  }

  /// Begins a block of `<pre>`, `<script>` or `<style>`, which goes on to the end if nothing ends it.
  mutating func beginElement(at start: Int) { elements?.append(start..<end) }

  /// Ends the last block of `<pre>`, `<script>` or `<style>`.
  mutating func endElement(at offset: Int) {
    guard let last = elements?.last, let place = elements?.indices.last else { return }
    elements?[place] = last.lowerBound..<max(last.lowerBound, offset)
  }

  /// Adds a fenced block of code; a line end at its end is no part of it.
  mutating func addFence(_ fence: Fence, to offset: Int) {
    guard fences != nil else { return }
    var last = offset
    while last > fence.start, bytes[last - 1] == 0x0A || bytes[last - 1] == 0x0D { last -= 1 }
    fences?.append(fence.start..<last)
  }
}
