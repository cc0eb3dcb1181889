import Bytes
import CLibgit2
import Glibc
import Platform

extension Repository {
  /// The value that git would use for a key, from all its files; nil where none sets it or it cannot be read.
  package func configuration(_ key: String) -> String? {
    guard let pointer = try? open().configuration else { return nil }
    let (status, bytes) = GitLibrary.buffer { git_config_get_string_buf($0, pointer, key) }
    return status >= 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The value of a key as git reads a truth value; false where it is not set.
  func configurationIsTrue(_ key: String) -> Bool {
    guard let pointer = try? open().configuration else { return false }
    var value: Int32 = 0
    return git_config_get_bool(&value, pointer, key) >= 0 && value != 0
  }

  /// The value of a key as a path, with `~` replaced by the home folder.
  func configurationPath(_ key: String) -> [UInt8]? {
    guard let pointer = try? open().configuration else { return nil }
    let (status, bytes) = GitLibrary.buffer { git_config_get_path($0, pointer, key) }
    return status >= 0 && !bytes.isEmpty ? bytes : nil
  }

  /// Sets a key in the repository's own file, the one that all its worktrees share.
  package func setConfiguration(_ key: String, _ value: String) throws(GitError) {
    let pointer = try open().configuration
    let file = commonDirectory / "config"
    let local = try Handle("open the configuration", free: git_config_free) { made in
      git_config_open_level(made, pointer, GIT_CONFIG_LEVEL_LOCAL)
    }
    try waitingForLock(file + Array(".lock".utf8)) { () throws(GitError) -> Bool in
      let status = git_config_set_string(local.pointer, key, value)
      if status == GIT_ELOCKED.rawValue { return false }
      try GitLibrary.check(status, "set \(key)")
      return true
    }
    try RawFile.syncFile(file)
    RawFile.syncFolder(commonDirectory)
  }

  /// What `git commit` would run here and this module does not, such as "pre-commit hook" or "commit signing".
  package func skippedByCommit() -> [String] {
    let folder = hookFolder
    var skipped = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"].filter { name in
      let path = folder / name
      return RawFile.status(path, followLinks: true)?.kind == .file && Files.isAccessible(path, for: .running)
    }.map { "\($0) hook" }
    if configurationIsTrue("commit.gpgSign") { skipped.append("commit signing") }
    return skipped
  }

  /// The folder of hooks; a relative setting counts from the root of the work tree, where git runs them.
  private var hookFolder: [UInt8] {
    guard let path = configurationPath("core.hooksPath") else { return commonDirectory / "hooks" }
    return path.first == UInt8(ascii: "/") ? path : (workTree ?? gitDirectory) / path
  }
}
