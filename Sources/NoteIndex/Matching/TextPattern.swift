import Bytes
import Text

/// A pattern for text, without regard to case and diacritics.
enum TextPattern: Sendable, Equatable {
  /// A whole word, a phrase, or the beginning of a word.
  case words(WordPattern)
  /// Pieces with gaps between them.
  case wildcard(WildcardPattern)
  /// Symbols outside words, such as `😀` or `->`: found at any position.
  case signs(ByteSearch)

  /// Whether a note's text has an occurrence.
  func occurs(in bytes: ArraySlice<UInt8>) -> Bool {
    let verdict = bytes.withUnsafeBytes { quickVerdict($0) }
    if let verdict { return verdict }
    if case .words(let pattern) = self, let verdict = pattern.verdict(inMixed: bytes) { return verdict }
    var text = FoldedText(bytes)
    return next(in: &text, from: text.bytes.startIndex) != nil
  }

  /// Whether a text has an occurrence.
  func occurs(in text: String) -> Bool {
    var text = text
    let verdict = text.withUTF8 { quickVerdict(UnsafeRawBufferPointer($0)) }
    return verdict ?? occurs(in: Array(text.utf8)[...])
  }

  /// Returns the first occurrence in a prepared text that begins at or after an index.
  func next(in text: inout FoldedText, from start: Int) -> Range<Int>? {
    switch self {
    case .words(let pattern): return pattern.next(in: &text, from: start)
    case .wildcard(let pattern): return pattern.next(in: &text, from: start)
    case .signs(let signs):
      return signs.first(in: text.bytes, from: start).map { $0..<$0 + signs.needle.count }
    }
  }

  /// Returns all occurrences in a prepared text, in order, none over another.
  func all(in text: inout FoldedText) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = text.bytes.startIndex
    while let range = next(in: &text, from: index) {
      found.append(range)
      index = max(range.upperBound, range.lowerBound + 1)
    }
    return found
  }

  /// Returns the number of occurrences in a text.
  func count(in bytes: ArraySlice<UInt8>) -> Int {
    guard bytes.withUnsafeBytes({ quickVerdict($0) }) != false else { return 0 }
    var text = FoldedText(bytes)
    return all(in: &text).count
  }

  /// Whether a text of ASCII alone may have an occurrence.
  private var isASCII: Bool {
    switch self {
    case .words(let pattern): pattern.isASCII
    case .wildcard(let pattern): pattern.isASCII
    case .signs(let signs): signs.isASCII
    }
  }

  /// Decides about ASCII text without folding or breaking words; nil if that is not possible.
  private func quickVerdict(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    guard ASCII.isAll(bytes) else { return nil }
    guard isASCII else { return false }
    switch self {
    case .words(let pattern): return pattern.mayOccur(inASCII: bytes) ? nil : false
    case .wildcard(let pattern): return pattern.mayOccur(inASCII: bytes) ? nil : false
    case .signs(let signs): return signs.first(in: bytes) != nil
    }
  }
}

extension TextPattern {
  /// Returns the ranges to highlight in a text that is not folded: whole words, in order.
  ///
  /// A match over several lines is highlighted on each of them.
  /// - Complexity: O(n).
  func highlights(in original: ArraySlice<UInt8>) -> [Range<Int>] {
    guard occurs(in: original) else { return [] }
    if case .signs(let signs) = self { return Self.occurrences(of: signs, in: original) }
    var text = FoldedText(original)
    let found = all(in: &text)
    if case .words = self, ASCII.isAll(original) { return found }
    return Self.translated(found, from: text.bytes, to: original)
  }

  /// Returns the ranges of the original that have the same words as `found` in the folded text.
  ///
  /// Folding keeps line ends, and the words of each line, so that their numbers identify them.
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

/// A text with gaps (`le*guin`): its pieces occur in order on one line, the ends at the borders of words.
struct WildcardPattern: Sendable, Equatable {
  /// The pieces between the gaps, folded; empty ones only at the ends, for a gap there.
  let pieces: [[UInt8]]
  private let searches: [ByteSearch]

  /// Makes a pattern of the pieces between the stars; nil if all pieces are empty.
  init?(_ pieces: [[UInt8]]) {
    var folded = pieces.map { Folding.fold($0[...]) }
    let (first, last) = (folded.first ?? [], folded.last ?? [])
    folded = folded.filter { !$0.isEmpty }
    guard !folded.isEmpty else { return nil }
    if first.isEmpty { folded.insert([], at: 0) }
    if last.isEmpty { folded.append([]) }
    self.pieces = folded
    searches = folded.filter { !$0.isEmpty }.map { ByteSearch($0) }
  }

  private var isOpenAtStart: Bool { pieces.first?.isEmpty ?? true }
  private var isOpenAtEnd: Bool { pieces.last?.isEmpty ?? true }

  /// Whether a text of ASCII alone may have an occurrence.
  var isASCII: Bool { searches.allSatisfy(\.isASCII) }

  /// Says quickly whether ASCII text may have an occurrence: false is certain.
  func mayOccur(inASCII bytes: UnsafeRawBufferPointer) -> Bool {
    searches.allSatisfy { $0.first(in: bytes) != nil }
  }

  /// Returns the first occurrence that begins at or after an index.
  func next(in text: inout FoldedText, from start: Int) -> Range<Int>? {
    var index = start
    while let candidate = searches[0].first(in: text.bytes, from: index) {
      index = candidate + 1
      if !isOpenAtStart && text.isInsideWord(candidate) { continue }
      let lineEnd = text.lineEnd(at: candidate)
      if let end = end(after: candidate, before: lineEnd, in: &text) { return candidate..<end }
      // A later beginning on this line leaves less room for the same rest.
      if searches.count > 1 { index = max(index, lineEnd) }
    }
    return nil
  }

  /// Finds the end of an occurrence whose first piece begins at `start`.
  private func end(after start: Int, before lineEnd: Int, in text: inout FoldedText) -> Int? {
    var end = start + searches[0].needle.count
    for search in searches.dropFirst() {
      guard let found = search.first(in: text.bytes[..<lineEnd], from: end) else { return nil }
      end = found + search.needle.count
    }
    guard !isOpenAtEnd, let last = searches.last else { return end }
    guard searches.count > 1 else { return text.isInsideWord(end) ? nil : end }
    while text.isInsideWord(end) {
      guard let found = last.first(in: text.bytes[..<lineEnd], from: end - last.needle.count + 1) else {
        return nil
      }
      end = found + last.needle.count
    }
    return end
  }
}

/// Words that follow one another, with any other characters between them.
struct WordPattern: Sendable, Equatable {
  /// The words, folded; never empty.
  let words: [[UInt8]]
  /// Whether the last word is the beginning of one.
  let isPrefix: Bool
  private let search: ByteSearch

  /// Extracts the words of a text; nil if it has no words.
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

  /// Decides about a text with letters beyond ASCII without folding all of it, if that is possible.
  ///
  /// - Returns: nil if the whole text must be read.
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

  /// Whether the single word is in a run of ASCII that ends at `end`.
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

/// A text with letters beyond ASCII, split into parts that need folding and parts that do not.
///
/// A word never contains a blank, so only the runs without blanks that contain other letters are folded. In most
/// languages that is little of the text.
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
