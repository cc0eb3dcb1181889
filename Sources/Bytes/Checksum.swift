/// A fast checksum of 64 bits that finds damage to a cache. It does not protect against forgery.
///
/// Source: XXH64 with seed 0, xxHash specification 0.1.1.
package enum Checksum {
  private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5
  )

  /// The checksum of bytes.
  ///
  /// - Complexity: O(n), some six bytes a clock cycle.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var offset = 0
    var hash: UInt64
    if bytes.count >= 32 {
      var lanes = (primes.0 &+ primes.1, primes.1, UInt64(0), 0 &- primes.0)
      while offset + 32 <= bytes.count {
        lanes.0 = round(lanes.0, word(bytes, offset))
        lanes.1 = round(lanes.1, word(bytes, offset + 8))
        lanes.2 = round(lanes.2, word(bytes, offset + 16))
        lanes.3 = round(lanes.3, word(bytes, offset + 24))
        offset += 32
      }
      hash = rotated(lanes.0, 1) &+ rotated(lanes.1, 7) &+ rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        hash = (hash ^ round(0, lane)) &* primes.0 &+ primes.3
      }
    } else {
      hash = primes.4
    }
    hash &+= UInt64(bytes.count)
    return avalanche(tail(bytes, from: offset, hash))
  }

  private static func tail(_ bytes: UnsafeRawBufferPointer, from start: Int, _ hash: UInt64) -> UInt64 {
    var (hash, offset) = (hash, start)
    while offset + 8 <= bytes.count {
      hash = rotated(hash ^ round(0, word(bytes, offset)), 27) &* primes.0 &+ primes.3
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
      hash = rotated(hash ^ (half &* primes.0), 23) &* primes.1 &+ primes.2
      offset += 4
    }
    while offset < bytes.count {
      hash = rotated(hash ^ (UInt64(bytes[offset]) &* primes.4), 11) &* primes.0
      offset += 1
    }
    return hash
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* primes.1, 31) &* primes.0
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  private static func avalanche(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ hash >> 33) &* primes.1
    hash = (hash ^ hash >> 29) &* primes.2
    return hash ^ hash >> 32
  }
}

/// The checksums of the blocks of a stream of bytes, which comes in pieces of any length.
package struct BlockSums: Sendable {
  private let blockLength: Int
  private var sums: [UInt8] = []
  /// The beginning of a block whose end is still to come.
  private var begun: [UInt8] = []

  /// Begins a stream.
  package init(blockLength: Int) { self.blockLength = blockLength }

  /// The sums of the blocks of bytes, eight bytes each; the last block may be shorter.
  package static func of(_ bytes: [UInt8], blockLength: Int) -> [UInt8] {
    var sums = BlockSums(blockLength: blockLength)
    sums.add(bytes)
    return sums.finished()
  }

  /// Takes the next piece of the stream.
  package mutating func add(_ piece: [UInt8]) {
    var rest = piece[...]
    if !begun.isEmpty {
      let missing = rest.prefix(blockLength - begun.count)
      begun += missing
      rest = rest.dropFirst(missing.count)
      guard begun.count == blockLength else { return }
      Self.add(begun[...], to: &sums)
      begun.removeAll(keepingCapacity: true)
    }
    while rest.count >= blockLength {
      Self.add(rest.prefix(blockLength), to: &sums)
      rest = rest.dropFirst(blockLength)
    }
    begun += rest
  }

  /// Ends the stream and returns the sums of its blocks, eight bytes each; the last block may be shorter.
  package mutating func finished() -> [UInt8] {
    if !begun.isEmpty { Self.add(begun[...], to: &sums) }
    begun = []
    return sums
  }

  private static func add(_ block: ArraySlice<UInt8>, to sums: inout [UInt8]) {
    sums.append(little: block.withUnsafeBytes(Checksum.of))
  }
}
