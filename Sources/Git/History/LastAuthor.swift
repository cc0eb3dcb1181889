import Bytes

extension Repository {
  /// The e-mail address of the author of the last commit of HEAD that changed a file; empty if there is none.
  ///
  /// Wraps git-log(1).
  /// - Complexity: linear in the commits since then.
  package func lastAuthor(of path: [UInt8]) throws(GitError) -> String {
    guard try head().tip != nil else { return "" }
    let literal = ":(top,literal)" + GitError.text(path)
    let output = try git(["log", "-1", "--format=%ae", "HEAD", "--", literal])
    return GitError.text(output.prefix { $0 != 10 })
  }
}
