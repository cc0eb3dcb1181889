import Bytes
import Git
import Platform
import Text

/// A merge of git's that lost its race for the branch.
///
/// Git reads HEAD, merges into the files and the index, and moves HEAD only then. If another commit is made in between,
/// git ends with an error and leaves the merge in progress. Its index may have the older versions of the files of that
/// commit: `git merge --continue` would revert them, `git merge --abort` refuses.
struct OvertakenMerge {
  /// The maximum number of paths that a hint asks the user to type.
  private static let mostPaths = 5

  private let workTree: [UInt8]
  /// The files that were committed since the merge began, from the root of the repository.
  private let paths: [[UInt8]]

  /// Returns nil if no merge is in progress, or HEAD is still at the merge's start or at its result.
  init?(_ box: Box) {
    let paths = try? box.git { repository throws(GitError) -> [[UInt8]]? in
      guard let merge = repository.operation.mergeUnderWay, let tip = try repository.head().tip,
        tip != merge.start,
        // The hook of a merge runs before git has removed the state of the merge.
        try !repository.read(tip).parents.contains(merge.merged)
      else { return nil }
      return try repository.changedFiles(from: merge.start, to: tip, under: []).map(\.path)
    }
    // If history can't be read, only the existence of the merge is known.
    guard let paths = paths ?? nil else { return nil }
    workTree = box.workTree
    self.paths = paths
  }

  /// The error, with the commands that end the merge and keep the later commits.
  var refusal: SlipboxError {
    SlipboxError(
      .busy, "another commit was made during the merge in this repository",
      hints: (reset.map { ["restore that commit in git's index with: \($0)"] } ?? [])
        + ["then drop the merge with: git merge --abort, and merge again"])
  }

  private var reset: Phrase? {
    guard !paths.isEmpty else { return nil }
    guard paths.count <= Self.mostPaths else {
      return "cd \(typed: workTree) && git diff -z --name-only ORIG_HEAD HEAD"
        + " | git reset -q --pathspec-from-file=- --pathspec-file-nul"
    }
    return "git reset -q -- \(paths.map { Phrase(typed: workTree / $0) }.joined(separator: " "))"
  }
}
