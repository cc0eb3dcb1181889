import Bytes
import Git

/// A short digest of the files that an operation changed, by which its commit is told from one into which another program
/// put more (`git commit --amend`, a squash).
enum FilesDigest {
  /// A file before and after the operation; nil if it did not exist.
  struct File {
    /// In the box.
    let path: [UInt8]
    let old: ObjectID?
    let new: ObjectID?
  }

  /// The number of hexadecimal digits: 64 bits are enough against chance.
  private static let length = 16

  /// Returns the digest of files in any order; files that are the same before and after don't count.
  static func of(_ files: [File]) -> String {
    let lines = files.filter { $0.old != $0.new }.sorted { $0.path.lexicographicallyPrecedes($1.path) }.map {
      file in
      Array("\(file.old?.hex ?? "-") \(file.new?.hex ?? "-") ".utf8) + file.path + [0]
    }
    return String(ObjectID(ofBlob: Array(lines.joined())).hex.prefix(length))
  }
}
