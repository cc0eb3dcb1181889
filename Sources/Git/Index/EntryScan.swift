import Bytes
import Glibc

/// One pass over the entries of an index, which finds where each begins and checks that they are in order.
struct EntryScan {
  private let bytes: UnsafeRawBufferPointer
  private let version: UInt32
  /// The paths; only in version 4, where each is given as a change of the one before.
  private(set) var names: [[UInt8]] = []
  /// Whether an entry has no name: in a split index it replaces one of the shared part.
  private(set) var hasNameless = false
  /// Where the next entry begins.
  private(set) var next = 12
  /// How many entries were read.
  private(set) var number = 0

  init(_ bytes: UnsafeRawBufferPointer, version: UInt32) {
    self.bytes = bytes
    self.version = version
  }

  /// The offsets of all entries and the end of the last; nil where one is broken, with its number in `number`.
  mutating func all(_ count: Int) -> [UInt32]? {
    // No entry is shorter than this, so a broken count cannot ask for more memory than the file is long.
    guard count <= bytes.count / 64 + 1 || version == 4 && count <= bytes.count / 63 + 1 else { return nil }
    var isWhole = false
    let offsets = [UInt32](unsafeUninitializedCapacity: count + 1) { room, filled in
      isWhole = version == 4 ? takeCompressed(count, room) : takePlain(count, room)
      room.initializeElement(at: number, to: UInt32(truncatingIfNeeded: next))
      filled = number + 1
    }
    return isWhole ? offsets : nil
  }

  private mutating func takePlain(_ count: Int, _ room: UnsafeMutableBufferPointer<UInt32>) -> Bool {
    let limit = bytes.count - 20
    var previous = 0..<0
    var previousStage: UInt16 = 0
    while number < count {
      guard next + IndexFile.Field.end < limit else { return false }
      let flags = bytes.big16(at: next + IndexFile.Field.flags)
      let start = next + IndexFile.Field.end + (flags & 0x4000 != 0 ? 2 : 0)
      room.initializeElement(at: number, to: UInt32(truncatingIfNeeded: next))
      guard let length = length(start, min(limit, start + 4_097)), min(length, 0xFFF) == Int(flags & 0xFFF)
      else {
        return false
      }
      let stage = flags >> 12 & 3
      let name = start..<(start + length)
      let order = ByteOrder.compare(bytes[rebased: previous], bytes[rebased: name])
      guard number == 0 || order < 0 || order == 0 && previousStage < stage || length == 0 else {
        return false
      }
      if length == 0 { hasNameless = true }
      previous = name
      previousStage = stage
      next += (start - next + length + 8) & ~7
      guard next <= limit else { return false }
      number += 1
    }
    return true
  }

  private mutating func takeCompressed(_ count: Int, _ room: UnsafeMutableBufferPointer<UInt32>) -> Bool {
    let limit = bytes.count - 20
    while number < count {
      guard next + IndexFile.Field.end < limit else { return false }
      let flags = bytes.big16(at: next + IndexFile.Field.flags)
      room.initializeElement(at: number, to: UInt32(truncatingIfNeeded: next))
      let start = next + IndexFile.Field.end + (flags & 0x4000 != 0 ? 2 : 0)
      guard takeCompressedName(start, limit) else { return false }
      number += 1
    }
    return true
  }

  /// The length of the text that ends with a NUL byte before the limit.
  private func length(_ start: Int, _ limit: Int) -> Int? {
    guard start < limit, let base = bytes.baseAddress else { return nil }
    return memchr(base + start, 0, limit - start).map { UnsafeRawPointer($0) - (base + start) }
  }

  /// Reads how many bytes to drop from the last path, and what follows in their place.
  private mutating func takeCompressedName(_ start: Int, _ limit: Int) -> Bool {
    var offset = start
    guard offset < limit else { return false }
    var dropped = Int(bytes[offset] & 0x7F)
    while bytes[offset] & 0x80 != 0 {
      offset += 1
      guard offset < limit, dropped < 1 << 32 else { return false }
      dropped = (dropped + 1) << 7 | Int(bytes[offset] & 0x7F)
    }
    offset += 1
    let last = names.last ?? []
    guard dropped <= last.count, let length = self.length(offset, limit), length <= 4_096 else {
      return false
    }
    let name = last.dropLast(dropped) + bytes[offset..<(offset + length)]
    guard name.count <= 4_096, name.isEmpty || !name.precedes(last[...]) else { return false }
    if name.isEmpty { hasNameless = true }
    names.append(Array(name))
    next = offset + length + 1
    return true
  }
}
