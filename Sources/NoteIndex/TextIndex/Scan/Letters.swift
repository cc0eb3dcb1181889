import Bytes
/// Eight bytes of a text looked at together: the part of a word that they begin with, folded.
///
/// Numbers of 64 bits stand for eight bytes, the first of the text lowest; a fact about a byte is told by its
/// highest bit.
struct Letters {
  private static let highest: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  private let bytes: UInt64
  /// The highest bit of each byte that is an ASCII letter, digit or `_`.
  private let words: UInt64
  private let lowered: UInt64

  /// Looks at the bytes from an offset on; those after the end of the text count as zeros.
  @inline(__always)
  init(_ text: UnsafeRawBufferPointer, _ offset: Int) {
    bytes =
      offset &+ 8 <= text.count
      ? text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      : Self.tail(text, offset)
    let low = bytes & ~Self.highest
    let small = low | (Self.ones &* 0x20)
    let letters = (small &+ Self.ones &* (0x80 - 0x61)) & ~(small &+ Self.ones &* (0x80 - 0x7B))
    let digits = (low &+ Self.ones &* (0x80 - 0x30)) & ~(low &+ Self.ones &* (0x80 - 0x3A))
    let others = (low ^ (Self.ones &* 0x5F)) &+ Self.ones &* 0x7F
    words = (letters | digits | ~others) & Self.highest & ~bytes
    lowered = bytes | (letters & Self.highest) >> 2
  }

  @inline(never)
  private static func tail(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    var value: UInt64 = 0
    var index = 0
    while offset &+ index < text.count {
      value |= UInt64(text[offset &+ index]) &<< UInt64(8 &* index)
      index &+= 1
    }
    return value
  }

  /// How many bytes at the beginning belong to a word.
  @inline(__always)
  var wordLength: Int { (~words & Self.highest).trailingZeroBitCount &>> 3 }

  /// These bytes in small letters, zeros after them.
  @inline(__always)
  var folded: UInt64 {
    let stop = ~words & Self.highest
    // All bits below the first byte that does not belong to the word.
    return stop == 0 ? lowered : lowered & ((stop & (0 &- stop)) &>> 7 &- 1)
  }

  /// Whether the first byte is beyond ASCII.
  @inline(__always)
  var isSpecial: Bool { bytes & 0x80 != 0 }

  /// How many bytes at the beginning are ASCII that begins no word.
  @inline(__always)
  var separatorLength: Int {
    let stop = (words | bytes) & Self.highest
    return stop.trailingZeroBitCount &>> 3
  }
}
