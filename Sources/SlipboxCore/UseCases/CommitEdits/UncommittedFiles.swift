import Bytes
import Git
import Notes
import Platform
import Text

/// The files of a box that other programs changed and that slip commits.
package struct UncommittedFiles: Sendable {
  package let paths: [[UInt8]]
  /// Files that only git can commit, with the reason.
  package let refusals: [(path: [UInt8], reason: SlipboxError)]

  /// - Parameter chosen: files of the box, of which some may be gone.
  package init(_ chosen: [[UInt8]], in box: Box) throws(SlipboxError) {
    let leftOut = try box.git { repository throws(GitError) in
      try repository.leftOut(of: chosen.map(box.repositoryPath))
    }
    let refusals = chosen.compactMap { path -> (path: [UInt8], reason: SlipboxError)? in
      guard box.isThere(path) else { return nil }
      let isOut = leftOut.contains(box.repositoryPath(path))
      return (isOut ? Box.outsideCheckout(path, isThere: true) : box.refusal(of: path)).map { (path, $0) }
    }
    let refused = Set(refusals.map(\.path))
    paths = chosen.filter { !refused.contains($0) }
    self.refusals = refusals
  }
}

extension BoxSnapshot {
  /// The notes that other programs changed, the files that they link to, and the settings.
  ///
  /// - Parameter takesLinked: asked before linked files of more than a limit are among them, with their bytes.
  /// - Throws: `.busy` in the middle of a merge.
  package func uncommittedPaths(
    takesLinked: (Int64) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) -> [[UInt8]] {
    let changes = try outsideChanges()
    try Self.refuseConflicted(changes)
    let linked = try uncommittedLinkedFiles()
    let size = linked.reduce(0) { $0 + $1.size }
    let takes = size <= Self.linkedFilesLimit ? true : try takesLinked(size)
    return try changes.map(\.path) + uncommittedSettings() + (takes ? linked.map(\.path) : [])
  }

  /// Refuses where git's index holds the versions of a conflict.
  package static func refuseConflicted(_ changes: [OutsideChange]) throws(SlipboxError) {
    guard let conflicted = changes.first(where: { $0.difference == .conflicted }) else { return }
    throw SlipboxError(
      .busy, "\(Visible.escape(conflicted.path)) is in the middle of a merge",
      hints: ["finish the merge with git, then try again"])
  }
}
