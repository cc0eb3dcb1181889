import Bytes
import Git
import Platform
import Text

/// A merge of git's that lost its race for the branch.
///
/// Git reads HEAD, merges into the files and the index, and moves HEAD only then. Where another commit has come first it
/// ends with an error and leaves the merge under way. Its index may hold the files of that commit as they were before:
/// `git merge --continue` would take them back, `git merge --abort` refuses.
struct OvertakenMerge {
  /// More paths than these are not typed by hand.
  private static let mostPaths = 5

  private let workTree: [UInt8]
  /// The files that were committed since the merge began, from the root of the repository.
  private let paths: [[UInt8]]

  /// nil if no merge is under way, or HEAD stands where it began or where it has led to.
  init?(_ box: Box) {
    let paths = try? box.git { repository throws(GitError) -> [[UInt8]]? in
      guard let merge = repository.operation.mergeUnderWay, let tip = try repository.head().tip,
        tip != merge.start,
        // The hook of a merge runs before git has cleared up.
        try !repository.read(tip).parents.contains(merge.merged)
      else { return nil }
      return try repository.changedFiles(from: merge.start, to: tip, under: []).map(\.path)
    }
    // If history can't be read, nothing is known of the merge but that it is there.
    guard let paths = paths ?? nil else { return nil }
    workTree = box.workTree
    self.paths = paths
  }

  /// Names the way out that keeps what was committed.
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
