import Bytes
import CLibgit2
import Platform

/// The files of a stopped merge for which git noted no tree.
struct StoppedFiles {
  private let repository: Repository
  private let tip: ObjectID
  private let other: ObjectID
  private let base: ObjectID?
  /// Whether the base is not that of the histories, but of a commit that is picked.
  private let isPicked: Bool

  /// - Parameter base: nil for that of the histories.
  init(
    _ repository: Repository, _ tip: ObjectID, _ other: ObjectID, base: ObjectID?, isPicked: Bool
  ) throws(GitError) {
    self.repository = repository
    self.isPicked = isPicked
    self.tip = tip
    self.other = other
    if base != nil || isPicked {
      self.base = base
    } else {
      self.base = try repository.history.mergeBases(of: tip, and: other).first
    }
  }

  /// Whether git stopped at conflicts, also if all of them are resolved by now.
  ///
  /// Source: git-merge(1), which lists the files in conflict in comments of `MERGE_MSG`; libgit2 writes no blank.
  func hadConflicts() throws(GitError) -> Bool {
    if try !repository.index.unmergedPaths().isEmpty { return true }
    let message = try RawFile.read(repository.gitDirectory / "MERGE_MSG")?.bytes ?? []
    for line in message.split(separator: 0x0A) where !ASCII.isBlank(line[line.startIndex]) {
      let text = line.drop { !ASCII.isWord($0) }
      if text.count < line.count, text.elementsEqual("Conflicts:".utf8) { return true }
    }
    return try !resolvedPaths().isEmpty
  }

  /// Whether git put the files of the other side into another folder, as `git merge -X subtree=FOLDER` does, and not because
  /// a side renamed that folder.
  ///
  /// - Complexity: O(1) unless git took a file that the other side has at another path; else that of a merge by git.
  func isShifted() throws(GitError) -> Bool {
    var taken: [TreeEntry] = []
    for entry in try repository.index.entries() where entry.stage == 3 {
      if try repository.file(entry.path, at: other)?.id != entry.id {
        taken.append(TreeEntry(path: entry.path, id: entry.id, mode: entry.mode))
      }
    }
    for case (let path, let staged?) in try stagedFiles() {
      if try repository.file(path, at: other) == nil { taken.append(staged) }
    }
    guard !taken.isEmpty else { return false }
    let theirs = try repository.changedFiles(from: nil, to: other, under: []).compactMap(\.new)
    let places = Dictionary(grouping: theirs, by: \.id)
    let shifted = taken.filter { file in
      (places[file.id] ?? []).contains {
        Self.isBelow(file.path, $0.path) || Self.isBelow($0.path, file.path)
      }
    }
    guard !shifted.isEmpty else { return false }
    // An earlier git does not record it.
    guard let plain = try unshiftedPaths() else { return true }
    if shifted.contains(where: { !plain.contains($0.path) }) { return true }
    let known = Set(try repository.index.entries().map(\.path))
    for path in plain where !known.contains(path) {
      if try repository.file(path, at: tip) == nil { return true }
    }
    return false
  }

  /// Whether a path is another one in a folder.
  private static func isBelow(_ path: [UInt8], _ other: [UInt8]) -> Bool {
    path.count > other.count && path.suffix(other.count) == other[...]
      && path[path.count - other.count - 1] == UInt8(ascii: "/")
  }

  /// The paths of git's own merge without options; nil if git can't merge trees, which version 2.38 learned.
  ///
  /// Wraps git-merge-tree(1).
  private func unshiftedPaths() throws(GitError) -> Set<[UInt8]>? {
    let objects = try ScratchFolder(in: repository.gitDirectory)
    defer { objects.remove() }
    let run = { (words: [String]) throws(GitError) -> [UInt8]? in
      let answer = try repository.runGit(
        ["-c", "user.name=slip", "-c", "user.email=slip", "-c", "merge.slipbox.driver="] + words,
        objects: objects.path)
      return answer.status > 1 ? nil : answer.output
    }
    var sides = [tip.hex, other.hex]
    if isPicked {
      let parent = base.map { ["-p", $0.hex] } ?? []
      for place in sides.indices {
        guard let commit = try run(["commit-tree", "\(sides[place])^{tree}", "-m", "side"] + parent) else {
          return nil
        }
        sides[place] = GitError.text(Array(commit.prefix(40)))
      }
    }
    let words = ["merge-tree", "--write-tree", "--no-messages", "--allow-unrelated-histories"]
    guard let merged = try run(words + sides), let tree = ObjectID(hex: merged.prefix(40)),
      let list = try run(["ls-tree", "-r", "--name-only", "-z", tree.hex])
    else { return nil }
    return Set(list.split(separator: 0).map { Array($0) })
  }

