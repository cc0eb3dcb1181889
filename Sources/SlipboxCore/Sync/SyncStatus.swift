import Bytes
import Git
import Platform

/// How a box stands to the branch that it is synced with, as far as it is known without the network.
package struct SyncStatus: Sendable {
  package let target: SyncTarget
  /// Commits of this box that are not there; nil where nothing was fetched yet.
  package let ahead: Int?
  /// Commits that were fetched and are not in this box; nil where nothing was fetched yet.
  package let behind: Int?
  /// Files that the next sync commits first.
  package let uncommittedCount: Int
  /// When git last fetched, in seconds since 1970; nil where it never did.
  package let fetchedSeconds: Int64?
}

extension BoxSnapshot {
  /// How the box stands to a remote; nil stands for the usual one.
  /// - Throws: as `Box.syncTarget(named:)`.
  package func syncStatus(_ remote: String?) throws(SlipboxError) -> SyncStatus {
    let target = try box.syncTarget(named: remote)
    let distance = try box.git { repository throws(GitError) -> (ahead: Int, behind: Int)? in
      let name = try target.trackingName(in: repository)
      guard let tip = try repository.head().tip, let there = try repository.reference(name) else {
        return nil
      }
      return try repository.distance(from: tip, to: there)
    }
    // A file that can't be looked at was not fetched into by anybody.
    let fetched = (try? Files.status(box.gitDirectory / "FETCH_HEAD")) ?? nil
    return SyncStatus(
      target: target, ahead: distance?.ahead, behind: distance?.behind,
      uncommittedCount: try uncommittedPaths { _ in true }.count, fetchedSeconds: fetched?.modified.seconds)
  }
}
