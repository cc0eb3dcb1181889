import Bytes
package import Git
import Text

/// The branch of another repository with which a box is synced.
package struct SyncTarget: Sendable {
  package let remote: Repository.Remote
  /// The branch of the box.
  package let branch: String
  /// The branch there; nil where it is still to be found.
  package let branchThere: String?
  /// Whether the branch of the box follows none yet.
  let isFirst: Bool

  /// As people name it, such as `origin/main`.
  package var name: String { "\(remote.name)/\(branchThere ?? branch)" }

  /// The ref that holds what was there at the last sync; git's own ref moves with each fetch.
  var syncedName: String { "refs/slipbox/synced/\(name)" }

  /// The ref that holds what was there at the last fetch.
  var trackingName: String { Repository.trackingName(branchThere ?? branch, of: remote.name) }

  func on(_ branchThere: String) -> SyncTarget {
    SyncTarget(remote: remote, branch: branch, branchThere: branchThere, isFirst: isFirst)
  }
}

extension Box {
  /// The remote of a sync: the one that is named, else that of the branch, else `origin`, else the only one.
  /// - Throws: `.configuration` where there is none or HEAD is on no branch, `.usage` where several could be meant,
  ///   `.notFound` where the name is none.
  package func syncTarget(named name: String?) throws(SlipboxError) -> SyncTarget {
    let remotes = try git { repository throws(GitError) in try repository.remotes() }
    guard case .branch(let branch, _) = try git({ repository throws(GitError) in try repository.head() })
    else {
      throw SlipboxError(
        .configuration, "HEAD is detached, so there is no branch to sync",
        hints: ["git switch BRANCH goes back to one"])
    }
    guard !remotes.isEmpty else {
      throw SlipboxError(
        .configuration, "this box has no remote to sync with",
        hints: ["slip remote add URL names one: a folder, user@host:path, https://..."])
    }
    let (own, merged) = withRepository { repository in
      (
        repository.configuration("branch.\(branch).remote"),
        repository.configuration("branch.\(branch).merge")
      )
    }
    let names = remotes.map(\.name)
    var chosen = name ?? own ?? ""
    if name == nil, !names.contains(chosen) { chosen = try Self.usual(among: names) }
    guard let remote = remotes.first(where: { $0.name == chosen }) else {
      throw SlipboxError(
        .notFound, "there is no remote \(Visible.escape(chosen))",
        hints: [
          "there is: \(Visible.escape(names.joined(separator: ", ")))", "slip remote add NAME URL makes one",
        ])
    }
    let prefix = "refs/heads/"
    let followed =
      own == chosen ? merged.flatMap { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : nil } : nil
    var branchThere = followed.map(String.init)
    if branchThere == nil { branchThere = try known(branch, of: chosen) }
    return SyncTarget(remote: remote, branch: branch, branchThere: branchThere, isFirst: own == nil)
  }

  /// The branch itself, where the remote is known to have one of its name.
  private func known(_ branch: String, of remote: String) throws(SlipboxError) -> String? {
    let name = Repository.trackingName(branch, of: remote)
    let tip = try git { repository throws(GitError) in try repository.reference(name) }
    return tip == nil ? nil : branch
  }

  private static func usual(among names: [String]) throws(SlipboxError) -> String {
    if names.contains("origin") { return "origin" }
    guard names.count > 1 else { return names[0] }
    throw SlipboxError(
      .usage, "which remote? there are \(Visible.escape(names.joined(separator: ", ")))",
      hints: ["slip sync \(ShellWord.quoted(Array(names[0].utf8)))"])
  }
}
