import Bytes

/// Finds the words of a text: runs of letters, marks, numbers and `_`, whatever their script.
///
/// An apostrophe inside a word joins it, as do invisible signs such as the soft hyphen. In scripts
/// that write no blanks between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each letter with
/// its marks is a word of its own. Invalid UTF-8 parts words.
package enum Words {
  /// Returns where the words lie, in order, in the slice's own indices.
  ///
  /// - Complexity: O(n).
  package static func ranges(in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    forEach(in: bytes) { ranges.append($0) }
    return ranges
  }

  /// Calls `body` with the place of each word, in order, in the slice's own indices.
  ///
  /// - Complexity: O(n).
  package static func forEach(in bytes: ArraySlice<UInt8>, _ body: (Range<Int>) -> Void) {
    let span = bytes.span
    let base = bytes.startIndex
    var offset = 0
    while offset < span.count {
      let byte = span[offset]
      if byte < 0x80 && !ScalarClass.isASCIIWord(byte) {
        offset += 1
        continue
      }
      let first = DecodedScalar(in: span, at: offset)
      let kind = first.isValid ? ScalarClass(first.value) : .separator
      guard kind.beginsWord else {
        offset += first.length
        continue
      }
      let end = wordEnd(in: span, after: offset + first.length, alone: kind == .ideograph)
      body(base + offset..<base + end)
      offset = end
    }
  }

  /// Finds the end of the word whose first letter ends at `start`.
  private static func wordEnd(in bytes: Span<UInt8>, after start: Int, alone: Bool) -> Int {
    var end = start
    var offset = start
    var joined = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x80 && ScalarClass.isASCIIWord(byte) {
        guard !alone else { return end }
        offset += 1
        end = offset
        joined = false
        continue
      }
      let next = DecodedScalar(in: bytes, at: offset)
      guard next.isValid else { return end }
      offset += next.length
      switch ScalarClass(next.value) {
      case .word where !alone:
        end = offset
        joined = false
      case .mark where !joined:
        end = offset
      case .mark, .ignorable:
        break
      case .separator where !alone && !joined && isJoiner(next.value):
        joined = true
      default:
        return end
      }
    }
    return end
  }

  /// Whether a sign between two letters leaves them one word: apostrophes, Hebrew's geresh and gershayim.
  private static func isJoiner(_ value: UInt32) -> Bool {
    value == 0x27 || value == 0x2019 || value == 0xFF07 || value == 0x05F3 || value == 0x05F4
  }
}
