import Bytes
import Platform

/// Verifies packs and their indexes by the checksums at their ends.
///
/// Source: gitformat-pack(5): a pack ends with the hash of all before; its index ends with that hash and then its own.
struct PackSum {
  private static let hash = 20

  private let folder: [UInt8]
  /// How many bytes of packs are hashed; of those beyond only the ends are compared.
  private var budget: Int

  init(_ folder: [UInt8], budget: Int) {
    self.folder = folder
    self.budget = budget
  }

  /// The packs and indexes that don't match their checksums, and the indexes of other packs.
  /// - Complexity: linear in the bytes of the packs, up to the budget; the smallest are hashed first.
  mutating func faults() -> [ObjectFault] {
    let names = Set(RawFile.names(in: folder))
    var packs: [(name: String, size: Int64)] = []
    for name in names where name.hasSuffix(".pack") || name.hasSuffix(".idx") {
      let base = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
      if name.hasSuffix(".idx"), names.contains(base + ".pack") { continue }
      packs.append((base, RawFile.status(folder / (base + ".pack"), followLinks: true)?.size ?? 0))
    }
    packs.sort { ($0.size, $0.name) < ($1.size, $1.name) }
    return packs.flatMap { faults(of: $0.name) }
  }

  private mutating func faults(of name: String) -> [ObjectFault] {
    let (packPath, indexPath) = (folder / (name + ".pack"), folder / (name + ".idx"))
    // An unreadable file can't be distinguished from a damaged one here.
    let index = (try? ByteRegion.of(indexPath)) ?? nil
    guard let pack = (try? ByteRegion.of(packPath)) ?? nil else {
      // Git takes the index away first, so without both a `git gc` has put another pack in their place.
      return RawFile.status(indexPath) == nil ? [] : [ObjectFault(what: .pack, file: packPath)]
    }
    guard isSound(pack.bytes) else { return [ObjectFault(what: .pack, file: packPath)] }
    let isOwn = index.map { index in
      index.bytes.withBytes { index in
        PackIndexCheck.isSoundIndex(index) && Self.endsWithItsHash(index)
          && index[rebased: (index.count - 2 * Self.hash)..<(index.count - Self.hash)]
            .elementsEqual(pack.bytes.withBytes { Array($0.suffix(Self.hash)) })
      }
    }
    return isOwn == true ? [] : [ObjectFault(what: .packIndex, file: indexPath)]
  }

  private mutating func isSound(_ pack: ByteRegion) -> Bool {
    pack.withBytes { bytes in
      guard bytes.count >= 12 + Self.hash, bytes.big32(at: 0) == 0x5041_434B else { return false }
      guard bytes.count <= budget else { return true }
      budget -= bytes.count
      return Self.endsWithItsHash(bytes)
    }
  }

  private static func endsWithItsHash(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let end = bytes.count - hash
    return SHA1.hash(bytes[rebased: 0..<end]).withBytes {
      $0.elementsEqual(bytes[rebased: end..<bytes.count])
    }
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

/// A file of git's objects that is damaged, or an object that is needed and can't be read.
package struct ObjectFault: Sendable, Equatable {
  /// The kind of fault.
  package enum What: Sendable, Equatable {
    /// A pack whose bytes are not those that were written.
    case pack
    /// The index of a pack is missing, damaged, or that of another one; it can be made again from the pack.
    case packIndex
    /// The content of a loose object does not match its hash.
    case loose(ObjectID)
    /// An object that HEAD needs is nowhere.
    case missing(ObjectID)
    /// An object that HEAD needs is in a pack and can't be read there.
    case unreadable(ObjectID)
    /// More objects are faulty than are named.
    case more
  }

  /// The use of the object for HEAD.
  package enum Use: Sendable, Equatable {
    /// The commit of HEAD or one before it.
    case commit
    /// The list of the files in a folder, named from the root of the repository.
    case folder([UInt8])
    /// The content of a file, named from the root of the repository.
    case file([UInt8])
  }

  package let what: What
  /// The file that is at fault; nil for an object that is nowhere.
  package let file: [UInt8]?
  /// Nil for objects that are not needed for HEAD's files, as far as was looked.
  package internal(set) var use: Use?
}
