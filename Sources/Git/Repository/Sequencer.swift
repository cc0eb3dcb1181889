import Bytes
import Platform

extension Repository {
  /// A cherry-pick or revert, as far as git notes it.
  package var sequencer: Sequencer { Sequencer(repository: self) }
}

/// A cherry-pick or revert, of one commit or of several, and the commits that git prepares without such a state.
package struct Sequencer {
  let repository: Repository
  private var operation: CurrentOperation { repository.operation }

  /// So many commits of the user are read.
  private static let mostCommits = 100

  /// The commits that a cherry-pick or revert of several has still to apply, if git did not commit the first of them: it
  /// was killed, or uncommitted changes were in its way. `--continue` would leave that one out.
  ///
  /// - Returns: the ids as `sequencer/todo` has them; none if git can continue.
  package func unappliedCommits() throws(GitError) -> [String] {
    guard let kind = operation.kind, kind == .cherryPick || kind == .revert,
      try operation.hash(in: "CHERRY_PICK_HEAD") == nil, try operation.hash(in: "REVERT_HEAD") == nil
    else { return [] }
    let ids = try operation.lines(of: "sequencer/todo").compactMap { line in
      line.split(separator: UInt8(ascii: " ")).dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
    }
    guard let first = ids.first, let tip = try repository.head().tip else { return [] }
    let hex = try repository.git(
      ["rev-parse", "--verify", "--quiet", "\(first)^{commit}"], accepting: [0, 1])
    guard let commit = ObjectID(hex: hex.prefix(40)) else { return [] }
    return try isMade(commit, tip, isRevert: kind == .revert) ? [] : ids
  }

  /// Whether the commit that applies another one is there: by git, or by the user after the conflicts were resolved.
  private func isMade(_ commit: ObjectID, _ tip: ObjectID, isRevert: Bool) throws(GitError) -> Bool {
    let picked = try repository.read(commit)
    let subject = { (commit: Commit) in commit.message.prefix { $0 != "\n" } }
    let start = try operation.hash(in: "sequencer/abort-safety")
    var next: ObjectID? = tip
    for _ in 0..<Self.mostCommits {
      guard let id = next else { break }
      let made = try repository.read(id)
      let isSame =
        isRevert
        ? made.message.contains(commit.hex)
        : made.author == picked.author && subject(made) == subject(picked)
      if isSame { return true }
      if id == start { break }
      next = made.parents.first
    }
    guard tip != start else { return false }
    // The user may have written another message: git's index still names the conflicts that were resolved.
    let changes = try repository.changedFiles(from: picked.parents.first, to: commit, under: [])
    let versions = Set(changes.compactMap(\.new?.id))
    let stage = Array((isRevert ? "1" : "3").utf8)
    let resolved = try repository.git(["ls-files", "--resolve-undo", "-z"])
    return resolved.split(separator: 0).contains { line in
      let words = line.prefix { $0 != 0x09 }.split(separator: UInt8(ascii: " "))
      guard words.count == 3, words[2] == stage[...], let id = ObjectID(hex: words[1]) else { return false }
      return versions.contains(id)
    }
  }

  /// Whether a cherry-pick or revert was begun with `--no-commit`: git then leaves the changes in the index, and
  /// `--continue` refuses them.
  package var commitsNothing: Bool {
    let lines = (try? operation.lines(of: "sequencer/opts")) ?? []
    return lines.contains { line in line.drop { $0 <= 0x20 }.elementsEqual("no-commit = true".utf8) }
  }

  /// Whether a revert is under way that may have been begun with `--no-commit`: that of one commit, for which git notes no
  /// options. Its state is the same with and without that option.
  package var mayCommitNothing: Bool {
    operation.kind == .revert && RawFile.status(repository.gitDirectory / "sequencer/todo") == nil
  }

  /// The staged paths of changes for which git has prepared a message, and which the user commits: those of
  /// `git merge --squash`, or of `git cherry-pick --no-commit`.
  ///
  /// Git notes no operation for them. A message that is left from an earlier one does not count, and conflicts neither.
  /// - Complexity: O(1) without such a message; else that of comparing the index with HEAD.
  package func preparedPaths() throws(GitError) -> [[UInt8]] {
    let hasMessage = ["SQUASH_MSG", "MERGE_MSG"].contains { name in
      RawFile.status(repository.gitDirectory / name) != nil
    }
    guard hasMessage, operation.kind == nil, let tip = try repository.head().tip,
      try repository.index.unmergedPaths().isEmpty
    else { return [] }
    let staged = try repository.git(["diff-index", "--cached", "--name-only", "-z", tip.hex])
    let paths = staged.split(separator: 0).map { Array($0) }
    guard !paths.isEmpty, let tree = try operation.hash(in: "AUTO_MERGE") else { return paths }
    // The index has git's merge unchanged, or with its conflicts resolved.
    let differing = try repository.git(["diff-index", "--cached", "--name-only", "-z", tree.hex])
    let edited = Set(differing.split(separator: 0).map { Array($0) })
    if paths.contains(where: { !edited.contains($0) }) { return paths }
    return try repository.git(["ls-files", "--resolve-undo"]).isEmpty ? [] : paths
  }

  /// Removes the message that git prepared for staged changes, as `git commit` does, if no change is staged any more.
  ///
  /// - Complexity: O(1) without such a message.
  package func dropMessageWithoutChanges() throws(GitError) {
    let files = ["SQUASH_MSG", "MERGE_MSG"].map { repository.gitDirectory / $0 }.filter {
      RawFile.status($0) != nil
    }
    guard !files.isEmpty, repository.operation.kind == nil, let tip = try repository.head().tip,
      try repository.git(["diff-index", "--cached", "--name-only", "-z", tip.hex]).isEmpty
    else { return }
    for file in files { RawFile.remove(file) }
  }
}
