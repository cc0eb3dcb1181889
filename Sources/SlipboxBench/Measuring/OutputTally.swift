import Glibc

/// The output of a program: all of it counted, only the beginning kept.
///
/// Little is kept because a child's peak memory can't be told from less than what its parent held when it was
/// started.
struct OutputTally {
  private(set) var byteCount = 0
  private(set) var lineCount = 0
  private(set) var occurrences = 0
  private(set) var head: [UInt8] = []
  private let pattern: [UInt8]
  /// The last bytes that were seen, in which an occurrence may begin.
  private var tail: [UInt8] = []
  private static let headLimit = 1 << 16

  /// - Parameter pattern: The text to count, without overlaps; nil: nothing.
  init(counting pattern: String?) {
    self.pattern = Array((pattern ?? "").utf8)
    head.reserveCapacity(Self.headLimit)
  }

  /// The beginning as text.
  var text: String { String(decoding: head, as: UTF8.self) }

  /// Counts the next bytes of the output.
  /// - Parameter counts: Whether lines and occurrences are counted, which costs time.
  mutating func add(_ bytes: UnsafeRawBufferPointer, counts: Bool) {
    byteCount += bytes.count
    if head.count < Self.headLimit { head.append(contentsOf: bytes.prefix(Self.headLimit - head.count)) }
    guard counts else { return }
    for byte in bytes where byte == UInt8(ascii: "\n") { lineCount += 1 }
    guard !pattern.isEmpty else { return }
    let joined = tail + bytes
    occurrences += Self.count(pattern, in: joined)
    tail = Array(joined.suffix(pattern.count - 1))
  }

  /// Counts in the beginning, after the timing; returns false where that is not all.
  mutating func countHead() -> Bool {
    guard byteCount == head.count else { return false }
    lineCount = head.count { $0 == UInt8(ascii: "\n") }
    occurrences = pattern.isEmpty ? 0 : Self.count(pattern, in: head)
    return true
  }

  private static func count(_ pattern: [UInt8], in bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { buffer in
      var count = 0
      var offset = 0
      while offset + pattern.count <= buffer.count, let base = buffer.baseAddress,
        let first = memchr(base + offset, Int32(pattern[0]), buffer.count - offset - pattern.count + 1)
      {
        offset = UnsafeRawPointer(first) - base
        let isHit = memcmp(first, pattern, pattern.count) == 0
        count += isHit ? 1 : 0
        offset += isHit ? pattern.count : 1
      }
      return count
    }
  }
}
