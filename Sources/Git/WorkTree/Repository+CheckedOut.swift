import Bytes
import Platform

/// A file of a commit that is to be written to the work tree.
package struct CheckoutFile: Sendable {
  /// From the root of the repository.
  package let path: [UInt8]
  package let blob: ObjectID
  /// 0o100644 or 0o100755.
  package let mode: UInt32

  package init(path: [UInt8], blob: ObjectID, mode: UInt32) {
    self.path = path
    self.blob = blob
    self.mode = mode
  }
}

extension Repository {
  private static let attributesName = Array(".gitattributes".utf8)

  /// The bytes that git would write to the work tree for files, in their order.
  ///
  /// Line ends, keywords and encodings are converted, and the filters that the user or this clone has configured run,
  /// as git-checkout(1) does it. Only files that need it are handed to git: they are checked out, by a private index,
  /// into a scratch folder.
  /// - Throws: `filterFailed` if a filter fails.
  package func checkedOut(_ files: [CheckoutFile]) throws(GitError) -> [[UInt8]] {
    // New attributes hold for the files that come with them.
    let hasNewRules = files.contains { BytePath.name(of: $0.path) == Self.attributesName }
    var converted: Set<Int> = []
    for (number, file) in files.enumerated() {
      if hasNewRules {
        converted.insert(number)
      } else if try isConverted(file.path) {
        converted.insert(number)
      }
    }
    let made = try checkedOutByGit(converted.sorted().map { files[$0] })
    var result: [[UInt8]] = []
    for (number, file) in files.enumerated() {
      if converted.contains(number), let bytes = made[file.path] {
        result.append(bytes)
      } else {
        result.append(try blob(file.blob))
      }
    }
    return result
  }

  private func checkedOutByGit(_ files: [CheckoutFile]) throws(GitError) -> [[UInt8]: [UInt8]] {
    guard !files.isEmpty else { return [:] }
    let scratch = try ScratchFolder(in: gitDirectory)
    defer { scratch.remove() }
    var input: [UInt8] = []
    for file in files {
      input += Array("\(String(file.mode, radix: 8)) \(file.blob.hex)\t".utf8) + file.path + [0]
    }
    let index = scratch.path / "index"
    _ = try git(["update-index", "--add", "-z", "--index-info"], index: index, input: input)
    let prefix = GitError.text(scratch.path / "files/")
    let answer = try runGit(["checkout-index", "--all", "--prefix=\(prefix)"], index: index)
    // A filter that is not required may fail, and git goes on without it: the file would hold its stored form.
    let complaint = Self.filterComplaint(in: answer)
    if answer.status != 0 || complaint != nil {
      let said = complaint ?? "git checkout-index failed"
      throw GitError(.filterFailed, "a git filter failed on an incoming file: \(RemoteLines.bare(said))")
    }
    var result: [[UInt8]: [UInt8]] = [:]
    for file in files { result[file.path] = try RawFile.read(scratch.path / "files" / file.path)?.bytes }
    return result
  }

  /// The ids of the blobs that git would store for files of the work tree, by their paths; filters run. A path that git
  /// can't read is missing.
  package func storedIDs(ofFiles paths: [[UInt8]]) throws(GitError) -> [[UInt8]: ObjectID] {
    let plain = paths.filter { !$0.contains(10) && $0.first != UInt8(ascii: "\"") }
    guard !plain.isEmpty else { return [:] }
    let input = Array(plain.joined(separator: [10])) + [10]
    // It stops at the first file that it can't read; those are not as git has them then.
    let answer = try runGit(["hash-object", "--stdin-paths"], input: input)
    let ids = answer.output.split(separator: 10).map { ObjectID(hex: $0) }
    return Dictionary(zip(plain, ids).compactMap { path, id in id.map { (path, $0) } }) { $1 }
  }
}

extension Repository {
  /// Whether sparse checkout is on: git writes only files that its patterns select.
  package var isSparse: Bool { configurationIsTrue("core.sparseCheckout") }

  /// The paths that the sparse checkout leaves out of the work tree; none if it is off.
  ///
  /// Git itself decides, on an index of these paths alone and an empty folder in the place of the work tree.
  package func leftOut(of paths: [[UInt8]]) throws(GitError) -> Set<[UInt8]> {
    guard !paths.isEmpty, isSparse else { return [] }
    let scratch = try ScratchFolder(in: gitDirectory)
    defer { scratch.remove() }
    let (index, files) = (scratch.path / "index", scratch.path / "files")
    try GitError.wrapping("make", files) { () throws(SystemError) in try Files.makeDirectory(files) }
    let empty = try writeBlob(asStored: [])
    let line = Array("100644 \(empty.hex)\t".utf8)
    let input = Array(paths.map { line + $0 + [0] }.joined())
    _ = try git(["update-index", "--add", "-z", "--index-info"], index: index, workTree: files, input: input)
    _ = try git(["sparse-checkout", "reapply"], index: index, workTree: files)
    let listing = try git(["ls-files", "-t", "-z"], index: index, workTree: files)
    let out = listing.split(separator: 0).filter { $0.starts(with: "S ".utf8) }
    return Set(out.map { Array($0.dropFirst(2)) })
  }
}

/// A folder inside the git directory that is removed with all that is in it.
struct ScratchFolder {
  private static let prefix = "scratch.slip"

  let path: [UInt8]

  /// Makes a new one, and removes those that killed commands left an hour ago or earlier.
  init(in gitDirectory: [UInt8]) throws(GitError) {
    for name in RawFile.names(in: gitDirectory) where name.hasPrefix("\(Self.prefix)-") {
      let left = gitDirectory / name
      let age = LocalClock.now().seconds - (RawFile.status(left)?.modified.seconds ?? .max)
      if age > 3_600 { Self.removeAll(left) }
    }
    let path = gitDirectory / Files.uniqueName(Self.prefix)
    try GitError.wrapping("make", path) { () throws(SystemError) in try Files.makeDirectory(path) }
    self.path = path
  }

  func remove() { Self.removeAll(path) }

  private static func removeAll(_ path: [UInt8]) {
    guard RawFile.status(path)?.kind == .directory else { return RawFile.remove(path) }
    // What can't be removed is left; nothing reads it.
    for name in (try? Files.list(path)) ?? [] { removeAll(path / name) }
    try? Files.removeFolder(path)
  }
}
