import Bytes
import Text

/// Random text that is the same in every run.
struct Samples: RandomNumberGenerator {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  /// Blocks whose characters do surprising things, and all of Unicode.
  private static let blocks: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0x20...0x7E, 0x00...0x1F, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x590...0x6FF,
    0x900...0x9FF, 0xE00...0xEFF, 0x1100...0x11FF, 0x1E00...0x206F, 0x3000...0x30FF, 0x4E00...0x4EFF,
    0xAC00...0xACFF, 0xFB00...0xFEFF, 0xFF00...0xFFEF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F6FF,
    0x10000...0x10FFFF,
    0x00...0xD7FF,
  ]

  mutating func scalar() -> UInt32 {
    guard let block = Self.blocks.randomElement(using: &self) else { return 0x20 }
    let value = UInt32.random(in: block, using: &self)
    return Unicode.Scalar(value) == nil ? 0xFFFD : value
  }

  /// Valid UTF-8 of up to `count` scalars.
  mutating func utf8(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...count, using: &self) { bytes.append(scalar: scalar()) }
    return bytes
  }

  /// UTF-8 with bytes taken out, put in and changed.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes = utf8(count)
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      let index = Int.random(in: 0...bytes.count, using: &self)
      switch Int.random(in: 0..<3, using: &self) {
      case 0: bytes.insert(UInt8.random(in: 0x80...0xFF, using: &self), at: index)
      case 1 where index < bytes.count: bytes.remove(at: index)
      case 2 where index < bytes.count: bytes[index] = UInt8.random(in: 0...0xFF, using: &self)
      default: break
      }
    }
    return bytes
  }
}
