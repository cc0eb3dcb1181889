/// The five words of a hash, one after another, and how they take in blocks on any processor.
struct SHA1State {
  private var a: UInt32 = 0x6745_2301
  private var b: UInt32 = 0xEFCD_AB89
  private var c: UInt32 = 0x98BA_DCFE
  private var d: UInt32 = 0x1032_5476
  private var e: UInt32 = 0xC3D2_E1F0

  /// The words as the name of an object.
  var id: ObjectID {
    let words = [a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian]
    return words.withUnsafeBytes { ObjectID(loading: $0, at: 0) }
  }

  /// Takes in blocks of 64 bytes.
  mutating func take(_ blocks: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(byteCount: 320, alignment: 16) { words in
      var offset = 0
      while offset < blocks.count {
        Self.expand(UnsafeRawBufferPointer(rebasing: blocks[offset..<(offset &+ 64)]), words)
        mix(words)
        offset &+= 64
      }
    }
  }

  /// Makes the 80 words of a block. From the 32nd on, each follows from words at least six before it, so that four are
  /// made at a time.
  @inline(__always)
  private static func expand(_ block: UnsafeRawBufferPointer, _ words: UnsafeMutableRawBufferPointer) {
    @inline(__always) func word(_ index: Int) -> UInt32 {
      words.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)
    }
    @inline(__always) func four(_ index: Int) -> SIMD4<UInt32> {
      words.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD4<UInt32>.self)
    }
    for index in 0..<16 {
      let value = block.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self).bigEndian
      words.storeBytes(of: value, toByteOffset: 4 &* index, as: UInt32.self)
    }
    for index in 16..<32 {
      let mixed = word(index &- 3) ^ word(index &- 8) ^ word(index &- 14) ^ word(index &- 16)
      words.storeBytes(of: rotated(mixed, 1), toByteOffset: 4 &* index, as: UInt32.self)
    }
    var index = 32
    while index < 80 {
      let mixed = four(index &- 6) ^ four(index &- 16) ^ four(index &- 28) ^ four(index &- 32)
      let value = mixed &<< SIMD4(repeating: 2) | mixed &>> SIMD4(repeating: 30)
      words.storeBytes(of: value, toByteOffset: 4 &* index, as: SIMD4<UInt32>.self)
      index &+= 4
    }
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &<< count | word &>> (32 &- count)
  }

  /// Mixes the words of a block into the state, five rounds at a time, after which each part is back in its place.
  @inline(__always)
  private mutating func mix(_ words: UnsafeMutableRawBufferPointer) {
    var (a, b, c, d, e) = (self.a, self.b, self.c, self.d, self.e)
    @inline(__always) func rounds(
      _ start: Int, _ constant: UInt32, _ choice: (UInt32, UInt32, UInt32) -> UInt32
    ) {
      @inline(__always) func round(
        _ a: UInt32, _ b: inout UInt32, _ c: UInt32, _ d: UInt32, _ e: inout UInt32, _ index: Int
      ) {
        let word = words.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)
        e = e &+ Self.rotated(a, 5) &+ choice(b, c, d) &+ constant &+ word
        b = Self.rotated(b, 30)
      }
      var index = start
      while index < start &+ 20 {
        round(a, &b, c, d, &e, index)
        round(e, &a, b, c, &d, index &+ 1)
        round(d, &e, a, b, &c, index &+ 2)
        round(c, &d, e, a, &b, index &+ 3)
        round(b, &c, d, e, &a, index &+ 4)
        index &+= 5
      }
    }
    rounds(0, 0x5A82_7999) { $2 ^ ($0 & ($1 ^ $2)) }
    rounds(20, 0x6ED9_EBA1) { $0 ^ $1 ^ $2 }
    rounds(40, 0x8F1B_BCDC) { ($0 & $1) | ($2 & ($0 | $1)) }
    rounds(60, 0xCA62_C1D6) { $0 ^ $1 ^ $2 }
    self.a &+= a
    self.b &+= b
    self.c &+= c
    self.d &+= d
    self.e &+= e
  }
}
