import Bytes
import Text

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
