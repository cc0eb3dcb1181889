import Bytes

/// Finds a folded needle in bytes, taking ASCII capitals for small letters.
///
/// It looks for the needle's rarest byte, eight bytes of the text at a time, and compares only there.
struct ByteSearch: Sendable, Equatable {
  /// The bytes that are searched for, folded.
  let needle: [UInt8]
  /// Whether an occurrence counts only where the byte before it is no ASCII letter, digit or `_`.
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

  /// Whether the needle is ASCII alone, so that it can stand in a text that is.
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

  /// How often a byte stands in notes, roughly: blanks and vowels often, rare letters and digits seldom.
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