  /// Tells the files that git wrote when it stopped from those that the user has changed since.
  ///
  /// Git's content of a file is that of the other side, or a merge of its three versions. Any other content is the user's,
  /// and so is that of a conflict which the user has named with `git add`.
  func leftByGit() throws(GitError) -> (written: [[UInt8]: TreeEntry?], ofUser: Set<[UInt8]>) {
    let resolved = try resolvedPaths()
    var written: [[UInt8]: TreeEntry?] = [:]
    var ofUser: Set<[UInt8]> = []
    var stages: [[UInt8]: [Int: TreeEntry]] = [:]
    for entry in try repository.index.entries() where entry.stage > 0 {
      let version = TreeEntry(path: entry.path, id: entry.id, mode: entry.mode)
      stages[entry.path, default: [:]][entry.stage] = version
    }
    for (path, staged) in try stagedFiles() where stages[path] == nil {
      let theirs = try repository.file(path, at: other)
      var isTaken = staged?.id == theirs?.id
      if !isTaken { isTaken = try isMerge(staged, path, theirs) }
      if resolved.contains(path) || !isTaken { ofUser.insert(path) } else { written[path] = .some(staged) }
    }
    for (path, versions) in stages {
      let found = try workTreeContent(of: path)
      guard let found else {
        // A note that both sides moved away is gone.
        if versions.keys.sorted() == [1] { written[path] = .some(nil) } else { ofUser.insert(path) }
        continue
      }
      if try isLeft(found.content, versions) {
        let mode = (versions[2] ?? versions[3] ?? versions[1])?.mode ?? found.entry.mode
        written[path] = TreeEntry(path: path, id: found.entry.id, mode: mode)
      } else {
        ofUser.insert(path)
      }
    }
    return (written, ofUser)
  }

  /// Whether git left a content for the versions of a conflict: a merge with markers, or the only version of a side.
  private func isLeft(_ content: [UInt8], _ versions: [Int: TreeEntry]) throws(GitError) -> Bool {
    guard let ours = versions[2], let theirs = versions[3] else {
      guard let only = versions[2] ?? versions[3] else { return false }
      return try self.content(of: only, at: only.path) == content
    }
    let bytes = (try self.content(of: ours, at: ours.path), try self.content(of: theirs, at: ours.path))
    let base = try versions[1].map { (base) throws(GitError) in try self.content(of: base, at: base.path) }
    // Git does not merge binary files.
    if [base ?? [], bytes.0, bytes.1].contains(where: { $0.contains(0) }) { return content == bytes.0 }
    let plain = FileMerge.withoutLabels(content)
    return FileMerge.results(base: base, ours: bytes.0, theirs: bytes.1).contains {
      FileMerge.withoutLabels($0) == plain
    }
  }

  /// Whether a staged content is the merge of three commits' files without a conflict.
  private func isMerge(
    _ staged: TreeEntry?, _ path: [UInt8], _ theirs: TreeEntry?
  ) throws(GitError) -> Bool {
    guard let staged, staged.isRegular, let theirs, let ours = try repository.file(path, at: tip), let base,
      let old = try repository.file(path, at: base)
    else { return false }
    let bytes = try [old, ours, theirs, staged].map { (entry) throws(GitError) in
      try content(of: entry, at: path)
    }
    return FileMerge.results(base: bytes[0], ours: bytes[1], theirs: bytes[2]).contains(bytes[3])
  }

  private func content(of entry: TreeEntry, at path: [UInt8]) throws(GitError) -> [UInt8] {
    try repository.conversion.content(of: entry.id, at: path)
  }

  /// The content of a regular file of the work tree as git would store it.
  private func workTreeContent(
    of path: [UInt8]
  ) throws(GitError) -> (entry: TreeEntry, content: [UInt8])? {
    guard let workTree = repository.workTree,
      let status = RawFile.status(workTree / path, followLinks: false),
      status.kind == .file,
      let bytes = try RawFile.read(workTree / path)?.bytes
    else { return nil }
    let stored = try repository.conversion.storedForm(of: bytes, path: path)
    return (TreeEntry(path: path, id: ObjectID(ofBlob: stored), mode: 0o100644), stored)
  }

  private func stagedFiles() throws(GitError) -> [[UInt8]: TreeEntry?] {
    try repository.operation.stagedFiles(since: tip)
  }

  private func resolvedPaths() throws(GitError) -> Set<[UInt8]> { try repository.operation.resolvedPaths() }
}

