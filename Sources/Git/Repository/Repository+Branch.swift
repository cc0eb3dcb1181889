import Bytes
import CLibgit2
import Glibc
import Platform

extension Repository {
  /// Where HEAD stands.
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

  var references: References {
    References(gitDirectory: gitDirectory, commonDirectory: commonDirectory)
  }

  /// Reads where HEAD stands, without libgit2.
  /// - Throws: `damaged` where HEAD holds no name of a commit; `lostBranch` where the branch had a commit and leads to
  ///   none, so that nothing is taken for the beginning of history that is not.
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

  /// The full name of the ref that HEAD stands for; nil where it is detached.
  func headBranch() throws(GitError) -> [UInt8]? {
    guard case .symbolic(let name) = try references.value(of: Array("HEAD".utf8)) else { return nil }
    guard References.isSafe(name) else {
      throw GitError(
        .damaged(object: "HEAD"), "\(GitError.text(gitDirectory / "HEAD")) does not name a branch")
    }
    return name
  }
}
