import Bytes
import Platform

/// A folder inside the git directory that is removed with all that is in it.
struct ScratchFolder {
  private static let prefix = "scratch.slip"

  let path: [UInt8]

  /// Makes a new one, and removes those that killed commands left an hour ago or earlier.
  init(in gitDirectory: [UInt8]) throws(GitError) {
    for name in RawFile.names(in: gitDirectory) where name.hasPrefix("\(Self.prefix)-") {
      let left = gitDirectory / name
      let age = LocalClock.now().seconds - (RawFile.status(left)?.modified.seconds ?? .max)
      if age > 3_600 { Self.removeAll(left) }
    }
    let path = gitDirectory / Files.uniqueName(Self.prefix)
    try GitError.wrapping("make", path) { () throws(SystemError) in try Files.makeDirectory(path) }
    self.path = path
  }

  func remove() { Self.removeAll(path) }

  private static func removeAll(_ path: [UInt8]) {
    guard RawFile.status(path)?.kind == .directory else { return RawFile.remove(path) }
    // A file that can't be removed stays; nothing reads it.
    for name in (try? Files.list(path)) ?? [] { removeAll(path / name) }
    try? Files.removeFolder(path)
  }
}