extension CurrentOperation {
  /// The files of the index that differ from those of a commit, without conflicts; nil for one that the index lacks.
  ///
  /// Wraps git-diff-index(1).
  package func stagedFiles(since tip: ObjectID) throws(GitError) -> [[UInt8]: TreeEntry?] {
    let list = try repository.git([
      "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", tip.hex,
    ])
    let words = list.split(separator: 0, omittingEmptySubsequences: true)
    var files: [[UInt8]: TreeEntry?] = [:]
    for place in stride(from: 0, to: words.count - 1, by: 2) {
      let (parts, path) = (words[place].split(separator: UInt8(ascii: " ")), Array(words[place + 1]))
      guard parts.count == 5, let mode = UInt32(String(decoding: parts[1], as: UTF8.self), radix: 8),
        parts[4] != [UInt8(ascii: "U")], let blob = ObjectID(hex: parts[3])
      else { continue }
      files[path] = .some(mode == 0 ? nil : TreeEntry(path: path, id: blob, mode: mode))
    }
    return files
  }

  /// The files whose conflict was settled with `git add` or `git rm`, as the index notes them. The next step of a rebase
  /// clears the list.
  ///
  /// Wraps git-ls-files(1).
  package func resolvedPaths() throws(GitError) -> Set<[UInt8]> { Set(try resolvedVersions().map(\.path)) }

  /// The versions that the files of `resolvedPaths` had in the conflict.
  func resolvedVersions() throws(GitError) -> [(path: [UInt8], id: ObjectID)] {
    let list = try repository.git(["ls-files", "--resolve-undo", "-z"])
    return list.split(separator: 0).compactMap { line in
      let words = line.prefix { $0 != UInt8(ascii: "\t") }.split(separator: UInt8(ascii: " "))
      guard words.count == 3, let id = ObjectID(hex: words[1]) else { return nil }
      return (Array(line[line.startIndex...].drop { $0 != UInt8(ascii: "\t") }.dropFirst()), id)
    }
  }

  /// The files that git neither tracks nor ignores, from the root of the repository.
  ///
  /// Wraps git-ls-files(1).
  package func untrackedFiles() throws(GitError) -> [[UInt8]] {
    try repository.git(["ls-files", "--others", "--exclude-standard", "-z"]).split(separator: 0).map {
      Array($0)
    }
  }
}

/// The merge of three versions of a file as git writes it to the work tree, with markers around conflicts.
package enum FileMerge {
  /// The results of the settings that git could have: how it compares lines, and how it writes conflicts.
  ///
  /// Wraps `git_merge_file`.
  package static func results(base: [UInt8]?, ours: [UInt8], theirs: [UInt8]) -> [[UInt8]] {
    let algorithms = [0, GIT_MERGE_FILE_DIFF_PATIENCE.rawValue, GIT_MERGE_FILE_DIFF_MINIMAL.rawValue]
    let styles = [
      GIT_MERGE_FILE_STYLE_MERGE.rawValue, GIT_MERGE_FILE_STYLE_DIFF3.rawValue,
      GIT_MERGE_FILE_STYLE_ZDIFF3.rawValue,
    ]
    return styles.flatMap { style in
      algorithms.compactMap { merge(base: base, ours: ours, theirs: theirs, flags: style | $0) }
    }
  }

  private static func merge(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], flags: UInt32
  ) -> [UInt8]? {
    var options = git_merge_file_options()
    git_merge_file_options_init(&options, UInt32(GIT_MERGE_FILE_OPTIONS_VERSION))
    options.flags = flags
    var result = git_merge_file_result()
    let status = withInput(base ?? []) { ancestor in
      withInput(ours) { ours in
        withInput(theirs) { theirs in
          git_merge_file(&result, base == nil ? nil : ancestor, ours, theirs, &options)
        }
      }
    }
    guard status >= 0 else { return nil }
    defer { git_merge_file_result_free(&result) }
    return Array(UnsafeRawBufferPointer(start: result.ptr, count: result.len))
  }

  private static func withInput(
    _ bytes: [UInt8], _ body: (UnsafePointer<git_merge_file_input>) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var input = git_merge_file_input()
      git_merge_file_input_init(&input, UInt32(GIT_MERGE_FILE_INPUT_VERSION))
      input.ptr = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      input.size = buffer.count
      return body(&input)
    }
  }

  /// A text whose markers name no side.
  package static func withoutLabels(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      for sign in "<>|".utf8 {
        let count = line.prefix { $0 == sign }.count
        if count >= 7, count == line.count || line[line.startIndex + count] == 0x20 {
          return Array(line.prefix(count))
        }
      }
      return Array(line)
    }
  }
}
