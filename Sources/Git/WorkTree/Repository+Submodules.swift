import CLibgit2

extension Repository {
  /// Whether git-status(1) names a submodule as changed: it is on another commit, or has files that are changed or new.
  ///
  /// Wraps `git_submodule_status`; false if the path has no submodule.
  package func isSubmoduleChanged(_ path: [UInt8]) -> Bool {
    guard let repository = try? open().repository else { return false }
    let name = String(decoding: path, as: UTF8.self)
    var flags: UInt32 = 0
    guard git_submodule_status(&flags, repository, name, GIT_SUBMODULE_IGNORE_UNSPECIFIED) >= 0 else {
      return false
    }
    let changes: [git_submodule_status_t] = [
      GIT_SUBMODULE_STATUS_WD_MODIFIED, GIT_SUBMODULE_STATUS_WD_INDEX_MODIFIED,
      GIT_SUBMODULE_STATUS_WD_WD_MODIFIED, GIT_SUBMODULE_STATUS_WD_UNTRACKED,
    ]
    return changes.contains { flags & UInt32($0.rawValue) != 0 }
  }
}
