import Bytes
import CUTF8Proc

/// Finds the words of a text: runs of letters, marks, numbers and `_`, in any script.
///
/// An apostrophe inside a word joins it, as do invisible characters such as the soft hyphen. In scripts without blanks
/// between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each letter with its marks is a word of its own. Invalid
/// UTF-8 separates words.
package enum Words {
  /// Returns the ranges of the words, in order, in the slice's own indices.
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

/// The part that a Unicode scalar plays in a word.
enum ScalarClass {
  /// A letter, a number or `_`: makes words together with its neighbours.
  case word
  /// A letter of a script that writes no blanks between words: a word of its own.
  case ideograph
  /// A mark: belongs to the letter before it.
  case mark
  /// An invisible character that may occur inside a word, such as a soft hyphen or a joiner.
  case ignorable
  /// Anything else: parts words.
  case separator

  /// Whether a word may begin with the scalar.
  var beginsWord: Bool { self == .word || self == .ideograph }

  /// Whether the scalar goes with the one before it.
  var extends: Bool { self == .mark || self == .ignorable }

  /// Finds the class of a scalar.
  init(_ value: UInt32) {
    if value < 0x80 {
      self = ScalarClass.isASCIIWord(UInt8(value)) ? .word : .separator
    } else if ScalarClass.isIgnorable(value) {
      self = .ignorable
    } else {
      self = ScalarClass(value, category: utf8proc_category(Int32(bitPattern: value)))
    }
  }

  private init(_ value: UInt32, category: utf8proc_category_t) {
    switch category {
    case UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_LM:
      // The half-width voicing marks of Japanese are letters by category only.
      if value == 0xFF9E || value == 0xFF9F {
        self = .mark
      } else {
        self = ScalarClass.isUnspaced(value) ? .ideograph : .word
      }
    case UTF8PROC_CATEGORY_NL:
      self = ScalarClass.isUnspaced(value) ? .ideograph : .word
    case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT, UTF8PROC_CATEGORY_ND,
      UTF8PROC_CATEGORY_NO:
      self = .word
    case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME:
      self = .mark
    default:
      self = .separator
    }
  }

  /// Whether an ASCII byte is a letter, a digit or `_`.
  @inline(__always)
  static func isASCIIWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default:
      false
    }
  }

  /// Soft hyphen, Arabic tatweel, joiners, direction marks, byte-order mark, variation selectors.
  static func isIgnorable(_ value: UInt32) -> Bool {
    switch value {
    case 0xAD, 0x034F, 0x061C, 0x0640, 0x200C...0x200F, 0x2060, 0xFE00...0xFE0F, 0xFEFF, 0xE0100...0xE01EF:
      true
    default: false
    }
  }

  /// Whether a letter is of a script without blanks between words: those of China, Japan, Thailand, Laos,
  /// Cambodia and Burma.
  private static func isUnspaced(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F: true
    case 0x2E80...0x312F, 0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
    case 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x16FE0...0x18D8F, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
