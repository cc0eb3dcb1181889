import Bytes

/// What an object in a pack begins with.
struct PackEntry {
  /// How the object is stored.
  enum Content {
    /// As it is.
    case whole(ObjectKind)
    /// As a change of the one at an offset.
    case changeOf(Int)
    /// As a change of an object of the pack.
    case changeOfObject(ObjectID)
  }

  /// Where the entry begins.
  let offset: Int
  let content: Content
  /// How long the stream is when it is unpacked.
  let count: Int
  /// Where the stream begins.
  let start: Int

  /// Reads the beginning of an entry; nil where it makes no sense.
  init?(_ pack: UnsafeRawBufferPointer, at offset: Int) {
    let limit = pack.count - 20
    guard offset >= 12, offset < limit else { return nil }
    self.offset = offset
    var next = offset
    let head = pack[next]
    var count = Int(head & 15)
    var shift = 4
    while pack[next] & 0x80 != 0 {
      next += 1
      guard next < limit, shift <= 53 else { return nil }
      count |= Int(pack[next] & 0x7F) << shift
      shift += 7
    }
    next += 1
    self.count = count
    switch head >> 4 & 7 {
    case 6:
      guard let distance = Self.distance(pack, &next, limit), distance > 0, distance <= offset - 12 else {
        return nil
      }
      content = .changeOf(offset - distance)
    case 7:
      guard next + 20 <= limit else { return nil }
      content = .changeOfObject(ObjectID(loading: pack, at: next))
      next += 20
    case let number:
      guard let kind = ObjectKind(rawValue: number) else { return nil }
      content = .whole(kind)
    }
    guard next < limit else { return nil }
    start = next
  }

  /// Reads how far back the base of a change lies.
  private static func distance(_ pack: UnsafeRawBufferPointer, _ next: inout Int, _ limit: Int) -> Int? {
    guard next < limit else { return nil }
    var distance = Int(pack[next] & 0x7F)
    while pack[next] & 0x80 != 0 {
      next += 1
      guard next < limit, distance < 1 << 50 else { return nil }
      distance = (distance + 1) << 7 | Int(pack[next] & 0x7F)
    }
    next += 1
    return distance
  }
}

/// Changes of one object into another: pieces of it and new bytes.
enum PackDelta {
  private static let longest = Int(Int32.max)

  /// The bytes that a change makes of others; nil where it is broken.
  static func apply(_ change: [UInt8], to base: [UInt8]) -> [UInt8]? {
    change.withUnsafeBytes { change in
      base.withUnsafeBytes { base in
        var next = 0
        guard length(change, &next) == base.count, let count = length(change, &next), count <= longest else {
          return nil
        }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
          let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[..<count]))
          isWhole = write(change, next, base, room, &filled)
        }
        return isWhole ? bytes : nil
      }
    }
  }

  private static func write(
    _ change: UnsafeRawBufferPointer, _ start: Int, _ base: UnsafeRawBufferPointer,
    _ room: UnsafeMutableRawBufferPointer, _ filled: inout Int
  ) -> Bool {
    var next = start
    while next < change.count {
      let command = change[next]
      next += 1
      let source: UnsafeRawBufferPointer
      if command & 0x80 != 0 {
        guard let piece = piece(command, change, &next), piece.offset + piece.count <= base.count else {
          return false
        }
        source = base[rebased: piece.offset..<(piece.offset + piece.count)]
      } else {
        guard command > 0, next + Int(command) <= change.count else { return false }
        source = change[rebased: next..<(next + Int(command))]
        next += Int(command)
      }
      guard filled + source.count <= room.count else { return false }
      UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyMemory(from: source)
      filled += source.count
    }
    return filled == room.count
  }

  /// Which piece of the base a command takes.
  private static func piece(
    _ command: UInt8, _ change: UnsafeRawBufferPointer, _ next: inout Int
  ) -> (offset: Int, count: Int)? {
    var numbers = (0, 0)
    for bit in 0..<7 where command & 1 << bit != 0 {
      guard next < change.count else { return nil }
      let value = Int(change[next])
      next += 1
      if bit < 4 { numbers.0 |= value << (8 * bit) } else { numbers.1 |= value << (8 * (bit - 4)) }
    }
    return (numbers.0, numbers.1 == 0 ? 0x10000 : numbers.1)
  }

  private static func length(_ change: UnsafeRawBufferPointer, _ next: inout Int) -> Int? {
    var length = 0
    var shift = 0
    while next < change.count, shift <= 56 {
      let byte = change[next]
      next += 1
      length |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return length }
      shift += 7
    }
    return nil
  }
}
