import Bytes
import CLibgit2
import Platform

extension Repository {
  /// The state of HEAD.
  package enum Head: Sendable, Equatable {
    /// On a branch, by its short name; without tip the branch is not born yet.
    case branch(name: String, tip: ObjectID?)
    /// On a commit, on no branch.
    case detached(ObjectID)

    /// The commit; nil on an unborn branch.
    package var tip: ObjectID? {
      switch self {
      case .branch(_, let tip): tip
      case .detached(let id): id
      }
    }
  }

  /// Reads HEAD without libgit2.
  /// - Throws: `damaged` if HEAD holds no name of a commit; `lostBranch` if the branch had a commit and leads to
  ///   none now, so that a damaged history is not mistaken for a new one.
  package func head() throws(GitError) -> Head {
    guard let name = try headBranch() else {
      guard let id = try references.object(at: Array("HEAD".utf8)) else {
        throw GitError(.damaged(object: "HEAD"), "\(GitError.text(gitDirectory / "HEAD")) is missing")
      }
      return .detached(id)
    }
    let tip = try references.object(at: name)
    if tip == nil, let lost = references.lostBranch(name, expecting: firstCommit) { throw lost }
    let prefix = Array("refs/heads/".utf8)
    let short = name.starts(with: prefix) ? Array(name.dropFirst(prefix.count)) : name
    return .branch(name: String(decoding: short, as: UTF8.self), tip: tip)
  }

  /// The full name of the ref that HEAD points to; nil if it is detached.
  func headBranch() throws(GitError) -> [UInt8]? {
    guard case .symbolic(let name) = try references.value(of: Array("HEAD".utf8)) else { return nil }
    guard References.isSafe(name) else {
      throw GitError(
        .damaged(object: "HEAD"), "\(GitError.text(gitDirectory / "HEAD")) does not name a branch")
    }
    return name
  }
}

/// Branches beside the one that HEAD is on.
extension References {
  /// The commit of a branch that no work tree has checked out; nil if there is no such branch.
  ///
  /// - Throws: `other` if a work tree is on the branch, or if git does not allow the name.
  package func tip(ofUncheckedBranch branch: String) throws(GitError) -> ObjectID? {
    let name = Array("refs/heads/\(branch)".utf8)
    guard Self.isSafe(name) else { throw GitError(.other, "\(branch) is not a valid branch name") }
    let found = try resolved(name)
    if found.id == nil { try refuseNameConflict(name) }
    let links = commonDirectory / "worktrees"
    let folders = [gitDirectory, commonDirectory] + RawFile.names(in: links).map { links / $0 }
    for folder in folders {
      let others = References(repository: repository, gitDirectory: folder)
      guard case .symbolic(let head)? = try? others.value(of: Array("HEAD".utf8)) else { continue }
      guard head != name, try others.resolved(head).name != found.name else {
        throw GitError(.other, "\(branch) is checked out in a work tree")
      }
    }
    return found.id
  }

  /// Moves a branch that no work tree has checked out from one commit to another, and notes it in its log.
  ///
  /// - Parameter old: nil if the branch must not exist yet.
  /// - Throws: `moved` if the branch is elsewhere; `locked`.
  package func moveUncheckedBranch(
    _ branch: String, from old: ObjectID?, to new: ObjectID, message: String
  ) throws(GitError) {
    let name = try resolved(Array("refs/heads/\(branch)".utf8)).name
    let lock = try lock(name)
    defer { lock.release() }
    guard try object(at: name) == old else { throw .moved(name) }
    try write(new, to: name)
    try? log([name], old ?? .zero, new, message)
    // The sync comes after the lock is gone, so that no power cut brings it back.
    lock.release()
    RawFile.syncFolder((commonDirectory / name).parentPath)
  }

  /// Puts the name of a commit in a ref's file in one step, which is durable when both folders are synced.
  func write(_ commit: ObjectID, to name: [UInt8]) throws(GitError) {
    let draft = gitDirectory / "branch.slip"
    let target = commonDirectory / name
    // One that a killed command left.
    RawFile.remove(draft)
    do throws(GitError) {
      try RawFile.createDurably(draft, Array("\(commit.hex)\n".utf8), mode: 0o666)
      repository.permissions.share(draft)
      // Left by branches that had this one's name as their folder.
      Files.removeEmptyFolders(target)
      try RawFile.rename(draft, to: target)
    } catch {
      RawFile.remove(draft)
      throw error
    }
  }

  /// Takes the lock of a ref.
  /// - Throws: `locked` if another program holds it until the wait is over.
  func lock(_ name: [UInt8]) throws(GitError) -> LockFile {
    try repository.lockPolicy.take(lockPath(name))
  }

  /// The lock file of a ref, in a folder that exists.
  func lockPath(_ name: [UInt8]) -> [UInt8] {
    let path = commonDirectory / name + Array(".lock".utf8)
    // A branch that only `packed-refs` knows may have no folder. If it can't be made, the lock can't be either.
    try? repository.permissions.makeFolder(path.parentPath)
    return path
  }
}

extension References {
  /// Notes in the logs of refs that they move, where git would.
  func log(
    _ names: [[UInt8]], _ old: ObjectID, _ new: ObjectID, _ message: String
  ) throws(GitError) {
    let setting = repository.settings["core.logAllRefUpdates"]?.lowercased()
    let makesLogs = setting.map { !["false", "no", "off", "0"].contains($0) } ?? (repository.workTree != nil)
    let now = LocalClock.now().seconds
    let time = (seconds: now, offsetMinutes: LocalClock.offset(at: now) / 60)
    // An author without an identity could not make the commit; an empty identity is logged all the same.
    let line = (try? repository.identity(at: time).committer.line) ?? "unknown <unknown> \(now) +0000"
    let text = message.split(separator: "\n").joined(separator: " ")
    for name in names {
      let folder = name == Array("HEAD".utf8) ? gitDirectory : commonDirectory
      let file = folder / "logs" / name
      guard makesLogs || RawFile.status(file) != nil else { continue }
      Files.removeEmptyFolders(file)
      try GitError.wrapping("write", file) { () throws(SystemError) in
        try repository.permissions.makeFolder(file.parentPath)
        try Files.append(Array("\(old.hex) \(new.hex) \(line)\t\(text)\n".utf8), to: file)
        repository.permissions.share(file)
      }
    }
  }
}

extension References {
  /// Refuses to make a branch whose name git does not allow, or that has another branch's name as a folder, or the
  /// reverse.
  ///
  /// Wraps `git_reference_name_is_valid`.
  func refuseNameConflict(_ name: [UInt8]) throws(GitError) {
    var isValid: Int32 = 0
    let status = name.withCPath { git_reference_name_is_valid(&isValid, $0) }
    let shown = GitError.text(name)
    guard status >= 0, isValid != 0 else {
      throw GitError(.other, "\(shown) is not a valid branch name")
    }
    var other = try firstReference(below: name)
    for (index, byte) in name.enumerated() where byte == UInt8(ascii: "/") && other == nil {
      let above = Array(name[..<index])
      if Self.isSafe(above), try object(at: above) != nil { other = above }
    }
    guard let other else { return }
    throw GitError(
      .other,
      "can't make the branch \(GitError.text(name)): \(GitError.text(other)) exists, and git can't have both")
  }
}

extension GitError {
  static func moved(_ name: [UInt8]) -> GitError {
    GitError(.moved, "\(text(name)) was moved by another program at the same time")
  }
}
