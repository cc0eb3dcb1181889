import Bytes
import NoteIndex
import Notes
import Platform

/// The files that were read since the snapshot was made: a cache beside it to which commands append.
///
/// A header with the number of its snapshot is followed by frames, each with its length and its checksum. What a command that
/// was killed left at the end is cut off by the next one that appends.
struct CatalogueLog: Sendable {
  private static let magic = Array("sliplog\u{4}".utf8)
  private static let headerLength = 17
  private static let frameHeader = 12

  let generation: UInt64
  /// Whether any ignore rules hold in the box.
  let hasIgnoreRules: Bool
  /// The files by their paths, of several with one path the last.
  let files: [[UInt8]: NoteFile]
  /// How many bytes of the file are sound.
  let length: Int

  /// Reads a log; nil where the bytes are none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let header = Self.header(bytes) else { return nil }
    var files: [[UInt8]: NoteFile] = [:]
    let end = Self.forEachFrame(bytes) { frame in
      var unpacker = ByteUnpacker(frame)
      while !unpacker.isAtEnd, let file = NoteFile(&unpacker) { files[file.path] = file }
    }
    generation = header.generation
    hasIgnoreRules = header.hasIgnoreRules
    self.files = files
    length = end
  }

  /// A log without files.
  static func empty(generation: UInt64, hasIgnoreRules: Bool) -> [UInt8] {
    var bytes = magic
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: generation >> (8 * UInt64(shift)))) }
    bytes.append(hasIgnoreRules ? 1 : 0)
    return bytes
  }

  /// The number of the snapshot that a log belongs to, and whether ignore rules hold.
  static func header(_ bytes: UnsafeRawBufferPointer) -> (generation: UInt64, hasIgnoreRules: Bool)? {
    guard bytes.count >= headerLength, bytes[..<magic.count].elementsEqual(magic) else { return nil }
    let generation = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
    return (generation, bytes[16] != 0)
  }

  /// A frame that holds files.
  static func frame(_ files: [NoteFile]) -> [UInt8] {
    var packer = BytePacker()
    for file in files { file.pack(into: &packer) }
    let sum = packer.bytes.withUnsafeBytes { Checksum.of($0) }
    var frame: [UInt8] = []
    for shift in 0..<4 { frame.append(UInt8(truncatingIfNeeded: packer.bytes.count >> (8 * shift))) }
    for shift in 0..<8 { frame.append(UInt8(truncatingIfNeeded: sum >> (8 * UInt64(shift)))) }
    return frame + packer.bytes
  }

  /// How many bytes of a log are sound.
  static func soundLength(_ bytes: UnsafeRawBufferPointer) -> Int { forEachFrame(bytes) { _ in } }

  /// Calls the body with every frame; returns where the last one ends.
  private static func forEachFrame(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    var offset = headerLength
    while bytes.count - offset >= frameHeader {
      let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
      let sum = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt64.self).littleEndian
      let start = offset + frameHeader
      guard length <= bytes.count - start else { break }
      let frame = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      guard Checksum.of(frame) == sum else { break }
      body(frame)
      offset = start + length
    }
    return offset
  }
}

extension NoteFile {
  fileprivate func pack(into packer: inout BytePacker) {
    packer.append(path)
    packer.append(signed: stamp.size)
    packer.append(signed: stamp.modified)
    packer.append(signed: stamp.changed)
    packer.append(signed: Int64(bitPattern: stamp.inode))
    packer.append((isRacy ? 1 : 0) | (verdict == .note ? 0 : 2) | (note == nil ? 0 : 4))
    packer.append(content.bytes)
    guard let note else { return }
    packer.append(note.record)
    packer.append(signed: note.key.created.seconds)
    packer.append(signed: Int64(note.key.created.offsetSeconds))
    packer.append((note.isUndated ? 1 : 0) | note.key.created.milliseconds << 1)
    packer.append(note.key.id?.bytes ?? [])
  }

  fileprivate init?(_ unpacker: inout ByteUnpacker) {
    guard let path = unpacker.bytes().map(Array.init), let size = unpacker.signed(),
      let modified = unpacker.signed(), let changed = unpacker.signed(), let inode = unpacker.signed(),
      let flags = unpacker.number(), let content = unpacker.bytes()
    else { return nil }
    self.path = path
    stamp = FileStamp(size: size, modified: modified, changed: changed, inode: UInt64(bitPattern: inode))
    isRacy = flags & 1 != 0
    verdict = flags & 2 == 0 ? .note : .onlyIfTracked
    self.content = ContentID(content)
    guard flags & 4 != 0 else {
      note = nil
      return
    }
    guard let record = unpacker.bytes().map(Array.init), let seconds = unpacker.signed(),
      let offset = unpacker.signed(), let dating = unpacker.number(), let id = unpacker.bytes()
    else { return nil }
    let created = Timestamp(seconds: seconds, offsetSeconds: Int(offset), milliseconds: Int(dating >> 1))
    note = Kept(
      record: record, key: EntryKey(created: created, id: NoteID(bytes: id)), isUndated: dating & 1 != 0)
  }
}
