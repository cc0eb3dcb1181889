import Bytes

/// A place where two sequences of lines differ: lines of the one, and the lines of the other that replace them.
package struct LineHunk: Equatable {
  package let old: Range<Int>
  package let new: Range<Int>
}

/// Finds the changes between two sequences of lines.
///
/// If the texts are similar, the result is a shortest one (Myers). If they are very different, they are
/// first split at lines that occur once in both (patience), and parts without such lines are one change.
///
/// - Complexity: O((n + m) d) time for d changes, with d limited to `furthest` in each part; O(n + m + d²) memory.
package enum LineDiff {
  /// The number of changed lines up to which a shortest result is looked for.
  static let furthest = 800

  /// How often a part may be parted again; each time the search goes half as far.
  private static let deepest = 8

  /// Returns the changes from `old` to `new`, in order; lines are equal where their numbers are.
  package static func hunks(_ old: [Int32], _ new: [Int32]) -> [LineHunk] {
    var matches = [Int](repeating: -1, count: old.count)
    var parts = [Part(old: 0..<old.count, new: 0..<new.count, depth: 0)]
    while var part = parts.popLast() {
      part.trim(old, new, &matches)
      if part.old.isEmpty || part.new.isEmpty { continue }
      var search = MyersSearch(old[part.old], new[part.new], furthest: furthest >> part.depth)
      if search.run(into: &matches) || part.depth == deepest { continue }
      parts.append(contentsOf: part.parted(old, new))
    }
    return hunks(matches, newCount: new.count)
  }

  private static func hunks(_ matches: [Int], newCount: Int) -> [LineHunk] {
    var hunks: [LineHunk] = []
    var (oldStart, newStart) = (0, 0)
    for index in 0...matches.count {
      let match = index < matches.count ? matches[index] : newCount
      guard match >= 0 else { continue }
      if index > oldStart || match > newStart {
        hunks.append(LineHunk(old: oldStart..<index, new: newStart..<match))
      }
      (oldStart, newStart) = (index + 1, match + 1)
    }
    return hunks
  }

  /// Two corresponding stretches of lines.
  private struct Part {
    var old: Range<Int>
    var new: Range<Int>
    let depth: Int

    /// Removes the equal lines at the beginning and at the end.
    mutating func trim(_ a: [Int32], _ b: [Int32], _ matches: inout [Int]) {
      var (first, last) = (old.lowerBound, old.upperBound)
      var (newFirst, newLast) = (new.lowerBound, new.upperBound)
      while first < last, newFirst < newLast, a[first] == b[newFirst] {
        matches[first] = newFirst
        first += 1
        newFirst += 1
      }
      while first < last, newFirst < newLast, a[last - 1] == b[newLast - 1] {
        last -= 1
        newLast -= 1
        matches[last] = newLast
      }
      old = first..<last
      new = newFirst..<newLast
    }

    /// The parts that begin at each of the lines that occur once in both; none if there is no such line.
    func parted(_ a: [Int32], _ b: [Int32]) -> [Part] {
      let anchors = Anchors.common(a, old, b, new)
      if anchors.isEmpty { return [] }
      var parts: [Part] = []
      var (start, newStart) = (old.lowerBound, new.lowerBound)
      for anchor in anchors {
        parts.append(Part(old: start..<anchor.old, new: newStart..<anchor.new, depth: depth + 1))
        (start, newStart) = (anchor.old, anchor.new)
      }
      parts.append(Part(old: start..<old.upperBound, new: newStart..<new.upperBound, depth: depth + 1))
      return parts
    }
  }
}

/// The longest sequence of lines that occur once in both texts, in one order.
private enum Anchors {
  static func common(
    _ a: [Int32], _ old: Range<Int>, _ b: [Int32], _ new: Range<Int>
  ) -> [(old: Int, new: Int)] {
    let inOld = single(a, old)
    let inNew = single(b, new)
    let pairs = old.compactMap { index -> (old: Int, new: Int)? in
      guard inOld[a[index]] == index, let other = inNew[a[index]], other >= 0 else { return nil }
      return (index, other)
    }
    return longestRising(pairs)
  }

  /// The index of each line that occurs once; -1 for the others.
  private static func single(_ lines: [Int32], _ range: Range<Int>) -> [Int32: Int] {
    var places: [Int32: Int] = [:]
    for index in range {
      if places.updateValue(index, forKey: lines[index]) != nil { places[lines[index]] = -1 }
    }
    return places
  }

  /// By patience sorting: O(n log n).
  private static func longestRising(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
    var tops: [Int] = []
    var before = [Int](repeating: -1, count: pairs.count)
    for index in pairs.indices {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[tops[middle]].new < pairs[index].new { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = tops[low - 1] }
      if low == tops.count { tops.append(index) } else { tops[low] = index }
    }
    var chain: [(old: Int, new: Int)] = []
    var current = tops.last ?? -1
    while current >= 0 {
      chain.append(pairs[current])
      current = before[current]
    }
    return chain.reversed()
  }
}

/// The search for a shortest list of changes between two sequences, given up when it is long.
///
/// Source: Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
struct MyersSearch {
  private let old: ArraySlice<Int32>
  private let new: ArraySlice<Int32>
  private let furthest: Int
  /// How far each diagonal reaches in `old`, for 0, 1, 2 … changes one after another: 1, 3, 5 … numbers.
  private var reached: [Int32] = []

  init(_ old: ArraySlice<Int32>, _ new: ArraySlice<Int32>, furthest: Int) {
    self.old = old
    self.new = new
    self.furthest = furthest
  }

