import CLibgit2

/// The version of libgit2 that the program runs with.
package enum LibraryVersion {
  /// Wraps `git_libgit2_version`.
  package static var libgit2: String {
    var (major, minor, revision): (Int32, Int32, Int32) = (0, 0, 0)
    guard git_libgit2_version(&major, &minor, &revision) >= 0 else { return "unknown" }
    return "\(major).\(minor).\(revision)"
  }
}
