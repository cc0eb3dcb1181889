import Bytes
import CLibgit2

extension Repository {
  /// Whether an ignore rule matches a path. Rules hold for files that are not tracked; a tracked one may match too.
  ///
  /// Wraps `git_ignore_path_is_ignored`.
  package func isIgnored(_ path: [UInt8]) throws(GitError) -> Bool {
    try refuseSpecialRuleFiles(above: path)
    let repository = try open().repository
    var ignored: Int32 = 0
    let status = path.withCPath { git_ignore_path_is_ignored(&ignored, repository, $0) }
    try GitLibrary.check(status, "read the ignore rules for \(GitError.text(path))")
    return ignored != 0
  }

  /// The rule that ignores a path, as "FILE:LINE: PATTERN"; nil where none does, and where git cannot be asked.
  package func ignoreRule(_ path: [UInt8]) -> String? {
    // A rule that can't be read ignores nothing.
    guard (try? refuseSpecialRuleFiles(above: path)) != nil else { return nil }
    let words = ["check-ignore", "--verbose", "--no-index", "-z", "--stdin"]
    guard let output = try? git(words, input: path + [0], accepting: [0, 1]) else { return nil }
    let fields = output.split(separator: 0, omittingEmptySubsequences: false).map { GitError.text($0) }
    // A pattern that begins with "!" takes the path back.
    guard fields.count >= 4, !fields[2].isEmpty, !fields[2].hasPrefix("!") else { return nil }
    let root = workTree.map { GitError.text($0) + "/" } ?? ""
    let file = fields[0].hasPrefix(root) ? String(fields[0].dropFirst(root.count)) : fields[0]
    return "\(file):\(fields[1]): \(fields[2])"
  }
}
