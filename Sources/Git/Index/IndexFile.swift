import Bytes
import Platform

/// The bytes of git's index, with the places of its entries and extensions.
///
/// Source: gitformat-index(5).
struct IndexFile: Sendable {
  private let file: ByteRegion
  let version: UInt32
  /// The offset of each entry; one more offset marks the end of the last.
  private let offsets: [UInt32]
  /// Names in versions before 4 lie in the bytes; in version 4 they are pieced together here.
  private let names: [[UInt8]]
  let extensions: [Extension]

  /// A part after the entries.
  struct Extension: Sendable {
    let signature: String
    /// Without signature and length.
    let content: Range<Int>
  }

  /// Numbers and flags at fixed places of an entry.
  enum Field {
    static let changed = 0
    static let modified = 8
    static let inode = 20
    static let mode = 24
    static let size = 36
    static let id = 40
    static let flags = 60
    static let end = 62
  }

  /// The bytes of an index without entries.
  static var empty: [UInt8] {
    let header: [UInt8] = Array("DIRC".utf8) + [0, 0, 0, 2, 0, 0, 0, 0]
    return header + SHA1.hash(header).bytes
  }

  /// How many entries it has.
  var count: Int { offsets.count - 1 }

  /// The bytes; they stay as long as this value.
  var bytes: UnsafeRawBufferPointer { file.buffer }

  /// The offset of an entry; that of the number after the last marks the end.
  func offset(_ number: Int) -> Int { Int(offsets[number]) }

  /// Reads an index.
  /// - Throws: `damaged` if lengths or the order of the entries make no sense.
  init(_ file: ByteRegion) throws(GitError) {
    let bytes = file.buffer
    guard bytes.count >= 32, bytes.count <= UInt32.max, bytes.starts(with: "DIRC".utf8) else {
      throw Self.damaged("it is truncated")
    }
    let version = bytes.big32(at: 4)
    guard (2...4).contains(version) else { throw Self.damaged("its version is \(version)") }
    var scan = EntryScan(bytes, version: version)
    guard let table = scan.all(Int(bytes.big32(at: 8))) else {
      throw Self.damaged("entry \(scan.number) is broken")
    }
    guard let extensions = Self.extensions(in: bytes, from: scan.next) else {
      throw Self.damaged("its extensions are corrupt")
    }
    self.file = file
    self.version = version
    self.extensions = extensions
    offsets = table
    names = scan.names
    if scan.hasNameless, !isPartial { throw Self.damaged("an entry has no name") }
  }

  static func damaged(_ detail: String) -> GitError {
    GitError(.damaged(object: "index"), "git's index can't be read: \(detail)")
  }

  private static func extensions(in bytes: UnsafeRawBufferPointer, from start: Int) -> [Extension]? {
    var result: [Extension] = []
    var next = start
    let end = bytes.count - 20
    while next < end {
      guard next + 8 <= end else { return nil }
      let length = Int(bytes.big32(at: next + 4))
      guard length <= end - next - 8 else { return nil }
      let signature = String(decoding: bytes[next..<(next + 4)], as: UTF8.self)
      result.append(Extension(signature: signature, content: (next + 8)..<(next + 8 + length)))
      next += 8 + length
    }
    return result
  }
}

