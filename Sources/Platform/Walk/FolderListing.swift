import Bytes
import Glibc

/// The names in a folder, in the order of their paths: each a letter for its kind, the name, and a NUL.
struct FolderListing {
  enum Kind: UInt8 {
    case file = 0x66  // f
    case folder = 0x64  // d
    case link = 0x6C  // l
  }

  fileprivate let entries: [UInt8]

  /// Calls the body with every entry's kind and name, with a NUL behind its end.
  func forEach(_ body: (Kind, UnsafeRawBufferPointer) -> Void) {
    entries.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      var start = 0
      while start + 2 < buffer.count, let kind = Kind(rawValue: buffer[start]),
        let end = memchr(base + start + 1, 0, buffer.count - start - 1)
      {
        let length = UnsafeRawPointer(end) - (base + start + 1)
        body(kind, UnsafeRawBufferPointer(start: base + start + 1, count: length))
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

  /// The entries as a listing.
  mutating func finish() -> FolderListing {
    var result: [UInt8] = []
    result.reserveCapacity(names.count + 2 * entries.count)
    names.withUnsafeBytes { names in
      entries.sort { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return ByteOrder.precedes(
          names[left.offset..<left.offset + left.length], names[right.offset..<right.offset + right.length])
      }
      for entry in entries {
        result.append(entry.kind.rawValue)
        let length = entry.length - (entry.kind == .folder ? 1 : 0)
        result.append(contentsOf: names[entry.offset..<entry.offset + length])
        result.append(0)
      }
    }
    return FolderListing(entries: result)
  }
}
