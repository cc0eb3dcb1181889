import Bytes
import Glibc
import Platform

/// A pack of objects with its index, both mapped.
///
/// Source: gitformat-pack(5). Indexes of version 1 are not read here.
final class Pack {
  private static let headerSize = 8 + 256 * 4
  /// Longer chains of changes are not read here; git makes none longer than 4,095.
  private static let longestChain = 8_192

  private let index: FileBytes
  private let packFile: [UInt8]
  private let count: Int
  private var opened: FileBytes?
  private var hasTriedOpening = false
  /// Objects that others are changes of.
  private var bases = PackBases()

  /// When the index was written.
  let written: FileTime

  /// Opens the index of a pack; nil where there is none that can be read here.
  /// - Parameter base: the path of the two files without their extensions.
  init?(_ base: [UInt8]) {
    guard let (index, status) = try? FileBytes.of(base + Array(".idx".utf8), isWhole: false) else {
      return nil
    }
    let buffer = index.buffer
    guard buffer.count >= Self.headerSize + 40, buffer.big32(at: 0) == 0xFF74_4F63, buffer.big32(at: 4) == 2
    else { return nil }
    count = Int(buffer.big32(at: Self.headerSize - 4))
    guard buffer.count >= Self.headerSize + count * 28 + 40 else { return nil }
    self.index = index
    written = status.modified
    packFile = base + Array(".pack".utf8)
  }

  /// Where an object lies in the pack; nil where it is not in it.
  func offset(of id: ObjectID) -> Int? {
    let buffer = index.buffer
    let first = id.firstByte
    var low = first == 0 ? 0 : Int(buffer.big32(at: 8 + (first - 1) * 4))
    var high = Int(buffer.big32(at: 8 + first * 4))
    guard low <= high, high <= count else { return nil }
    while low < high {
      let middle = (low + high) / 2
      let found = ObjectID(loading: buffer, at: Self.headerSize + middle * 20)
      if found == id { return offset(at: middle) }
      if found < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func offset(at number: Int) -> Int? {
    let buffer = index.buffer
    let offsets = Self.headerSize + count * 24
    let short = buffer.big32(at: offsets + number * 4)
    guard short & 0x8000_0000 != 0 else { return Int(short) }
    let place = offsets + count * 4 + Int(short & 0x7FFF_FFFF) * 8
    guard place + 8 <= buffer.count - 40 else { return nil }
    let high = Int(buffer.big32(at: place))
    return high < 0x7FFF_FFFF ? high << 32 | Int(buffer.big32(at: place + 4)) : nil
  }

  /// The object at an offset.
  func object(at offset: Int, _ inflater: Inflater) -> ObjectLookup {
    guard let pack = packBytes() else { return .absent }
    var changes: [PackEntry] = []
    var next = offset
    while changes.count < Self.longestChain {
      if let known = bases[next] { return applied(changes, to: known, pack, inflater) }
      guard let entry = PackEntry(pack, at: next) else { return .broken }
      guard entry.count <= Inflater.longest else { return .absent }
      switch entry.content {
      case .whole(let kind):
        guard let bytes = inflater.bytes(of: pack[rebased: entry.start..<pack.count - 20], count: entry.count)
        else { return .broken }
        let object = StoredObject(kind: kind, bytes: bytes)
        if !changes.isEmpty { bases.keep(object, at: next) }
        return applied(changes, to: object, pack, inflater)
      case .changeOf(let base):
        next = base
      case .changeOfObject(let id):
        guard let base = self.offset(of: id) else { return .broken }
        next = base
      }
      changes.append(entry)
    }
    return .broken
  }

  /// The object that a chain of changes makes, the last of which is applied first.
  private func applied(
    _ changes: [PackEntry], to base: StoredObject, _ pack: UnsafeRawBufferPointer, _ inflater: Inflater
  ) -> ObjectLookup {
    var object = base
    for (place, entry) in changes.enumerated().reversed() {
      let source = pack[rebased: entry.start..<pack.count - 20]
      guard let change = inflater.bytes(of: source, count: entry.count),
        let bytes = PackDelta.apply(change, to: object.bytes)
      else { return .broken }
      object = StoredObject(kind: base.kind, bytes: bytes)
      if place > 0 { bases.keep(object, at: entry.offset) }
    }
    return .found(object)
  }

  private func packBytes() -> UnsafeRawBufferPointer? {
    if !hasTriedOpening {
      hasTriedOpening = true
      opened = try? FileBytes.of(packFile, isWhole: false)?.bytes
    }
    guard let buffer = opened?.buffer, buffer.count > 32, buffer.big32(at: 0) == 0x5041_434B else {
      return nil
    }
    return buffer
  }
}
