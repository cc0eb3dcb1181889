import Bytes
import Notes
import Text

/// A text prepared for matching: folded, or unchanged if it is ASCII only.
///
/// ASCII needs no folding: the searches ignore the case of ASCII letters. The words of the last run without blanks are
/// cached, so that many candidates in one long run scan it once.
struct FoldedText {
  let bytes: ArraySlice<UInt8>
  /// A run without blanks, and its words.
  private var chunk = 0..<0
  private var chunkWords: [Range<Int>] = []
  /// The line of the last look-up.
  private var line = 0..<0

  /// Prepares a text.
  ///
  /// - Complexity: O(n) if it is not ASCII only.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = ASCII.isAll(bytes) ? bytes : Folding.fold(bytes)[...]
  }

  /// Takes a text of which only ASCII parts are read.
  init(ascii bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Takes a text that is folded already.
  init(folded bytes: [UInt8]) { self.bytes = bytes[...] }

  /// Returns the end of the word that begins at an index; nil if no word begins there.
  mutating func wordEnd(startingAt start: Int) -> Int? {
    let isSure = start == bytes.startIndex || ASCII.partsWords(bytes[start - 1])
    guard ASCII.isWord(bytes[start]), isSure else {
      if start > bytes.startIndex, ASCII.isWord(bytes[start - 1]), ASCII.isWord(bytes[start]) { return nil }
      return word(from: start).flatMap { $0.lowerBound == start ? $0.upperBound : nil }
    }
    var end = start + 1
    while end < bytes.endIndex, ASCII.isWord(bytes[end]) { end += 1 }
    if end == bytes.endIndex || ASCII.partsWords(bytes[end]) { return end }
    return word(from: start)?.upperBound
  }

  /// Returns the first word that begins at or after an index.
  mutating func nextWord(from start: Int) -> Range<Int>? {
    var index = start
    while index < bytes.endIndex {
      while index < bytes.endIndex, ASCII.partsWords(bytes[index]) { index += 1 }
      guard index < bytes.endIndex else { return nil }
      if let end = wordEnd(startingAt: index) { return index..<end }
      if let word = word(from: index) { return word }
      index = chunk.upperBound
    }
    return nil
  }

  /// Whether an index lies inside a word, not at its beginning or end.
  mutating func isInsideWord(_ index: Int) -> Bool {
    guard index > bytes.startIndex, index < bytes.endIndex else { return false }
    let (before, after) = (bytes[index - 1], bytes[index])
    if ASCII.partsWords(before) || ASCII.partsWords(after) { return false }
    if ASCII.isWord(before) && ASCII.isWord(after) { return true }
    load(at: index)
    let next = firstWord(endingAfter: index)
    return next < chunkWords.count && chunkWords[next].lowerBound < index
  }

  /// Returns the end of the line that contains an index.
  mutating func lineEnd(at index: Int) -> Int {
    if !line.contains(index) {
      line = index..<(bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex)
    }
    return line.upperBound
  }

  /// Returns the first word of the run around an index that begins at or after it.
  private mutating func word(from start: Int) -> Range<Int>? {
    load(at: start)
    var next = firstWord(endingAfter: start)
    if next < chunkWords.count, chunkWords[next].lowerBound < start { next += 1 }
    return next < chunkWords.count ? chunkWords[next] : nil
  }

  /// Returns the place of the first known word that ends after an index.
  private func firstWord(endingAfter index: Int) -> Int {
    var (low, high) = (0, chunkWords.count)
    while low < high {
      let middle = (low + high) / 2
      if chunkWords[middle].upperBound <= index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Finds the words of the run without blanks around an index.
  private mutating func load(at index: Int) {
    guard !chunk.contains(index) else { return }
    var (start, end) = (index, index)
    while start > bytes.startIndex, !ASCII.isBlank(bytes[start - 1]) { start -= 1 }
    while end < bytes.endIndex, !ASCII.isBlank(bytes[end]) { end += 1 }
    chunk = start..<max(end, min(index + 1, bytes.endIndex))
    chunkWords = Words.ranges(in: bytes[chunk])
  }
}

extension String {
  /// Whether two names are equal but for case and diacritics.
  func hasSameLetters(as other: String) -> Bool {
    if utf8.count == other.utf8.count,
      zip(utf8, other.utf8).allSatisfy({ ASCII.lowerCased($0) == ASCII.lowerCased($1) })
    {
      return true
    }
    let isASCII = other.utf8.allSatisfy { $0 < 0x80 } && utf8.allSatisfy { $0 < 0x80 }
    return !isASCII && Folding.fold(self).hasSameBytes(as: Folding.fold(other))
  }
}

/// Finds a folded needle in bytes, regardless of the case of ASCII letters.
///
/// It searches for the needle's rarest byte, eight bytes of the text at a time, and compares only there.
struct ByteSearch: Sendable, Equatable {
  /// The bytes that are searched for, folded.
  let needle: [UInt8]
  /// Whether an occurrence counts only if the byte before it is not an ASCII letter, digit or `_`.
  private let isAtWordStart: Bool
  private let anchor: Int
  /// The byte at `anchor`, and the bit that is set in the text before comparing, eight times each.
  private let pattern: UInt64
  private let caseBits: UInt64

  /// Prepares a search; an empty needle is found nowhere.
  init(_ needle: [UInt8], isAtWordStart: Bool = false) {
    self.needle = needle
    self.isAtWordStart = isAtWordStart
    anchor = needle.indices.min { Self.frequency(of: needle[$0]) < Self.frequency(of: needle[$1]) } ?? 0
    let byte = needle.isEmpty ? 0 : needle[anchor]
    let isLetter = byte &- UInt8(ascii: "a") < 26
    pattern = UInt64(byte) &* 0x0101_0101_0101_0101
    caseBits = isLetter ? 0x2020_2020_2020_2020 : 0
  }

  /// Whether the needle is ASCII only, so that it can occur in an ASCII text.
  var isASCII: Bool { needle.allSatisfy { $0 < 0x80 } }

  /// Returns the offset of the first occurrence at or after `start`.
  ///
  /// - Complexity: O(n) for usual texts, O(n * m) at worst.
  func first(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    let last = bytes.count - needle.count
    guard !needle.isEmpty, start <= last else { return nil }
    var offset = start + anchor
    let end = last + anchor
    while offset + 7 <= end {
      var hits = zeroBytes(
        (bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian | caseBits) ^ pattern)
      while hits != 0 {
        let candidate = offset + hits.trailingZeroBitCount / 8 - anchor
        if isOccurrence(candidate, in: bytes) { return candidate }
        hits &= hits - 1
      }
      offset += 8
    }
    while offset <= end {
      if isOccurrence(offset - anchor, in: bytes) { return offset - anchor }
      offset += 1
    }
    return nil
  }

  /// Returns the index of the first occurrence at or after `start` in a slice.
  func first(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    let base = bytes.startIndex
    return bytes.withUnsafeBytes { first(in: $0, from: start - base) }.map { $0 + base }
  }

  private func isOccurrence(_ candidate: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    if isAtWordStart, candidate > 0, ASCII.isWord(bytes[candidate - 1]) { return false }
    for index in needle.indices where ASCII.lowerCased(bytes[candidate + index]) != needle[index] {
      return false
    }
    return true
  }

  /// Returns a number with the highest bit of each byte set that is zero, and perhaps of bytes above those.
  @inline(__always)
  private func zeroBytes(_ value: UInt64) -> UInt64 {
    (value &- 0x0101_0101_0101_0101) & ~value & 0x8080_8080_8080_8080
  }

  /// Returns the approximate frequency of a byte in notes: high for blanks and vowels, low for rare letters and digits.
  private static func frequency(of byte: UInt8) -> Int {
    let letters: StaticString = "zqxjkvbpygfwmucldrhsnioate"
    guard byte &- UInt8(ascii: "a") < 26 else {
      if byte == UInt8(ascii: " ") { return 40 }
      return byte < 0x80 ? 3 : 10
    }
    let rank = letters.withUTF8Buffer { $0.firstIndex(of: byte) } ?? 0
    return rank + 1
  }
}
