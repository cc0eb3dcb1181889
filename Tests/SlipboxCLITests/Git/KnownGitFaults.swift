/// Rows of the git state tests that fail today, and states in which sync differs from git on purpose.
enum KnownGitFaults {
  /// State and command of each row that fails, with the reason; `*` is every command. A row that passes is an error
  /// until it is removed here.
  static let rows: [String: String] = [:]

  /// Seeds of random states that fail, with the reason.
  static let seeds: [Int: String] = [:]

  /// States in which sync works although git refuses, or the other way round, as the specification says.
  static let deliberate: Set<String> = [
    // Notes merge although git would overwrite the untracked or the changed one.
    "untracked note in the way", "executable there and edited here", "note deleted there and edited here",
    // The incoming bytes are those of the untracked file.
    "same untracked file as comes",
    // slip overwrites no file, not even an ignored one.
    "ignored file in the way",
    // A flag without an edit is no reason to refuse.
    "skip-worktree without an edit and the other side changed it",
    "assume-unchanged without an edit and the other side changed it",
    // Two versions of a file stay side by side instead of a conflict or of a union, whose order depends on the side.
    "merge attribute binary", "merge attribute union", "folder renamed there and a file added here",
    // slip commits no note with other content staged, so it has nothing to exchange.
    "staged content in the note and more in the file", "staged content in another note",
    // A sync leaves submodules, and the files around a box in a larger repository, to git pull.
    "submodule moved there", "box in a larger repository, the other side changed both",
    // A sync exchanges commits with one remote, and refuses if git would push to another than it fetches from.
    "pushRemote elsewhere",
    // slip waits for the end of an operation, and for locks.
    "bisect under way", "index locked",
  ]
}
