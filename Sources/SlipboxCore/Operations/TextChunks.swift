/// The pieces of a text, by which two texts are found alike: its lines, long ones cut.
///
/// Source: the estimate that git makes to find renames (diffcore-delta.c).
struct TextChunks {
  /// The least similarity at which a file that went and one that came are taken for one.
  static let leastOfRename = 0.5
  private static let longestChunk = 64

  /// How many bytes of the text are in chunks of each hash.
  private let bytes: [UInt64: Int]
  private let size: Int

  /// Complexity: linear.
  init(_ text: [UInt8]) {
    var bytes: [UInt64: Int] = [:]
    var (hash, length) = (Self.seed, 0)
    for (place, byte) in text.enumerated() {
      // Texts that differ in their line ends alone are alike.
      if byte == 0x0D, place + 1 < text.count, text[place + 1] == 0x0A { continue }
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      length += 1
      guard byte == 0x0A || length == Self.longestChunk else { continue }
      bytes[hash, default: 0] += length
      (hash, length) = (Self.seed, 0)
    }
    if length > 0 { bytes[hash, default: 0] += length }
    self.bytes = bytes
    size = bytes.values.reduce(0, +)
  }

  /// The offset basis of FNV-1a.
  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The share of the larger text that is in the other, from 0 to 1; 0 where one is empty.
  func similarity(to other: TextChunks) -> Double {
    guard size > 0, other.size > 0 else { return 0 }
    let (fewer, more) = bytes.count <= other.bytes.count ? (bytes, other.bytes) : (other.bytes, bytes)
    let shared = fewer.reduce(0) { $0 + min($1.value, more[$1.key] ?? 0) }
    return Double(shared) / Double(max(size, other.size))
  }
}