extension IndexFile {
  /// Whether the hash at the end of an index is that of the bytes before it, or git is configured not to hash.
  static func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 20 else { return false }
    let end = ObjectID(loading: bytes, at: bytes.count - 20)
    return end == .zero || end == SHA1.hash(bytes[rebased: 0..<(bytes.count - 20)])
  }

  /// Whether git is configured not to hash the index.
  var isHashSkipped: Bool { ObjectID(loading: bytes, at: bytes.count - 20) == .zero }

  /// Whether the entries are not all here (split index), or not all files (sparse index).
  var isPartial: Bool {
    extensions.contains { $0.signature.utf8.first.map { $0 < 65 || $0 > 90 } ?? true }
  }

  /// Whether only git itself can change it without losing a part.
  var needsGit: Bool {
    version == 4 || isHashSkipped
      || extensions.contains { !["TREE", "REUC", "EOIE", "IEOT"].contains($0.signature) }
  }

  private func flags(_ number: Int) -> UInt16 { bytes.big16(at: offset(number) + Field.flags) }

  func stage(_ number: Int) -> Int { Int(flags(number) >> 12 & 3) }

  /// Lends the path of an entry.
  func withPath<Result>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if version == 4 { return names[number].withUnsafeBytes(body) }
    let flags = flags(number)
    let start = offset(number) + Field.end + (flags & 0x4000 != 0 ? 2 : 0)
    let length = Int(flags & 0xFFF)
    let end = length < 0xFFF ? start + length : bytes[start...].firstIndex(of: 0) ?? bytes.endIndex
    return body(bytes[rebased: start..<end])
  }

  /// The path of an entry.
  func path(_ number: Int) -> [UInt8] { withPath(number) { Array($0) } }

  /// The number of the first entry whose path is not before the given one.
  /// - Complexity: O(log n) comparisons.
  func lowerBound(_ path: [UInt8]) -> Int {
    path.withUnsafeBytes { path in
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        if withPath(middle, { ByteOrder.compare($0, path) }) < 0 { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// The numbers of the entries of a path, one a stage.
  func entries(of path: [UInt8]) -> Range<Int> {
    let start = lowerBound(path)
    var end = start
    while end < count, withPath(end, { $0.elementsEqual(path) }) { end += 1 }
    return start..<end
  }

  /// An entry with its path.
  func entry(_ number: Int) -> IndexEntry {
    let start = offset(number)
    let flags = flags(number)
    let more: UInt16 = flags & 0x4000 != 0 ? bytes.big16(at: start + Field.end) : 0
    return IndexEntry(
      path: path(number), id: ObjectID(loading: bytes, at: start + Field.id),
      mode: bytes.big32(at: start + Field.mode), stage: stage(number), skipWorktree: more & 0x4000 != 0,
      intentToAdd: more & 0x2000 != 0, assumeValid: flags & 0x8000 != 0,
      size: bytes.big32(at: start + Field.size), modified: time(start + Field.modified),
      changed: time(start + Field.changed), inode: bytes.big32(at: start + Field.inode))
  }

  /// The numbers of the entries whose files were last written in a second or later.
  func entries(modifiedFrom second: UInt32) -> [Int] {
    var result: [Int] = []
    for number in 0..<count where bytes.big32(at: Int(offsets[number]) + Field.modified) >= second {
      result.append(number)
    }
    return result
  }

  /// The numbers of the entries with the flag `skip-worktree` or `assume-unchanged`.
  var flagged: [Int] {
    (0..<count).filter { number in
      let flags = flags(number)
      if flags & 0x8000 != 0 { return true }
      return flags & 0x4000 != 0 && bytes.big16(at: offset(number) + Field.end) & 0x4000 != 0
    }
  }

  private func time(_ offset: Int) -> FileTime {
    FileTime(
      seconds: Int64(bytes.big32(at: offset)),
      nanoseconds: Int32(truncatingIfNeeded: bytes.big32(at: offset + 4)))
  }
}

extension [UInt8] {
  /// Appends a number in four bytes, the highest first.
  mutating func append(number: UInt32) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends a number in two bytes, the highest first.
  mutating func append(short: UInt16) {
    Swift.withUnsafeBytes(of: short.bigEndian) { append(contentsOf: $0) }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes come before others, as `memcmp` sees it.
  func precedes(_ other: ArraySlice<UInt8>) -> Bool {
    withUnsafeBytes { left in
      other.withUnsafeBytes { right in ByteOrder.compare(left, right) < 0 }
    }
  }
}

/// One pass over the entries of an index, which finds where each begins and checks that they are in order.
struct EntryScan {
  private let bytes: UnsafeRawBufferPointer
  private let version: UInt32
  /// The paths; only in version 4, where each is given as a change of the one before.
  private(set) var names: [[UInt8]] = []
  /// Whether an entry has no name: in a split index it replaces one of the shared part.
  private(set) var hasNameless = false
  /// The offset of the next entry.
  private(set) var next = 12
  /// How many entries were read.
  private(set) var number = 0

  init(_ bytes: UnsafeRawBufferPointer, version: UInt32) {
    self.bytes = bytes
    self.version = version
  }

  /// The offsets of all entries and the end of the last; nil if one is broken, with its number in `number`.
  mutating func all(_ count: Int) -> [UInt32]? {
    // No entry is shorter than this, so a broken count can't require more memory than the file is long.
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
    guard start < limit else { return nil }
    return CLibrary.offset(of: 0, in: bytes, from: start, to: limit).map { $0 - start }
  }

  /// Reads the number of bytes to drop from the last path, and the bytes that replace them.
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
