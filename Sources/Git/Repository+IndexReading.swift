import Glibc

/// An index that was read, with what tells whether the file is still the same.
struct KnownIndex {
  /// A file that was written this shortly before it was read may be written again with the same time.
  private static let settledNanoseconds: Int64 = 20_000_000

  private let status: IndexStatus
  let entries: [IndexEntry]

  /// Nil where the file is so new that a later change might not show in its status.
  init?(_ status: IndexStatus, _ entries: [IndexEntry]) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let seconds = Int64(now.tv_sec) - status.changed.seconds
    let isSettled =
      seconds > 1
      || seconds * 1_000_000_000 + Int64(now.tv_nsec) - status.changed.nanoseconds
        > Self.settledNanoseconds
    guard seconds >= 0, isSettled else { return nil }
    self.status = status
    self.entries = entries
  }

  func isOf(_ status: IndexStatus) -> Bool { self.status == status }
}

extension Repository {
  var indexPath: [UInt8] { gitDirectory / "index" }

  /// All entries of the index, sorted by path and stage; none where there is no index.
  ///
  /// Versions 2 to 4 are read here, a split or sparse index by `git ls-files`.
  /// - Throws: `damaged(object: "index")` where it cannot be read.
  package func indexEntries() throws(GitError) -> [IndexEntry] {
    if let known = knownIndex, let status = RawFile.status(indexPath), known.isOf(IndexStatus(status)) {
      return known.entries
    }
    guard let (bytes, status) = try FileBytes.of(indexPath) else { return [] }
    let file = try IndexFile(bytes)
    let entries = file.isPartial ? try listedEntries() : (0..<file.count).map { file.entry($0) }
    knownIndex = KnownIndex(IndexStatus(status), entries)
    return entries
  }

  /// What the user has staged for a path where that differs from a commit: the blob, or `ObjectID.zero` where the path
  /// is taken out of the index; nil where index and commit agree, and where a file is only announced (`git add -N`).
  /// - Throws: `unmerged` where the path has conflicting versions.
  package func stagedDifferently(_ path: [UInt8], from commit: ObjectID?) throws(GitError) -> ObjectID? {
    let entry = try indexEntry(path)
    if let entry, entry.stage > 0 { throw IndexSplice.unmerged(path) }
    let committed = try commit.flatMap { id throws(GitError) in try file(path, at: id) }
    guard let entry else { return committed == nil ? nil : .zero }
    if entry.intentToAdd || entry.id == committed?.id && entry.mode == committed?.mode { return nil }
    return entry.id
  }

  /// The first entry of a path.
  /// - Complexity: O(log n) where the index was read before; else it is read, but not turned into values.
  func indexEntry(_ path: [UInt8]) throws(GitError) -> IndexEntry? {
    if knownIndex == nil, let bytes = try FileBytes.of(indexPath)?.bytes {
      let file = try IndexFile(bytes)
      if !file.isPartial { return file.entries(of: path).first.map { file.entry($0) } }
    }
    let entries = try indexEntries()
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].path[...].precedes(path[...]) { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].path == path ? entries[low] : nil
  }

  /// The entries as git itself tells them.
  private func listedEntries() throws(GitError) -> [IndexEntry] {
    let answer = try git(["ls-files", "-z", "--stage", "--debug"])
    var entries: [IndexEntry] = []
    var rest = answer[...]
    while let tab = rest.firstIndex(of: 9), let nul = rest[tab...].firstIndex(of: 0) {
      let words = rest[..<tab].split(separator: 32)
      var details = rest[(nul + 1)...]
      var numbers: [String: UInt64] = [:]
      // "  ctime: 1:2", ..., "  size: 3\tflags: 0": five lines of names and numbers.
      for _ in 0..<5 {
        let end = details.firstIndex(of: 10) ?? details.endIndex
        Self.readDetails(details[..<end], into: &numbers)
        details = details[min(end + 1, details.endIndex)...]
      }
      let path = Array(rest[(tab + 1)..<nul])
      guard words.count == 3, let entry = Self.entry(path, words, numbers) else {
        throw IndexFile.damaged("git lists it in an unknown form")
      }
      entries.append(entry)
      rest = details
    }
    return entries
  }

  private static func readDetails(_ line: ArraySlice<UInt8>, into numbers: inout [String: UInt64]) {
    for part in line.split(separator: 9) {
      let words = String(decoding: part, as: UTF8.self).split(separator: ":")
      guard let name = words.first?.trimmingBlanks else { continue }
      for (place, word) in words.dropFirst().enumerated() {
        let radix = name == "flags" ? 16 : 10
        numbers[place == 0 ? name : "\(name) nanoseconds"] = UInt64(
          Substring(word).trimmingBlanks, radix: radix)
      }
    }
  }

  private static func entry(
    _ path: [UInt8], _ words: [ArraySlice<UInt8>], _ numbers: [String: UInt64]
  ) -> IndexEntry? {
    guard let mode = UInt32(String(decoding: words[0], as: UTF8.self), radix: 8),
      let id = ObjectID(hex: words[1]),
      let stage = Int(String(decoding: words[2], as: UTF8.self)), let flags = numbers["flags"]
    else { return nil }
    let time: (String) -> IndexTime = { name in
      IndexTime(
        seconds: Int64(truncatingIfNeeded: numbers[name] ?? 0),
        nanoseconds: Int64(truncatingIfNeeded: numbers["\(name) nanoseconds"] ?? 0))
    }
    return IndexEntry(
      path: path, id: id, mode: mode, stage: stage, skipWorktree: flags & 1 << 30 != 0,
      intentToAdd: flags & 1 << 29 != 0, assumeValid: flags & 0x8000 != 0,
      size: UInt32(truncatingIfNeeded: numbers["size"] ?? 0), modified: time("mtime"), changed: time("ctime"),
      inode: UInt32(truncatingIfNeeded: numbers["ino"] ?? 0))
  }

  /// Runs git on this very repository and returns its output.
  func git(
    _ words: [String], index: [UInt8]? = nil, input: [UInt8] = [], accepting: Set<Int32> = [0]
  ) throws(GitError) -> [UInt8] {
    var variables = ["GIT_DIR": GitError.text(gitDirectory)]
    variables["GIT_WORK_TREE"] = workTree.map { GitError.text($0) }
    variables["GIT_INDEX_FILE"] = index.map { GitError.text($0) }
    let answer = try GitProgram.capture(
      words, in: workTree ?? gitDirectory, environment: environment, adding: variables, input: input)
    guard accepting.contains(answer.status) else {
      let said = String(decoding: answer.errors, as: UTF8.self)
      throw GitError(.other, "git \(words.first ?? "") failed: \(Substring(said).trimmingBlanks)")
    }
    return answer.output
  }
}
