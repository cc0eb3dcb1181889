import Bytes
import CLibgit2
import Platform

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

extension Repository {
  /// The files of ignore rules beside the `.gitignore` files of the work tree, whether they exist or not.
  ///
  /// Source: gitignore(5): `info/exclude`, and `core.excludesFile` or its default.
  /// - Parameter contents: what is in the configuration files; libgit2 is started only where they may name such a file.
  package func excludeFiles(configured contents: [[UInt8]]) -> [[UInt8]] {
    let own = commonDirectory / "info/exclude"
    let mayName = contents.contains { content in
      let lower = content.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      return lower.containsText("excludesfile") || lower.containsText("include")
    }
    if mayName, let named = settings.path("core.excludesFile") { return [own, named] }
    return [own] + [ConfigurationFiles(environment).defaultExcludes].compactMap { $0 }
  }
}

extension Repository {
  private static let ruleFiles = [".gitignore", ".gitattributes"].map { Array($0.utf8) }

  /// Refuses to read rules for a path where libgit2 and git would wait for ever: from a FIFO, a socket or a device that
  /// is called as a file of rules, or to which a link of that name leads.
  /// - Complexity: two looks for each folder above the path, none where the last path was in the same folder.
  func refuseSpecialRuleFiles(above path: [UInt8]) throws(GitError) {
    guard let workTree else { return }
    let parent = BytePath.folder(of: path)
    if parent == attributeCache.checkedFolder { return }
    var folder = parent
    while true {
      for name in Self.ruleFiles {
        let file = BytePath.join(folder, name)
        guard RawFile.status(workTree / file, followLinks: true)?.kind == .other else { continue }
        throw GitError(
          .special(path: file),
          "\(GitError.text(file)) is not a regular file, so its git rules can't be read")
      }
      if folder.isEmpty { break }
      folder = BytePath.folder(of: folder)
    }
    attributeCache.checkedFolder = parent
  }
}
