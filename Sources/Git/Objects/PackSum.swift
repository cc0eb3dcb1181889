import Bytes
import Platform

/// Packs and their indexes held against the checksums at their ends.
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

  /// The packs that are not what they were, and the indexes that are not theirs.
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
    // A file that can't be read can't be told from a damaged one here.
    let index = (try? FileBytes.of(indexPath)) ?? nil
    guard let pack = (try? FileBytes.of(packPath)) ?? nil else {
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

  private mutating func isSound(_ pack: FileBytes) -> Bool {
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
