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
