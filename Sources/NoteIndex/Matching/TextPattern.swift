import Bytes
import Text

/// A pattern for text, without regard to case and diacritics.
enum TextPattern: Sendable, Equatable {
  /// A whole word, a phrase, or the beginning of a word.
  case words(WordPattern)
  /// Pieces with gaps between them.
  case wildcard(WildcardPattern)
  /// Signs that make no word, such as `😀` or `->`: found wherever they stand.
  case signs(ByteSearch)

  /// Says whether a note's text has an occurrence.
  func occurs(in bytes: ArraySlice<UInt8>) -> Bool {
    let verdict = bytes.withUnsafeBytes { quickVerdict($0) }
    if let verdict { return verdict }
    if case .words(let pattern) = self, let verdict = pattern.verdict(inMixed: bytes) { return verdict }
    var text = FoldedText(bytes)
    return next(in: &text, from: text.bytes.startIndex) != nil
  }

  /// Says whether a text has an occurrence.
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

  /// Returns how often the pattern occurs in a text.
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

  /// Decides about ASCII text without folding or breaking words, where that can be done.
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

/// A text with gaps (`le*guin`): its pieces stand in order on one line, the ends at the borders of words.
struct WildcardPattern: Sendable, Equatable {
  /// The pieces between the gaps, folded; empty ones only at the ends, for a gap there.
  let pieces: [[UInt8]]
  private let searches: [ByteSearch]

  /// Makes a pattern of the pieces between the stars; nil where no piece has anything.
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

  /// Finds the end of an occurrence whose first piece stands at `start`.
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
