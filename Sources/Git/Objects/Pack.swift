import Bytes
import Platform

/// A pack of objects with its index, both mapped.
///
/// Source: gitformat-pack(5). Indexes of version 1 are not read here.
final class Pack {
  private static let headerSize = 8 + 256 * 4
  /// Longer chains of changes are not read here; git makes none longer than 4,095.
  private static let longestChain = 8_192

  private let index: ByteRegion
  private let packFile: [UInt8]
  private let count: Int
  private var opened: ByteRegion?
  private var hasTriedOpening = false
  /// Objects that others are changes of.
  private var bases = PackBases()

  /// When the index was written.
  let written: FileTime

  /// Opens the index of a pack; nil if there is none that can be read here.
  /// - Parameter base: the path of the two files without their extensions.
  init?(_ base: [UInt8]) {
    guard let (index, status) = try? ByteRegion.of(base + Array(".idx".utf8), isWhole: false) else {
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

  /// The offset of an object in the pack; nil if it is not in it.
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
      opened = try? ByteRegion.of(packFile, isWhole: false)?.bytes
    }
    guard let buffer = opened?.buffer, buffer.count > 32, buffer.big32(at: 0) == 0x5041_434B else {
      return nil
    }
    return buffer
  }
}

/// The header of an object in a pack.
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

  /// The offset of the entry.
  let offset: Int
  let content: Content
  /// How long the stream is when it is unpacked.
  let count: Int
  /// The offset of the compressed stream.
  let start: Int

  /// Reads the beginning of an entry; nil if it makes no sense.
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

  /// The bytes that a change makes of others; nil if it is broken.
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

/// A cache of recently used delta bases of a pack, by their offsets.
///
/// If there are too many, those are evicted that were not used since there were half as many. The beginnings of
/// many chains that a walk over history follows side by side stay.
struct PackBases {
  private static let keptBytes = 8 << 20

  private var young: [Int: StoredObject] = [:]
  private var old: [Int: StoredObject] = [:]
  private var youngBytes = 0

  /// The object at an offset.
  subscript(offset: Int) -> StoredObject? {
    mutating get {
      if let object = young[offset] { return object }
      guard let object = old[offset] else { return nil }
      keep(object, at: offset)
      return object
    }
  }

  mutating func keep(_ object: StoredObject, at offset: Int) {
    guard object.bytes.count <= 1 << 20 else { return }
    if youngBytes > Self.keptBytes {
      old = young
      young = [:]
      youngBytes = 0
    }
    young[offset] = object
    youngBytes += object.bytes.count
  }
}

/// A look at the indexes of packs before libgit2 sees them.
///
/// Libgit2 1.5 works out the length that an index must have in 32 bits: one that claims 0x7FFFFFFF objects passes, and
/// the first look into it ends the program.
enum PackIndexCheck {
  private static let table = 256 * 4
  private static let hash = 20
  /// Alternates of alternates are followed so far, as in git.
  private static let deepest = 5

  /// Throws if an index of a pack, or a multi-pack index, has an impossible length.
  /// - Throws: `damaged` with the name of the file.
  static func refuseDamaged(in objects: [UInt8], depth: Int = 0) throws(GitError) {
    let folder = objects / "pack"
    for name in RawFile.names(in: folder) {
      let isSound: (UnsafeRawBufferPointer) -> Bool
      if name.hasSuffix(".idx") {
        isSound = isSoundIndex
      } else if name == "multi-pack-index" {
        isSound = isSoundIndexOfMany
      } else {
        continue
      }
      guard let (file, _) = try ByteRegion.of(folder / name, isWhole: false) else { continue }
      if file.withBytes(isSound) { continue }
      let pack = ShellWord.quoted(folder / (name.dropLast(4) + ".pack"))
      let cure = name.hasSuffix(".idx") ? "git index-pack \(pack)" : "git multi-pack-index write"
      throw GitError(
        .damaged(object: name),
        "\(GitError.text(folder / name)) is corrupt; move it away, then rebuild it with: \(cure)")
    }
    guard depth < deepest, let text = try RawFile.read(objects / "info/alternates")?.bytes else { return }
    for line in text.split(separator: 10) where line.first != UInt8(ascii: "#") {
      let path = line.first == UInt8(ascii: "/") ? Array(line) : objects / Array(line)
      try refuseDamaged(in: path, depth: depth + 1)
    }
  }

  /// Whether an index has the length that the count of its objects implies.
  ///
  /// Source: gitformat-pack(5).
  static func isSoundIndex(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= table + 2 * hash else { return false }
    let isNew = bytes.big32(at: 0) == 0xFF74_4F63
    let start = isNew ? 8 : 0
    guard let count = count(bytes, table: start) else { return false }
    guard isNew else { return bytes.count == table + count * 24 + 2 * hash }
    let least = start + table + count * 28 + 2 * hash
    return bytes.big32(at: 4) == 2 && bytes.count >= least && bytes.count <= least + max(0, count - 1) * 8
  }

  /// Whether the tables of a multi-pack index have the lengths that the count of its objects implies.
  private static func isSoundIndexOfMany(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 12 + hash else { return false }
    let chunks = Int(bytes[6])
    guard bytes.count >= 12 + (chunks + 1) * 12 + hash else { return false }
    var ranges: [UInt32: Range<Int>] = [:]
    for chunk in 0..<chunks {
      let place = 12 + chunk * 12
      guard let start = offset(bytes, at: place + 4), let end = offset(bytes, at: place + 16), start <= end,
        end <= bytes.count - hash
      else { return false }
      ranges[bytes.big32(at: place)] = start..<end
    }
    // "OIDF", "OIDL" and "OOFF".
    guard let counts = ranges[0x4F49_4446], counts.count == table,
      let count = count(bytes, table: counts.lowerBound)
    else { return false }
    return ranges[0x4F49_444C]?.count == count * hash && ranges[0x4F4F_4646]?.count == count * 8
  }

  /// The number of objects; nil if the counts in the fan-out table don't rise.
  private static func count(_ bytes: UnsafeRawBufferPointer, table start: Int) -> Int? {
    guard bytes.count >= start + table else { return nil }
    var last: UInt32 = 0
    for place in 0..<256 {
      let number = bytes.big32(at: start + place * 4)
      guard number >= last else { return nil }
      last = number
    }
    return Int(last)
  }

  private static func offset(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
    let high = bytes.big32(at: place)
    return high == 0 ? Int(bytes.big32(at: place + 4)) : nil
  }
}
