import Bytes
import Text

/// Words that follow one another, whatever stands between them.
struct WordPattern: Sendable, Equatable {
  /// The words, folded; never empty.
  let words: [[UInt8]]
  /// Whether the last word is the beginning of one.
  let isPrefix: Bool
  private let search: ByteSearch

  /// Takes the words out of a text; nil where it has none.
  init?(_ text: [UInt8], isPrefix: Bool) {
    let folded = Folding.fold(text[...])
    words = Words.ranges(in: folded[...]).map { Array(folded[$0]) }
    guard let first = words.first else { return nil }
    self.isPrefix = isPrefix
    // A letter that is a word of its own, as in Chinese, may follow any other.
    search = ByteSearch(first, isAtWordStart: ASCII.isWord(first[0]))
  }

  /// Whether a text of ASCII alone may have an occurrence.
  var isASCII: Bool { words.allSatisfy { $0.allSatisfy { byte in byte < 0x80 } } }

  /// Says quickly whether ASCII text may have an occurrence: false is certain.
  func mayOccur(inASCII bytes: UnsafeRawBufferPointer) -> Bool { search.first(in: bytes) != nil }

  /// Decides about a text with letters beyond ASCII without folding all of it, where that can be done.
  ///
  /// - Returns: nil where the whole text has to be looked at.
  func verdict(inMixed bytes: ArraySlice<UInt8>) -> Bool? {
    let isSingle = words.count == 1
    if search.isASCII {
      var text = FoldedText(ascii: bytes)
      var index = bytes.startIndex
      while let candidate = search.first(in: bytes, from: index) {
        let run = MixedText.run(around: candidate, in: bytes)
        index = run.upperBound
        guard ASCII.isAll(bytes[run]) else { continue }
        if !isSingle { return nil }
        if occurs(from: candidate, before: run.upperBound, in: &text) { return true }
      }
    }
    var runs = FoldedText(folded: MixedText.foldedRuns(of: bytes))
    if isSingle { return next(in: &runs, from: 0) != nil }
    return search.first(in: runs.bytes, from: 0) == nil ? false : nil
  }

  /// Whether the single word stands in a run of ASCII that ends at `end`.
  private func occurs(from start: Int, before end: Int, in text: inout FoldedText) -> Bool {
    var index = start
    while let candidate = search.first(in: text.bytes[..<end], from: index) {
      if occurrence(at: candidate, in: &text) != nil { return true }
      index = candidate + 1
    }
    return false
  }

  /// Returns the first occurrence that begins at or after an index.
  func next(in text: inout FoldedText, from start: Int) -> Range<Int>? {
    var index = start
    while let candidate = search.first(in: text.bytes, from: index) {
      if let end = occurrence(at: candidate, in: &text) { return candidate..<end }
      index = candidate + 1
    }
    return nil
  }

  private func occurrence(at start: Int, in text: inout FoldedText) -> Int? {
    guard var end = text.wordEnd(startingAt: start), fits(0, start..<end, in: text) else { return nil }
    for index in words.indices.dropFirst() {
      guard let word = text.nextWord(from: end), fits(index, word, in: text) else { return nil }
      end = word.upperBound
    }
    return end
  }

  private func fits(_ index: Int, _ word: Range<Int>, in text: FoldedText) -> Bool {
    let wanted = words[index]
    let isOpen = isPrefix && index == words.count - 1
    guard isOpen ? word.count >= wanted.count : word.count == wanted.count else { return false }
    for offset in wanted.indices
    where ASCII.lowerCased(text.bytes[word.lowerBound + offset]) != wanted[offset] {
      return false
    }
    return true
  }
}

/// A text with letters beyond ASCII, parted into what needs folding and what does not.
///
/// A word never reaches over a blank, so only the runs without blanks that hold other letters are folded: in
/// most languages that is little of the text.
enum MixedText {
  /// Returns the runs with letters beyond ASCII, folded, with line ends between them.
  ///
  /// - Complexity: O(n).
  static func foldedRuns(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    var index = bytes.startIndex
    while let other = firstOther(in: bytes, from: index) {
      let run = run(around: other, in: bytes)
      Folding.append(bytes[run], to: &folded)
      folded.append(UInt8(ascii: "\n"))
      index = run.upperBound
    }
    return folded
  }

  /// Returns the run without blanks around an index.
  static func run(around index: Int, in bytes: ArraySlice<UInt8>) -> Range<Int> {
    var (start, end) = (index, index)
    while start > bytes.startIndex, !ASCII.isBlank(bytes[start - 1]) { start -= 1 }
    while end < bytes.endIndex, !ASCII.isBlank(bytes[end]) { end += 1 }
    return start..<end
  }

  /// Returns the first index at or after `start` with a byte beyond ASCII.
  private static func firstOther(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    let base = bytes.startIndex
    return bytes.withUnsafeBytes { bytes -> Int? in
      var offset = start - base
      while offset + 8 <= bytes.count {
        let marks =
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian & 0x8080_8080_8080_8080
        if marks != 0 { return base + offset + marks.trailingZeroBitCount / 8 }
        offset += 8
      }
      while offset < bytes.count {
        if bytes[offset] >= 0x80 { return base + offset }
        offset += 1
      }
      return nil
    }
  }
}
