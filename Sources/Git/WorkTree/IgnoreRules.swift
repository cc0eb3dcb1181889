import Bytes
import CLibgit2
import Platform

extension Repository {
  /// The ignore rules.
  package var ignoreRules: IgnoreRules { IgnoreRules(repository: self) }
}

/// The rules that keep files out of git. See gitignore(5).
package struct IgnoreRules {
  let repository: Repository

  /// Whether an ignore rule matches a path. Rules hold for files that are not tracked; a tracked one may match too.
  ///
  /// Wraps `git_ignore_path_is_ignored`.
  package func isIgnored(_ path: [UInt8]) throws(GitError) -> Bool {
    try repository.refuseSpecialRuleFiles(above: path)
    let opened = try repository.open()
    var ignored: Int32 = 0
    let status = path.withCPath { git_ignore_path_is_ignored(&ignored, opened.repository, $0) }
    try GitLibrary.check(status, "read the ignore rules for \(GitError.text(path))")
    return ignored != 0
  }

  /// Adds a rule for one path to `info/exclude`.
  ///
  /// Source: gitignore(5), for the characters that a backslash quotes.
  package func exclude(_ path: [UInt8]) throws(GitError) {
    let file = repository.commonDirectory / "info/exclude"
    var bytes = try RawFile.read(file)?.bytes ?? []
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
    bytes.append(UInt8(ascii: "/"))
    for byte in path {
      if "\\*?[ ".utf8.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    bytes.append(0x0A)
    try GitError.wrapping("write", file) { [bytes] () throws(SystemError) in
      let folder = BytePath.folder(of: file)
      if try Files.status(folder) == nil { try Files.makeDirectory(folder) }
      try Files.write(bytes, to: file)
    }
  }

  /// The rule that ignores a path, as "FILE:LINE: PATTERN"; nil if none does, and where git cannot be asked.
  package func rule(for path: [UInt8]) -> String? {
    // A rule that can't be read ignores nothing.
    guard (try? repository.refuseSpecialRuleFiles(above: path)) != nil else { return nil }
    let words = ["check-ignore", "--verbose", "--no-index", "-z", "--stdin"]
    guard let output = try? repository.git(words, input: path + [0], accepting: [0, 1]) else { return nil }
    let fields = output.split(separator: 0, omittingEmptySubsequences: false).map { GitError.text($0) }
    // A pattern that begins with "!" takes the path back.
    guard fields.count >= 4, !fields[2].isEmpty, !fields[2].hasPrefix("!") else { return nil }
    let root = repository.workTree.map { GitError.text($0) + "/" } ?? ""
    let file = fields[0].hasPrefix(root) ? String(fields[0].dropFirst(root.count)) : fields[0]
    return "\(file):\(fields[1]): \(fields[2])"
  }

  /// The files of ignore rules beside the `.gitignore` files of the work tree, whether they exist or not.
  ///
  /// Source: gitignore(5): `info/exclude`, and `core.excludesFile` or its default.
  /// - Parameter contents: the contents of the configuration files; libgit2 is started only if they may name such a file.
  package func files(configured contents: [[UInt8]]) -> [[UInt8]] {
    let own = repository.commonDirectory / "info/exclude"
    let mayName = contents.contains { content in
      let lower = content.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      return lower.containsText("excludesfile") || lower.containsText("include")
    }
    if mayName, let named = repository.settings.path("core.excludesFile") { return [own, named] }
    return [own] + [ConfigurationFiles(repository.environment).defaultExcludes].compactMap { $0 }
  }
}

extension Repository {
  private static let ruleFiles = [".gitignore", ".gitattributes"].map { Array($0.utf8) }

  /// Throws if libgit2 and git would wait forever for the rules of a path: if a file of rules is, or links to, a FIFO, a
  /// socket or a device.
  /// - Complexity: two checks for each folder above the path, none if the last path was in the same folder.
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

extension Repository {
  /// The sparse checkout.
  package var sparseCheckout: SparseCheckout { SparseCheckout(repository: self) }
}

/// A checkout of some of the files. See git-sparse-checkout(1).
package struct SparseCheckout {
  let repository: Repository

  /// Whether it is on: git writes only files that its patterns select.
  package var isOn: Bool { repository.settings.isTrue("core.sparseCheckout") }

  /// The paths that the sparse checkout leaves out of the work tree; none if it is off.
  ///
  /// Git itself decides, on an index of these paths alone and an empty folder in the place of the work tree.
  package func leftOut(of paths: [[UInt8]]) throws(GitError) -> Set<[UInt8]> {
    guard !paths.isEmpty, isOn else { return [] }
    let scratch = try ScratchFolder(in: repository.gitDirectory)
    defer { scratch.remove() }
    let (index, files) = (scratch.path / "index", scratch.path / "files")
    try GitError.wrapping("make", files) { () throws(SystemError) in try Files.makeDirectory(files) }
    let empty = try repository.writeBlob(asStored: [])
    let line = Array("100644 \(empty.hex)\t".utf8)
    let input = Array(paths.map { line + $0 + [0] }.joined())
    _ = try repository.git(
      ["update-index", "--add", "-z", "--index-info"], index: index, workTree: files, input: input)
    _ = try repository.git(["sparse-checkout", "reapply"], index: index, workTree: files)
    let listing = try repository.git(["ls-files", "-t", "-z"], index: index, workTree: files)
    let out = listing.split(separator: 0).filter { $0.starts(with: "S ".utf8) }
    return Set(out.map { Array($0.dropFirst(2)) })
  }
}
