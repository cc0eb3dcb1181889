import Notes

/// The body of a note as a browser sends it, where every line ends in a line feed.
///
/// Lines that stand unchanged in the text that the browser was given keep the bytes that they have there; others end as most
/// lines of that text do.
struct SentBody {
  private let base: BrowserLines
  private let sent: BrowserLines
  /// The end of lines that are new.
  private let usualEnd: [UInt8]

  /// - Parameter base: the note whose body the browser was given.
  init(_ text: String, changing base: NoteText) {
    self.base = BrowserLines(Array(base.bytes[base.body]))
    sent = BrowserLines(Array(text.utf8))
    usualEnd = self.base.usualEnd ?? base.lineEnd
  }

  /// The body to write. It ends in a line end, but for a last line that has none in the base.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(sent.bytes.count + sent.lines.count)
    for (line, known) in zip(sent.lines, unchanged) {
      let content = sent.bytes[line.content]
      var end = known.map { Array(base.bytes[base.lines[$0].end]) } ?? usualEnd
      // The last line of the base may lack its end, and is left so where it got none.
      if end.isEmpty, !line.end.isEmpty { end = usualEnd }
      // After a carriage return a line feed alone would end no line of its own.
      if content.isEmpty, end == [0x0A], result.last == 0x0D { end = [0x0D, 0x0A] }
      result += content
      result += end
    }
    return result
  }

  /// The line of the base that each line of the sent text is; nil for those that are new.
  private var unchanged: [Int?] {
    var numbers: [ArraySlice<UInt8>: Int32] = [:]
    let (old, new) = (base.numbers(&numbers), sent.numbers(&numbers))
    var result = [Int?](repeating: nil, count: new.count)
    var (oldNext, newNext) = (0, 0)
    let end = (old: old.count..<old.count, new: new.count..<new.count)
    for changed in LineDiff.hunks(old, new).map({ (old: $0.old, new: $0.new) }) + [end] {
      for offset in 0..<(changed.new.lowerBound - newNext) { result[newNext + offset] = oldNext + offset }
      (oldNext, newNext) = (changed.old.upperBound, changed.new.upperBound)
    }
    return result
  }
}

/// A text as the lines that a browser shows: a carriage return alone ends one too.
///
/// Source: HTML Standard, section 4.10.11 (the API value of a textarea).
private struct BrowserLines {
  let bytes: [UInt8]
  /// Each line, and its line end; that of the last line may be empty.
  let lines: [(content: Range<Int>, end: Range<Int>)]

  init(_ bytes: [UInt8]) {
    var lines: [(content: Range<Int>, end: Range<Int>)] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      guard bytes[index] == 0x0A || bytes[index] == 0x0D else {
        index += 1
        continue
      }
      let isPair = bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
      let next = index + (isPair ? 2 : 1)
      lines.append((start..<index, index..<next))
      (start, index) = (next, next)
    }
    if start < bytes.count { lines.append((start..<bytes.count, bytes.count..<bytes.count)) }
    self.bytes = bytes
    self.lines = lines
  }

  /// The line end that most lines have; nil where none has one.
  var usualEnd: [UInt8]? {
    var counts: [[UInt8]: Int] = [:]
    for line in lines where !line.end.isEmpty { counts[Array(bytes[line.end]), default: 0] += 1 }
    return [[0x0A], [0x0D, 0x0A], [0x0D]].filter { counts[$0] != nil }.max { first, second in
      (counts[first] ?? 0) < (counts[second] ?? 0)
    }
  }

  /// A number for each line; equal lines have equal ones, whatever their line ends.
  func numbers(_ known: inout [ArraySlice<UInt8>: Int32]) -> [Int32] {
    lines.map { line in
      let next = Int32(truncatingIfNeeded: known.count)
      let number = known[bytes[line.content]] ?? next
      if number == next { known[bytes[line.content]] = number }
      return number
    }
  }
}
