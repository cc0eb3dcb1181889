import Bytes
import CLibgit2

/// The name of an object in git: the SHA-1 of its kind, length and bytes.
package struct ObjectID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The 20 bytes, in three numbers whose order is that of the bytes.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt32

  /// The name that no object has; git writes it where there is none.
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

  /// Reads 20 raw bytes; nil where there are more or fewer.
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

  /// The kind as libgit2 has it; nil for what is none of the four.
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
