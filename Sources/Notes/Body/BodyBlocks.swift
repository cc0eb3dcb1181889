/// Goes through a body line by line and hands the text between code, comments and the like to `BodyInline`.
///
/// Source: CommonMark 0.31, sections 4 and 5, as far as it decides what is code, a heading or text.
struct BodyBlocks {
  /// A line, taken apart as far as the blocks need it.
  struct Line {
    /// The first byte that is neither blank nor a mark of a quotation.
    var position: Int
    /// The end without the line end.
    var end: Int
    /// The column at `position`, tabs counted to the next multiple of four.
    var column: Int
    /// How many marks of quotations came before.
    var quoteDepth: Int
  }

  /// An open block of code, and where it stands.
  struct Fence {
    /// Where its first line begins, behind blanks and marks.
    let start: Int
    let mark: UInt8
    let length: Int
    let quoteDepth: Int
    let listColumn: Int
  }

  /// Lines of text that belong to one paragraph, list item, row or heading.
  struct Run {
    let start: Int
    var end: Int
    let quoteDepth: Int
    let isPlain: Bool
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let end: Int
  var inline: BodyInline
  var fence: Fence?
  var run: Run?
  var lists = ListColumns()
  /// The headings, where they are wanted.
  var headings: [BodyHeading]?
  /// The blocks of code between fences, where they are wanted.
  var fences: [Range<Int>]?
  private var isAfterBlank = true

  init(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) {
    self.bytes = bytes
    self.end = end
    inline = BodyInline(bytes)
  }

  /// Scans from an offset, the beginning of a line, to the end.
  mutating func scan(from start: Int) {
    var position = start
    while position < end {
      let lineFeed = offset(of: 0x0A, from: position, to: end) ?? end
      let lineEnd = lineFeed > position && bytes[lineFeed - 1] == 0x0D ? lineFeed - 1 : lineFeed
      position = take(from: position, to: lineEnd) ?? lineFeed + 1
    }
    if fence != nil { closeFence(at: end) }
    flush()
  }

  /// Ends the block of code under way; a line end before its end is no part of it.
  private mutating func closeFence(at end: Int) {
    guard let open = fence else { return }
    fence = nil
    guard fences != nil else { return }
    var last = end
    while last > open.start, bytes[last - 1] == 0x0A || bytes[last - 1] == 0x0D { last -= 1 }
    fences?.append(open.start..<last)
  }

  /// Takes a line; returns where to go on where that is not the next line.
  private mutating func take(from start: Int, to lineEnd: Int) -> Int? {
    var line = Line(position: start, end: lineEnd, column: 0, quoteDepth: 0)
    strip(&line)
    if let open = fence {
      if isInside(line, open) {
        if closes(line, open) { closeFence(at: lineEnd) }
        isAfterBlank = false
        return nil
      }
      closeFence(at: start)
    }
    if line.position == lineEnd {
      flush()
      isAfterBlank = true
      return nil
    }
    defer { isAfterBlank = false }
    if line.quoteDepth != run?.quoteDepth { flush() }
    if isAfterBlank { lists.leave(to: line.column) }
    return takeBlocks(&line)
  }

  /// Takes what a line that is not blank begins: list items first, as many as open on it, then one block.
  private mutating func takeBlocks(_ line: inout Line) -> Int? {
    var isItem = false
    while true {
      let indent = max(0, line.column - lists.last)
      if indent >= 4, run == nil { return nil }
      if indent < 4 {
        if isBreak(line) {
          takeUnderline(line)
          interrupt(at: line)
          return nil
        }
        if takeListMarker(&line) {
          isItem = true
          continue
        }
        if let next = takeLeaf(line, isItem: isItem) { return next == line.end ? nil : next }
      }
      extendRun(line, isItem: isItem)
      return nil
    }
  }

  private mutating func extendRun(_ line: Line, isItem: Bool) {
    guard line.position < line.end else { return }
    let isRow = bytes[line.position] == UInt8(ascii: "|")
    if isRow { flush() }
    if run == nil {
      let isPlain = !isItem && !isRow && line.quoteDepth == 0 && lists.isEmpty
      run = Run(start: line.position, end: line.end, quoteDepth: line.quoteDepth, isPlain: isPlain)
    } else {
      run?.end = line.end
    }
  }

  /// Ends the paragraph, and the list items that the line which interrupts them is not inside of.
  mutating func interrupt(at line: Line) {
    flush()
    lists.leave(to: line.column)
  }

  /// Ends the paragraph under way and looks through it.
  mutating func flush() {
    guard let done = run else { return }
    run = nil
    inline.scan(done.start, done.end)
  }
}
