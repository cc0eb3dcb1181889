import Glibc

/// The names that a walk has found in a folder, for the next walk to use while the folder has not changed.
///
/// A folder's time tells of entries made, renamed and removed, so a walk that knows them spares itself the
/// reading of the folder; it still looks at every file. Only valid for walks with the same choice of files
/// and folders.
package struct FolderListing: Sendable, Equatable {
  /// The path relative to the root of the walk; empty for the root.
  package let path: [UInt8]
  /// When an entry was last made, renamed or removed.
  package let modified: FileTime
  package let inode: UInt64
  package let device: UInt64
  /// The entries in the order of their paths: each `f`, `d` or `l` (file, folder, link), the name, and a NUL.
  package let entries: [UInt8]

  package init(path: [UInt8], modified: FileTime, inode: UInt64, device: UInt64, entries: [UInt8]) {
    self.path = path
    self.modified = modified
    self.inode = inode
    self.device = device
    self.entries = entries
  }
}

extension FolderListing {
  enum Kind: UInt8 {
    case file = 0x66  // f
    case folder = 0x64  // d
    case link = 0x6C  // l
  }

  /// Whether a folder still has the entries of the listing.
  func isCurrent(_ status: FileStatus) -> Bool {
    status.inode == inode && status.device == device && status.modified == modified && isSound
  }

  /// Whether the entries are names without tricks: a listing may come from a damaged file.
  private var isSound: Bool {
    var length = 0
    Self.forEach(in: entries) { _, name in
      guard !name.isEmpty, name.first != UInt8(ascii: "."), !name.contains(UInt8(ascii: "/")) else {
        return false
      }
      length += name.count + 2
      return true
    }
    return length == entries.count
  }

  /// Calls the body with every entry's kind and name, NUL-terminated behind its end, until it returns false,
  /// or up to what is no entry.
  static func forEach(in entries: [UInt8], _ body: (Kind, UnsafeRawBufferPointer) -> Bool) {
    entries.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      var start = 0
      while start + 2 < buffer.count, let kind = Kind(rawValue: buffer[start]),
        let end = memchr(base + start + 1, 0, buffer.count - start - 1)
      {
        let length = UnsafeRawPointer(end) - (base + start + 1)
        guard body(kind, UnsafeRawBufferPointer(start: base + start + 1, count: length)) else { return }
        start += length + 2
      }
    }
  }
}

/// Entries of a folder being collected and sorted.
struct ListingBuilder {
  private var names: [UInt8] = []
  private var entries: [Entry] = []

  /// A name in `names`; that of a folder is followed by a slash, which sorts it where the paths below it
  /// belong.
  private struct Entry {
    /// The first eight bytes of the name, the first byte most significant: most comparisons end here.
    let prefix: UInt64
    let offset: Int
    let length: Int
    let kind: FolderListing.Kind
  }

  mutating func add(_ kind: FolderListing.Kind, _ name: UnsafeRawBufferPointer) {
    let offset = names.count
    names.append(contentsOf: name)
    if kind == .folder { names.append(UInt8(ascii: "/")) }
    var prefix: UInt64 = 0
    for position in 0..<8 {
      let index = offset + position
      prefix = prefix << 8 | UInt64(index < names.count ? names[index] : 0)
    }
    entries.append(Entry(prefix: prefix, offset: offset, length: names.count - offset, kind: kind))
  }

  /// The entries as a listing holds them.
  mutating func finish() -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(names.count + 2 * entries.count)
    names.withUnsafeBytes { names in
      entries.sort { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return precedes(
          names[left.offset..<left.offset + left.length], names[right.offset..<right.offset + right.length])
      }
      for entry in entries {
        result.append(entry.kind.rawValue)
        let length = entry.length - (entry.kind == .folder ? 1 : 0)
        result.append(contentsOf: names[entry.offset..<entry.offset + length])
        result.append(0)
      }
    }
    return result
  }
}

/// Whether one run of bytes sorts before another.
func precedes(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>) -> Bool {
  let left = UnsafeRawBufferPointer(rebasing: left)
  let right = UnsafeRawBufferPointer(rebasing: right)
  guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
    return left.count < right.count
  }
  let order = memcmp(leftBase, rightBase, min(left.count, right.count))
  return order == 0 ? left.count < right.count : order < 0
}

/// Whether one path sorts before another by bytes.
func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.withUnsafeBytes { left in right.withUnsafeBytes { right in precedes(left[...], right[...]) } }
}
