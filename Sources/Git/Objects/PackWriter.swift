import Bytes
import CLibgit2
import Platform

/// Writes many objects as one pack: two files, whatever their number, that a power cut leaves whole or not at all.
///
/// Source: gitformat-pack(5).
final class PackWriter {
  /// The place of an object in the pack.
  private struct Entry {
    let id: ObjectID
    let offset: Int
    let sum: UInt32
  }

  private let folder: [UInt8]
  private let deflater: Deflater
  private let mode: SharedMode
  private let temporary: [UInt8]
  private let file: FileWriter
  private var entries: [Entry] = []
  private var buffer: [UInt8] = []
  /// The length of the pack in bytes, buffered bytes included.
  private var length = 12
  private var isFinished = false

  /// A writer into the folder `objects`.
  /// - Parameter mode: The permissions of new files and folders.
  init(_ objects: [UInt8], _ deflater: Deflater, mode: SharedMode) throws(GitError) {
    folder = objects / "pack"
    self.deflater = deflater
    self.mode = mode
    temporary = folder / Files.uniqueName("tmp_pack")
    // If the folder can't be created, creating the file fails and reports why.
    if (try? Files.makeFolder(folder)) == true { mode.apply(to: folder) }
    file = try GitError.wrapping("make", temporary) { [temporary] () throws(SystemError) in
      try FileWriter(creating: temporary, mode: 0o444)
    }
    mode.apply(to: temporary)
    buffer = Self.header(0)
  }

  deinit {
    if !isFinished { RawFile.remove(temporary) }
  }

  private static func header(_ count: Int) -> [UInt8] {
    var header = Array("PACK".utf8)
    header.append(number: 2)
    header.append(number: UInt32(truncatingIfNeeded: count))
    return header
  }

  /// Adds an object, which is not in the pack yet.
  func add(_ id: ObjectID, _ object: StoredObject) throws(GitError) {
    let start = buffer.count
    appendHead(object)
    let isPacked = deflater.withStream(of: [], object.bytes) { stream in
      buffer.append(contentsOf: stream)
      return true
    }
    guard isPacked == true else { throw GitError(.other, "an object is too large to be written") }
    let sum = buffer.withUnsafeBytes { buffer in
      let entry = buffer[rebased: start..<buffer.count]
      return crc32_z(0, entry.baseAddress?.assumingMemoryBound(to: UInt8.self), entry.count)
    }
    entries.append(Entry(id: id, offset: length, sum: UInt32(truncatingIfNeeded: sum)))
    length += buffer.count - start
    if buffer.count > 1 << 20 { try flush() }
  }

  /// Appends kind and length: four bits of it in the first byte, seven in each that follows.
  private func appendHead(_ object: StoredObject) {
    var rest = object.bytes.count >> 4
    var byte = object.kind.rawValue << 4 | UInt8(object.bytes.count & 15)
    while rest > 0 {
      buffer.append(byte | 0x80)
      byte = UInt8(rest & 0x7F)
      rest >>= 7
    }
    buffer.append(byte)
  }

  private func flush() throws(GitError) {
    try GitError.wrapping("write", temporary) { () throws(SystemError) in try file.write(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Ends the pack, makes it durable and gives it its name; until it is released, git does not touch it.
  /// - Parameter mark: the content of the file that keeps git off.
  func commit(mark: [UInt8]) throws(GitError) {
    try flush()
    let hash = try seal()
    try GitError.wrapping("write", temporary) { () throws(SystemError) in try file.sync() }
    // As git does: of the same name are only packs of the same bytes.
    let base = folder / "pack-\(hash)"
    let index = PackIndex(entries.map { (id: $0.id, offset: $0.offset, sum: $0.sum) }, pack: hash)
    let temporaryIndex = folder / Files.uniqueName("tmp_idx")
    defer { RawFile.remove(temporaryIndex) }
    try RawFile.createDurably(temporaryIndex, index.bytes(), mode: 0o444)
    mode.apply(to: temporaryIndex)
    let keep = base + Array(".keep".utf8)
    RawFile.remove(keep)
    try RawFile.createDurably(keep, mark, mode: 0o666)
    mode.apply(to: keep)
    // Readers start from the index, which therefore comes last.
    try RawFile.rename(temporary, to: base + Array(".pack".utf8))
    isFinished = true
    try RawFile.rename(temporaryIndex, to: base + Array(".idx".utf8))
    RawFile.syncFolder(folder)
  }

  /// Writes the number of objects into the header, and the hash of all at the end.
  private func seal() throws(GitError) -> ObjectID {
    try GitError.wrapping("write", temporary) { () throws(SystemError) in
      try file.rewind()
      try file.write(Self.header(entries.count))
      try file.rewind()
      var hash = SHA1()
      while true {
        let chunk = try file.read(atMost: 1 << 18)
        if chunk.isEmpty { break }
        chunk.withUnsafeBytes { hash.update($0) }
      }
      let id = hash.finish()
      try file.write(id.bytes)
      return id
    }
  }
}

/// The index of a pack, version 2.
private struct PackIndex {
  typealias Entry = (id: ObjectID, offset: Int, sum: UInt32)

  private let entries: [Entry]
  private let pack: ObjectID

  init(_ entries: [Entry], pack: ObjectID) {
    self.entries = entries.sorted { $0.id < $1.id }
    self.pack = pack
  }

  func bytes() -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0x74, 0x4F, 0x63]
    bytes.reserveCapacity(1_100 + 28 * entries.count)
    bytes.append(number: 2)
    var next = 0
    for first in 0..<256 {
      while next < entries.count, entries[next].id.firstByte == first { next += 1 }
      bytes.append(number: UInt32(next))
    }
    for entry in entries { entry.id.append(to: &bytes) }
    for entry in entries { bytes.append(number: entry.sum) }
    var far: [UInt8] = []
    for entry in entries {
      if entry.offset < 1 << 31 {
        bytes.append(number: UInt32(entry.offset))
      } else {
        bytes.append(number: 1 << 31 | UInt32(far.count / 8))
        far.append(number: UInt32(entry.offset >> 32))
        far.append(number: UInt32(truncatingIfNeeded: entry.offset))
      }
    }
    bytes += far
    pack.append(to: &bytes)
    SHA1.hash(bytes).append(to: &bytes)
    return bytes
  }
}
