import Synchronization

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

  /// As of lent bytes.
  package static func of(_ bytes: ByteSlice) -> UInt64 { bytes.withBytes { of($0) } }

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

/// Bytes of a file; each block is compared with its checksum before it is first read.
///
/// Any number of threads may read at once.
package final class CheckedBlocks: @unchecked Sendable {
  private let bytes: ByteSlice
  /// The offsets of the bytes that the sums cover.
  private let content: Range<Int>
  private let blockLength: Int
  /// The offset of the sums, eight bytes each.
  private let sums: Int
  /// For each block whether it is known to be sound.
  private let known: UnsafeMutablePointer<Atomic<Bool>>
  private let blockCount: Int
  /// The number of verified blocks.
  private let checkedCount = Atomic(0)
  /// The number of verified bytes after which the pages of the file are unloaded: a check reads a whole block, often for
  /// a few bytes of it.
  private static let lengthHeld = 4 << 20

  /// - Parameters:
  ///   - bytes: a whole file.
  ///   - content: the offsets of the blocks, of which the last one may be shorter.
  ///   - sums: the offset of the checksums of the blocks, eight bytes each, the lowest first.
  /// - Returns: nil where blocks or sums reach outside of the bytes.
  package init?(_ bytes: ByteSlice, content: Range<Int>, blockLength: Int, sums: Int) {
    guard blockLength > 0, content.lowerBound >= 0, content.upperBound <= bytes.count, sums >= 0 else {
      return nil
    }
    blockCount = Self.blockCount(of: content.count, blockLength: blockLength)
    guard sums <= bytes.count, blockCount <= (bytes.count - sums) / 8 else { return nil }
    self.bytes = bytes
    self.content = content
    self.blockLength = blockLength
    self.sums = sums
    known = .allocate(capacity: max(blockCount, 1))
    for block in 0..<blockCount { (known + block).initialize(to: Atomic(false)) }
  }

  deinit {
    known.deinitialize(count: blockCount)
    known.deallocate()
  }

  /// The number of blocks that bytes fill.
  package static func blockCount(of count: Int, blockLength: Int) -> Int {
    (count + blockLength - 1) / blockLength
  }

  /// Whether all blocks of a range are as they were written. Offsets are those of the whole file.
  ///
  /// - Complexity: O(n) in the length of the blocks that were not read before.
  package func isSound(_ range: Range<Int>) -> Bool {
    guard range.lowerBound >= content.lowerBound, range.upperBound <= content.upperBound else { return false }
    guard !range.isEmpty else { return true }
    let first = (range.lowerBound - content.lowerBound) / blockLength
    let last = (range.upperBound - 1 - content.lowerBound) / blockLength
    for block in first...last where !known[block].load(ordering: .relaxed) {
      guard check(block) else { return false }
    }
    return true
  }

  @inline(never)
  private func check(_ block: Int) -> Bool {
    let start = content.lowerBound + block * blockLength
    let isSound = bytes.withBytes { bytes in
      let written = bytes[rebased: start..<min(start + blockLength, content.upperBound)]
      return Checksum.of(written) == bytes.little64(at: sums + block * 8)
    }
    if isSound { known[block].store(true, ordering: .relaxed) }
    let count = checkedCount.add(1, ordering: .relaxed).newValue
    if count % max(1, Self.lengthHeld / blockLength) == 0 { bytes.unloadPages() }
    return isSound
  }

  /// Returns the bytes of a range. Offsets are those of the whole file.
  ///
  /// - Throws: `DamagedBytes` if the checksum of a block is wrong, or the range extends beyond the blocks.
  @inline(__always)
  @_lifetime(borrow self)
  package func bytes(_ range: Range<Int>) throws(DamagedBytes) -> RawSpan {
    guard isSound(range) else { throw DamagedBytes() }
    let bytes = bytes
    return _overrideLifetime(bytes.bytes.extracting(range), borrowing: self)
  }
}

/// The bytes of a cache differ from those that were written: it must be removed and rebuilt.
package struct DamagedBytes: Error, Sendable {
  package init() {}
}

/// SHA-256, by which a page names the scripts and styles that it may run.
///
/// Source: FIPS 180-4, sections 4.1.2, 5.1.1, 5.3.3 and 6.2.
package enum SHA256 {
  /// The 32 bytes of the digest.
  ///
  /// - Complexity: O(n).
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    var message = bytes + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    let length = UInt64(bytes.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: length >> UInt64(shift)))
    }
    for start in stride(from: 0, to: message.count, by: 64) { add(message[start..<start + 64], to: &state) }
    return state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 64)
    for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var work = state
    for index in 0..<64 {
      let (one, five) = (work[0], work[4])
      let choice = five & work[5] ^ ~five & work[6]
      let majority = one & work[1] ^ one & work[2] ^ work[1] & work[2]
      let sum = rotated(five, 6) ^ rotated(five, 11) ^ rotated(five, 25)
      let first = work[7] &+ sum &+ choice &+ constants[index] &+ words[index]
      let second = (rotated(one, 2) ^ rotated(one, 13) ^ rotated(one, 22)) &+ majority
      work = [first &+ second, one, work[1], work[2], work[3] &+ first, five, work[5], work[6]]
    }
    for index in 0..<8 { state[index] = state[index] &+ work[index] }
  }

  private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]
}
