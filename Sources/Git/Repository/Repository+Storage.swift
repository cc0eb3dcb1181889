import Bytes
import Platform

/// How the objects of a repository are stored.
package struct ObjectStorage: Sendable, Equatable {
  /// Objects in a file of their own.
  package let looseCount: Int
  package let packCount: Int
  /// The room that loose objects, packs and the indexes of packs take, each file in blocks of 4,096 bytes.
  package let bytes: Int64
  /// Whether git has a file by which it walks history quickly.
  package let hasCommitGraph: Bool

  package init(looseCount: Int, packCount: Int, bytes: Int64, hasCommitGraph: Bool) {
    self.looseCount = looseCount
    self.packCount = packCount
    self.bytes = bytes
    self.hasCommitGraph = hasCommitGraph
  }
}

extension Repository {
  /// How the objects of the repository are stored; those of alternates are not looked at.
  /// - Complexity: a look at each loose object.
  package func objectStorage() -> ObjectStorage {
    let objects = commonDirectory / "objects"
    var (loose, packs, bytes) = (0, 0, Int64(0))
    for number in 0..<256 {
      let hex = String(number, radix: 16)
      let folder = objects / (hex.utf8.count == 1 ? "0" + hex : hex)
      for name in RawFile.names(in: folder) where name.utf8.count == 38 {
        loose += 1
        bytes += room(for: folder / name)
      }
    }
    let folder = objects / "pack"
    for name in RawFile.names(in: folder) {
      if name.hasSuffix(".pack") { packs += 1 }
      bytes += room(for: folder / name)
    }
    let graphs = ["info/commit-graph", "info/commit-graphs/commit-graph-chain"]
    return ObjectStorage(
      looseCount: loose, packCount: packs, bytes: bytes,
      hasCommitGraph: graphs.contains { RawFile.status(objects / $0) != nil })
  }

  private func room(for file: [UInt8]) -> Int64 {
    // Most file systems give a file whole blocks of this size.
    RawFile.status(file).map { ($0.size + 4_095) / 4_096 * 4_096 } ?? 0
  }
}