  /// Looks for the changes and enters the lines that stay, as indices into the whole sequences.
  ///
  /// - Returns: false, with nothing entered, if there are more than `furthest` changes.
  mutating func run(into matches: inout [Int]) -> Bool {
    for changes in 0...furthest {
      for diagonal in stride(from: -changes, through: changes, by: 2) {
        let end = slide(from: start(of: diagonal, after: changes)?.end, along: diagonal)
        reached.append(Int32(truncatingIfNeeded: end ?? -1))
        if changes > 0, diagonal < changes { reached.append(-1) }
        if end == old.count, diagonal == old.count - new.count {
          enter(changes, diagonal, into: &matches)
          return true
        }
      }
    }
    return false
  }

  /// The best beginning on a diagonal after one more change; nil if none is inside of both sequences.
  private func start(of diagonal: Int, after changes: Int) -> (end: Int, from: Int)? {
    if changes == 0 { return (0, 0) }
    let below = reach(of: diagonal - 1, after: changes - 1).flatMap { $0 < old.count ? $0 + 1 : nil }
    let above = reach(of: diagonal + 1, after: changes - 1).flatMap { $0 - diagonal <= new.count ? $0 : nil }
    if let above, above > below ?? -1 { return (above, diagonal + 1) }
    return below.map { ($0, diagonal - 1) }
  }

  private func reach(of diagonal: Int, after changes: Int) -> Int? {
    guard abs(diagonal) <= changes else { return nil }
    let end = reached[changes * changes + diagonal + changes]
    return end < 0 ? nil : Int(end)
  }

  private func slide(from start: Int?, along diagonal: Int) -> Int? {
    guard var position = start else { return nil }
    var other = position - diagonal
    guard other >= 0 else { return nil }
    let (oldStart, newStart) = (old.startIndex, new.startIndex)
    while position < old.count, other < new.count, old[oldStart + position] == new[newStart + other] {
      position += 1
      other += 1
    }
    return position
  }

  /// Goes back from the end and enters the lines that were passed without change.
  private func enter(_ changes: Int, _ diagonal: Int, into matches: inout [Int]) {
    var (end, diagonal) = (old.count, diagonal)
    for change in stride(from: changes, through: 0, by: -1) {
      guard let begin = start(of: diagonal, after: change) else { return }
      for position in begin.end..<end {
        matches[old.startIndex + position] = new.startIndex + position - diagonal
      }
      guard change > 0, let before = reach(of: begin.from, after: change - 1) else { return }
      (end, diagonal) = (before, begin.from)
    }
  }
}

/// A text as lines, each with the line end it has.
struct TextLines {
  let bytes: [UInt8]
  /// The bytes of each line without its end; a carriage return before the line feed is part of the end, or of the line.
  let contents: [Range<Int>]
  /// Whether the last line has an end; true of a text without lines.
  let isEnded: Bool

  /// - Parameter returnsAreText: whether a carriage return before a line feed is part of the line.
  init(_ bytes: [UInt8], returnsAreText: Bool = false) {
    var contents: [Range<Int>] = []
    var start = 0
    bytes.withUnsafeBufferPointer { buffer in
      while let lineFeed = buffer.offset(of: 0x0A, from: start, to: buffer.count) {
        let hasReturn = lineFeed > start && buffer[lineFeed - 1] == 0x0D
        contents.append(start..<(hasReturn && !returnsAreText ? lineFeed - 1 : lineFeed))
        start = lineFeed + 1
      }
    }
    isEnded = start == bytes.count
    if !isEnded { contents.append(start..<bytes.count) }
    self.bytes = bytes
    self.contents = contents
  }

  /// The last line if it has no line end.
  var unendedLine: ArraySlice<UInt8>? { isEnded ? nil : contents.last.map { bytes[$0] } }
}

/// Numbers for lines: equal contents have equal numbers, whatever their line ends.
struct LineNumbers {
  private struct Key: Hashable {
    let content: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) {
      content.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    static func == (left: Key, right: Key) -> Bool {
      guard left.content.count == right.content.count else { return false }
      return left.content.withUnsafeBytes { first in
        right.content.withUnsafeBytes { second in
          CLibrary.compareShared(first, second) == 0
        }
      }
    }
  }

  private var numbers: [Key: Int32] = [:]

  mutating func of(_ table: TextLines) -> [Int32] {
    table.contents.map { content in
      let next = Int32(truncatingIfNeeded: numbers.count)
      let key = Key(content: table.bytes[content])
      if let number = numbers[key] { return number }
      numbers[key] = next
      return next
    }
  }
}

/// The words of a text, its blanks, and each other character.
enum TextWords {
  /// The places of all of them, which together are the text.
  static func ranges(_ text: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = 0
    for place in text.indices {
      let isJoined = place + 1 < text.count && joins(text[place], text[place + 1])
      if isJoined { continue }
      words.append(start..<place + 1)
      start = place + 1
    }
    return words
  }

  /// Whether a byte can be seen: no blank, no line end, no control character.
  static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 }

  private static func joins(_ byte: UInt8, _ next: UInt8) -> Bool {
    (isLetter(byte) && isLetter(next)) || (byte == 0x20 && next == 0x20)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}

/// Numbers for words: equal words have equal numbers.
struct WordNumbers {
  private var numbers: [ArraySlice<UInt8>: Int32] = [:]

  mutating func of(_ words: [Range<Int>], in text: [UInt8]) -> [Int32] {
    words.map { word in
      let next = Int32(truncatingIfNeeded: numbers.count)
      if let number = numbers[text[word]] { return number }
      numbers[text[word]] = next
      return next
    }
  }
}
