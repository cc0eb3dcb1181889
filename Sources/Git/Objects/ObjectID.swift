import Bytes
import CLibgit2

/// The name of an object in git: the SHA-1 of its kind, length and bytes.
package struct ObjectID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The 20 bytes, in three numbers whose order is that of the bytes.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt32

  /// The name that no object has; git writes it if there is none.
  package static let zero = ObjectID(0, 0, 0)

  private init(_ first: UInt64, _ second: UInt64, _ third: UInt32) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Reads the 20 bytes at an address.
  init(loading address: UnsafeRawPointer) {
    first = address.loadUnaligned(as: UInt64.self).bigEndian
    second = address.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
    third = address.loadUnaligned(fromByteOffset: 16, as: UInt32.self).bigEndian
  }

  /// Reads 20 raw bytes; nil if there are more or fewer.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 20 else { return nil }
    self = Array(bytes).withUnsafeBytes { buffer in
      buffer.baseAddress.map(ObjectID.init(loading:)) ?? .zero
    }
  }

  /// Reads 40 hexadecimal digits, of either case.
  package init?(hex: some Collection<UInt8>) {
    guard hex.count == 40 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    var high: UInt8?
    for character in hex {
      guard let digit = Hexadecimal.value(of: character) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    self.init(bytes: bytes)
  }

  /// Reads 40 hexadecimal digits, of either case.
  package init?(hex: String) { self.init(hex: Array(hex.utf8)) }

  /// The 20 bytes.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(20)
    append(to: &result)
    return result
  }

  /// Lends the 20 bytes.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (first.bigEndian, second.bigEndian, third.bigEndian)) { words in
      body(words[rebased: 0..<20])
    }
  }

  /// The first of the 20 bytes.
  var firstByte: Int { Int(first >> 56) }

  /// Appends the 20 bytes.
  func append(to result: inout [UInt8]) { withBytes { result.append(contentsOf: $0) } }

  /// The 40 lower-case hexadecimal digits.
  package var hex: String { Hexadecimal.text(bytes) }

  package static func < (left: ObjectID, right: ObjectID) -> Bool {
    (left.first, left.second, left.third) < (right.first, right.second, right.third)
  }
}

extension ObjectID: CustomStringConvertible {
  package var description: String { hex }
}

extension ObjectID {
  /// The name that a blob of these bytes has, as they are: no filter is asked.
  package init(ofBlob bytes: [UInt8]) { self = SHA1.objectID(kind: "blob", bytes) }
}

extension ObjectID {
  init(_ id: git_oid) {
    var copy = id
    self = withUnsafeBytes(of: &copy) { buffer in
      buffer.baseAddress.map(ObjectID.init(loading:)) ?? .zero
    }
  }

  /// The name as libgit2 takes it.
  var oid: git_oid {
    var result = git_oid()
    let bytes = self.bytes
    withUnsafeMutableBytes(of: &result) { $0.copyBytes(from: bytes) }
    return result
  }
}

extension ObjectID {
  /// Reads the 20 bytes at an offset.
  init(loading buffer: UnsafeRawBufferPointer, at offset: Int) {
    self = buffer[rebased: offset..<(offset + 20)].baseAddress.map { ObjectID(loading: $0) } ?? .zero
  }
}

/// The four kinds of objects, by the numbers that packs give them.
enum ObjectKind: UInt8 {
  case commit = 1
  case tree = 2
  case blob = 3
  case tag = 4

  /// The word before an object's bytes.
  var name: String {
    switch self {
    case .commit: "commit"
    case .tree: "tree"
    case .blob: "blob"
    case .tag: "tag"
    }
  }

  init?(name: some Sequence<UInt8>) {
    let text = String(decoding: Array(name), as: UTF8.self)
    guard let kind = [Self.commit, .tree, .blob, .tag].first(where: { $0.name == text }) else { return nil }
    self = kind
  }

  /// The kind as libgit2 has it; nil for values other than the four kinds.
  init?(_ kind: git_object_t) {
    guard let number = UInt8(exactly: kind.rawValue) else { return nil }
    self.init(rawValue: number)
  }

  /// The kind as libgit2 has it.
  var type: git_object_t { git_object_t(rawValue: Int32(rawValue)) }
}

/// An object's kind and bytes, as stored.
struct StoredObject {
  let kind: ObjectKind
  let bytes: [UInt8]
}

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
