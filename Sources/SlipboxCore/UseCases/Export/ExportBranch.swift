import Bytes
import Git
package import Notes
import Platform
import Text

/// A branch that exports fill with files by commits: no work tree is touched, and no file that no export has made.
package struct ExportBranch: Sendable {
  /// A file of the site and its object; no bytes if the branch has it already.
  private struct Made: Sendable {
    let number: Int
    let blob: ObjectID
    let bytes: [UInt8]?
  }

  /// So many bytes of new files are written together.
  private static let mostBytes = 64 << 20
  private static let partLength = 256

  private let box: Box
  private let name: String
  /// The commit that the next one follows.
  private let tip: ObjectID?
  /// The commit of the branch here; nil if only a remote has the branch.
  private let ownTip: ObjectID?
  /// The files of the branch.
  private let present: [[UInt8]: ObjectID]
  /// The files of earlier exports.
  private let earlier: Set<[UInt8]>

  /// Opens a branch, which need not exist yet: a new one goes on from the branch of that name that a remote has.
  ///
  /// - Parameter name: its name, such as `gh-pages` or `refs/heads/gh-pages`.
  /// - Throws: `.cannotCreate` if git refuses the name, if a work tree has the branch checked out, or if it has files and
  ///   none is of an export.
  package init(_ name: String, of box: Box) throws(SlipboxError) {
    self.box = box
    let name = name.hasPrefix(Self.heads) ? String(name.dropFirst(Self.heads.count)) : name
    self.name = name
    guard Self.isValid(name) else {
      throw SlipboxError(
        .cannotCreate, "can't publish to \(name): git refuses it as the name of a branch",
        hints: ["name a branch for the site alone, such as gh-pages"])
    }
    do throws(SlipboxError) {
      (ownTip, tip) = try box.git { repository throws(GitError) in
        let own = try repository.references.tip(ofUncheckedBranch: name)
        if let own { return (own, own) }
        return (nil, try repository.remotes.onlyTip(ofBranch: name))
      }
    } catch {
      throw SlipboxError(
        .cannotCreate, "can't publish to \(name): \(error.message)",
        hints: ["name a branch for the site alone, such as gh-pages"])
    }
    guard let tip else {
      (present, earlier) = ([:], [])
      return
    }
    let files = try box.git { repository throws(GitError) in try repository.files(at: tip, under: []) }
    present = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.id) })
    let list = try present[ExportManifest.path].map { id throws(SlipboxError) in try box.stored(id) }
    let manifest = list.flatMap { ExportManifest($0) }
    guard manifest != nil || present.isEmpty else {
      throw SlipboxError(
        .cannotCreate, "the branch \(name) has other files; nothing was written",
        hints: ["name a branch for the site alone, such as gh-pages"])
    }
    earlier = manifest?.paths ?? []
  }

  /// The commit of the branch; empty if it does not exist yet.
  package var commit: String { tip?.hex ?? "" }

  /// The bytes of a file of the branch; nil if it has none.
  package func bytes(at path: [UInt8]) -> [UInt8]? {
    present[path].flatMap { try? box.stored($0) }
  }

  private static let heads = "refs/heads/"

  /// Whether git takes a name for a branch.
  ///
  /// Source: git-check-ref-format(1), with `--branch`.
  static func isValid(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"~^:?*[\\".utf8.contains($0) }
    return isPlain && !["HEAD", "@", ""].contains(name) && !name.hasPrefix("-") && !name.hasPrefix("refs/")
      && !name.hasSuffix(".") && !name.contains("..") && !name.contains("@{")
      && !parts.contains { $0.isEmpty || $0.hasPrefix(".") || $0.hasSuffix(".lock") }
  }

  /// Commits the files unless the branch has them already.
  ///
  /// - Parameter message: makes the message of the commit.
  /// - Returns: the number of files, and the commit; nil if nothing changed.
  package func commit(
    _ files: ExportedFiles, message: String, at time: Timestamp, progress: (_ done: Int) -> Void = { _ in }
  ) throws(SlipboxError) -> (result: ExportResult, commit: String?) {
    let new = Set(files.paths)
    if let path = new.subtracting(earlier).first(where: { present[$0] != nil }) {
      throw SlipboxError(
        .cannotCreate,
        "\(path) is on \(name) and was not written by an export",
        hints: ["remove it from the branch, or use another one"])
    }
    var result = ExportResult()
    var edits = try write(files, &result, progress)
    for path in earlier.subtracting(new) where present[path] != nil {
      edits.append(.remove(path: path))
      result.removed += 1
    }
    let list = ExportManifest.bytes(adding: Array(new))
    return (result, try commit(edits, list, message, time))
  }

  private func commit(
    _ edits: [TreeEdit], _ list: [UInt8], _ message: String, _ time: Timestamp
  ) throws(SlipboxError) -> String? {
    guard !edits.isEmpty || present[ExportManifest.path] == nil else { return nil }
    let commit = try writing { repository throws(GitError) in
      let manifest = try repository.writeBlob(asStored: list)
      let all = edits + [.put(path: ExportManifest.path, blob: manifest, mode: 0o100644)]
      let identity = try repository.identity(at: (time.seconds, time.offsetSeconds / 60))
      return try repository.writeCommit(
        tree: try repository.writeTree(base: tip, all), parents: tip.map { [$0] } ?? [], message: message,
        author: identity.author, committer: identity.committer)
    }
    try box.git { repository throws(GitError) in
      try repository.references.moveUncheckedBranch(
        name, from: ownTip, to: commit, message: "slip export: \(message)")
      repository.releasePacks()
    }
    return commit.hex
  }

  private func writing<Result>(
    _ body: (Repository) throws(GitError) -> Result
  ) throws(SlipboxError) -> Result {
    try box.git { repository throws(GitError) in
      try repository.writingTogether(failing: { $0 }) { () throws(GitError) in try body(repository) }
    }
  }

  // MARK: Files

  /// Writes the objects of the files that the branch does not have; returns the edits that put them there.
  private func write(
    _ files: ExportedFiles, _ result: inout ExportResult, _ progress: (Int) -> Void
  ) throws(SlipboxError) -> [TreeEdit] {
    var edits: [TreeEdit] = []
    var waiting: [[UInt8]] = []
    var size = 0
    let count = files.paths.count
    for start in stride(from: 0, to: count, by: Self.partLength) {
      for made in try make(Array(start..<min(start + Self.partLength, count)), of: files) {
        guard let bytes = made.bytes else {
          result.unchanged += 1
          continue
        }
        edits.append(.put(path: files.paths[made.number], blob: made.blob, mode: 0o100644))
        waiting.append(bytes)
        size += bytes.count
        result.written += 1
      }
      if size > Self.mostBytes || start + Self.partLength >= count {
        try store(waiting)
        (waiting, size) = ([], 0)
      }
      progress(result.written + result.unchanged)
    }
    return edits
  }

  private func make(_ numbers: [Int], of files: ExportedFiles) throws(SlipboxError) -> [Made] {
    let failure = FirstFailure()
    let made = concurrentMap(numbers) { number -> Made? in
      if !files.known.isEmpty, files.known[number] != nil, let blob = present[files.paths[number]] {
        return Made(number: number, blob: blob, bytes: nil)
      }
      do throws(SlipboxError) {
        let bytes = try files.bytes(number)
        let blob = ObjectID(ofBlob: bytes)
        let isThere = present[files.paths[number]] == blob
        return Made(number: number, blob: blob, bytes: isThere ? nil : bytes)
      } catch {
        failure.set(error)
        return nil
      }
    }
    if let error = failure.error { throw error }
    return made.compactMap { $0 }
  }

  private func store(_ blobs: [[UInt8]]) throws(SlipboxError) {
    guard !blobs.isEmpty else { return }
    try writing { repository throws(GitError) in
      for bytes in blobs { _ = try repository.writeBlob(asStored: bytes) }
    }
  }
}
