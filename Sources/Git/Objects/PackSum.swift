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
