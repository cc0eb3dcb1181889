import Bytes
import CLibgit2

/// The hash that names git's objects and ends its index.
///
/// Source: FIPS 180-4.
struct SHA1 {
  private static let isFast = slipbox_sha1_is_fast() != 0

  private var state = SHA1State()
  /// The beginning of a block.
  private var tail = InlineArray<64, UInt8>(repeating: 0)
  private var tailCount = 0
  private var length: UInt64 = 0

  init() {}

  /// The hash of all the bytes.
  static func hash(_ bytes: [UInt8]) -> ObjectID { bytes.withUnsafeBytes { hash($0) } }

  /// The hash of all the bytes.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> ObjectID {
    var hash = SHA1()
    hash.update(bytes)
    return hash.finish()
  }

  /// The name of an object of a kind.
  static func objectID(kind: String, _ bytes: [UInt8]) -> ObjectID {
    bytes.withUnsafeBytes { objectID(kind: kind, $0) }
  }

  /// The name of an object of a kind.
  static func objectID(kind: String, _ bytes: UnsafeRawBufferPointer) -> ObjectID {
    var hash = SHA1()
    var header = "\(kind) \(bytes.count)\0"
    header.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
    hash.update(bytes)
    return hash.finish()
  }

  /// Takes in more bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var start = 0
    if tailCount > 0 {
      start = min(64 - tailCount, bytes.count)
      keep(bytes[rebased: 0..<start])
      guard tailCount == 64 else { return }
      takeTail()
    }
    let whole = (bytes.count - start) / 64 * 64
    take(bytes[rebased: start..<(start + whole)])
    keep(bytes[rebased: (start + whole)..<bytes.count])
  }

  /// The hash of all that was taken in.
  mutating func finish() -> ObjectID {
    let bits = length &* 8
    tail[tailCount] = 0x80
    for place in (tailCount + 1)..<64 { tail[place] = 0 }
    if tailCount >= 56 {
      takeTail()
      for place in 0..<56 { tail[place] = 0 }
    }
    for place in 0..<8 { tail[56 + place] = UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(place))) }
    takeTail()
    return state.id
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      tail[tailCount] = byte
      tailCount += 1
    }
  }

  private mutating func takeTail() {
    let block = tail
    withUnsafeBytes(of: block) { take($0) }
    tailCount = 0
  }

  /// Takes in blocks of 64 bytes.
  private mutating func take(_ blocks: UnsafeRawBufferPointer) {
    guard blocks.count > 0 else { return }
    if Self.isFast {
      withUnsafeMutableBytes(of: &state) { words in
        slipbox_sha1_take(
          words.baseAddress?.assumingMemoryBound(to: UInt32.self), blocks.baseAddress, blocks.count / 64)
      }
    } else {
      state.take(blocks)
    }
  }
}
