import Bytes
import Git
import Platform
import Text

/// Locks in the git directory that nobody gives back any more.
extension BoxSnapshot {
  /// The locks of other programs; none where a git or a slip is at work here, whose they may be.
  func lockFindings() -> [Finding] {
    let locks = box.whileNobodyWrites(lockFiles) ?? []
    guard !locks.isEmpty, ProcessTable.commandLines(of: "git", in: box.workTree).isEmpty else { return [] }
    return locks.map { lock in
      let shown = ShellWord.quoted(lock)
      return Finding(
        .locks, BytePath.relative(lock, to: box.root) ?? lock,
        "\(GitError.lockState(lock)): this lock blocks all commits",
        remedy: "if no git command is running, run: rm \(shown)")
    }
  }

  /// The lock files of the index, of HEAD, of refs and of the settings.
  private func lockFiles() -> [[UInt8]] {
    let own = ["index.lock", "HEAD.lock"].map { box.gitDirectory / $0 }
    let common = ["packed-refs.lock", "config.lock"].map { box.commonDirectory / $0 }
    // A lock that can't be looked at is in the way of nothing that can be written.
    let found = (own + common).filter { ((try? Files.status($0)) ?? nil) != nil }
    return found + box.withRepository { $0.referenceLocks(under: "refs") }
  }
}
