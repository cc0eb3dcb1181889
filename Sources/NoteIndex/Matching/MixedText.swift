import Bytes
import Text

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
