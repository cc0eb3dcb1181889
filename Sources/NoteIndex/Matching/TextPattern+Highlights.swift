import Bytes
import Text

extension TextPattern {
  /// Returns what a reader should see marked in a text that is not folded: whole words, in order.
  ///
  /// A match over several lines is marked on each of them.
  /// - Complexity: O(n).
  func highlights(in original: ArraySlice<UInt8>) -> [Range<Int>] {
    guard occurs(in: original) else { return [] }
    if case .signs(let signs) = self { return Self.occurrences(of: signs, in: original) }
    var text = FoldedText(original)
    let found = all(in: &text)
    if case .words = self, ASCII.isAll(original) { return found }
    return Self.translated(found, from: text.bytes, to: original)
  }

  /// Returns the stretches of the original that have the same words as `found` in the folded text.
  ///
  /// Folding keeps line ends, and the words of each line, so that they can be told by their numbers.
  private static func translated(
    _ found: [Range<Int>], from folded: ArraySlice<UInt8>, to original: ArraySlice<UInt8>
  ) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var hits = found[...]
    var (foldedStart, start) = (folded.startIndex, original.startIndex)
    while !hits.isEmpty, foldedStart < folded.endIndex, start < original.endIndex {
      let foldedEnd = lineEnd(in: folded, from: foldedStart)
      let end = lineEnd(in: original, from: start)
      let here = hits.prefix { $0.lowerBound < foldedEnd }
      if !here.isEmpty {
        let foldedWords = Words.ranges(in: folded[foldedStart..<foldedEnd])
        let words = Words.ranges(in: original[start..<end])
        if words.count == foldedWords.count { result += translated(here, from: foldedWords, to: words) }
      }
      // The last one may go on in the next line.
      while let first = hits.first, first.upperBound <= foldedEnd { hits.removeFirst() }
      (foldedStart, start) = (foldedEnd, end)
    }
    return result
  }

  /// The index after the line end.
  private static func lineEnd(in bytes: ArraySlice<UInt8>, from start: Int) -> Int {
    bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
  }

  private static func translated(
    _ found: ArraySlice<Range<Int>>, from folded: [Range<Int>], to original: [Range<Int>]
  ) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var first = 0
    for range in found {
      while first < folded.count, folded[first].upperBound <= range.lowerBound { first += 1 }
      var end = first
      while end < folded.count, folded[end].lowerBound < range.upperBound { end += 1 }
      guard end > first else { continue }
      result.append(original[first].lowerBound..<original[end - 1].upperBound)
      first = end - 1
    }
    return result
  }

  private static func occurrences(of signs: ByteSearch, in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var index = bytes.startIndex
    while let found = signs.first(in: bytes, from: index) {
      index = found + signs.needle.count
      result.append(found..<index)
    }
    return result
  }
}
