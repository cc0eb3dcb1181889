import Bytes
package import Git
import Platform
import Text

/// The branch of another repository with which a box is synced.
package struct SyncTarget: Sendable {
  package let remote: Remote
  /// The branch of the box.
  package let branch: String
  /// The branch there; nil if it is not determined yet.
  package let branchThere: String?
  /// Whether the branch of the box follows none yet.
  let isFirst: Bool
  /// Whether git-push(1) creates a branch on a remote that has none of its name, according to `push.default` or
  /// `push.autoSetupRemote`.
  let makesBranches: Bool

  /// The common name, such as `origin/main`.
  package var name: String { "\(remote.name)/\(branchThere ?? branch)" }

  /// The name of the ref with the remote tip of the last sync; git's own ref moves with each fetch.
  var syncedName: String { "refs/slipbox/synced/\(name)" }

  /// Returns the name of the ref with the remote tip of the last fetch.
  func trackingName(in repository: Repository) throws(GitError) -> String {
    try repository.remotes.trackingName(branchThere ?? branch, of: remote.name)
  }

  func on(_ branchThere: String) -> SyncTarget {
    SyncTarget(
      remote: remote, branch: branch, branchThere: branchThere, isFirst: isFirst, makesBranches: makesBranches
    )
  }

  /// Returns the error for publishing a branch to which no branch of the remote corresponds.
  func unpublished(names: [String], head: String?) -> SlipboxError {
    let typed = { (text: String) in Phrase(typed: text) }
    if names.contains(branch) {
      return SlipboxError(
        .configuration, "can't push: the branch \(branch) has no upstream branch",
        hints: [
          "sync it with the branch of that name: git branch --set-upstream-to=\(typed("\(remote.name)/\(branch)"))"
        ])
    }
    var hints: [Phrase] = ["publish it as a new branch: git push -u \(typed(remote.name)) \(typed(branch))"]
    if let other = head ?? names.first {
      hints.append(
        "or sync it with \(other): git fetch \(typed(remote.name)) && git branch --set-upstream-to=\(typed("\(remote.name)/\(other)"))"
          + " && git config push.default upstream")
    }
    return SlipboxError(
      .configuration,
      "can't push: the branch \(branch) has no upstream, and \(remote.name) has no "
        + "branch of that name",
      hints: hints)
  }

  /// Returns the error for pushing a branch that follows another branch of this repository, or an address without a name:
  /// git-push(1) sends it to none of the remotes.
  static func noRemote(_ followed: String, followedBy branch: String, among names: [String]) -> SlipboxError {
    let typed = { (text: String) in Phrase(typed: text) }
    let (shown, remote) = (Phrase(branch), names.contains("origin") ? "origin" : names[0])
    let reason: Phrase =
      followed == "."
      ? "the branch \(shown) follows another branch of this repository"
      : "the branch \(shown) follows \(RemoteAddress(followed).shown), which is not a remote"
    return SlipboxError(
      .configuration, "can't push: \(reason)",
      hints: ["publish it as a new branch: git push -u \(typed(remote)) \(typed(branch))"])
  }

  /// Returns the error for pushing a branch to the branch of its name if `remote.NAME.push` sends it elsewhere.
  /// - Parameter destinations: the full names of the refs to which git-push(1) would push it.
  func sentElsewhere(_ destinations: [String]) -> SlipboxError {
    let key = "remote.\(remote.name).push"
    let (shown, there) = (Phrase(branch), Phrase(remote.name))
    let destination: Phrase =
      destinations.isEmpty
      ? "git does not push the branch \(shown) to \(there)"
      : "git pushes \(shown) to \(destinations.joined(separator: ", ")) of \(there)"
    return SlipboxError(
      .configuration, "can't push: \(destination), as \(key) says",
      hints: [
        "exchange commits with git: git pull \(typed: remote.name) \(typed: branch), then git push",
        "or remove the setting: git config --unset-all \(typed: key)",
      ])
  }

  /// Returns the error for pushing to a branch of another name, which git-push(1) refuses too.
  static func otherName(_ branch: String, _ there: String, of remote: String) -> SlipboxError {
    let typed = { (text: String) in Phrase(typed: text) }
    return SlipboxError(
      .configuration,
      "can't push: the branch \(branch) follows \("\(remote)/\(there)"), which has another name",
      hints: [
        "publish it as a new branch: git push -u \(typed(remote)) \(typed(branch))",
        "or allow pushes to a branch of another name: git config push.default upstream",
      ])
  }
}

extension Box {
  /// Returns the target of a sync. The remote is the named one, otherwise that of the branch, otherwise `origin`,
  /// otherwise the only one.
  /// - Throws: `.configuration` if there is none or HEAD is on no branch, `.usage` if several could be meant, `.notFound`
  ///   if there is no remote of the name.
  package func syncTarget(named name: String?) throws(SlipboxError) -> SyncTarget {
    let remotes = try git { repository throws(GitError) in try repository.remotes.all() }
    guard case .branch(let branch, _) = try git({ repository throws(GitError) in try repository.head() })
    else {
      throw SlipboxError(
        .configuration, "HEAD is detached, so there is no branch to sync",
        hints: ["git switch BRANCH switches to a branch"])
    }
    guard !remotes.isEmpty else {
      throw SlipboxError(
        .configuration, "this box has no remote to sync with",
        hints: ["\(slip: "remote add", "URL") adds one: a folder, user@host:path, https://..."])
    }
    let (own, merged) = withRepository { repository in
      (
        repository.settings["branch.\(branch).remote"],
        repository.settings["branch.\(branch).merge"]
      )
    }
    let names = remotes.map(\.name)
    if name == nil, let own, !names.contains(own) {
      throw SyncTarget.noRemote(own, followedBy: branch, among: names)
    }
    var chosen = name ?? own ?? ""
    if chosen.isEmpty { chosen = try Self.usual(among: names) }
    guard let remote = remotes.first(where: { $0.name == chosen }) else {
      throw SlipboxError(
        .notFound, "there is no remote \(chosen)",
        hints: [
          "the remotes are: \(names.joined(separator: ", "))",
          "\(slip: "remote add", "NAME", "URL") adds it",
        ])
    }
    let prefix = "refs/heads/"
    let followed =
      own == chosen ? merged.flatMap { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : nil } : nil
    let push = PushSettings(of: branch, in: self)
    if name == nil, let other = push.remote, other != chosen {
      throw SlipboxError(
        .configuration,
        "git pushes \(branch) to \(other), and fetches it from \(chosen)",
        hints: ["name the remote to sync with: \(slip: "sync", .value(chosen))"])
    }
    if name == nil, push.isForbidden {
      throw SlipboxError(
        .configuration, "can't push: push.default is nothing, so git pushes no branch by default",
        hints: ["name the remote to sync with: \(slip: "sync", .value(chosen))"])
    }
    var branchThere = followed.map(String.init)
    if let there = branchThere, there != branch {
      if push.isToSameName {
        branchThere = nil
      } else if !push.isToUpstream {
        throw SyncTarget.otherName(branch, there, of: chosen)
      }
    }
    if branchThere == nil, own != nil || push.makesBranches { branchThere = try known(branch, of: chosen) }
    return SyncTarget(
      remote: remote, branch: branch, branchThere: branchThere, isFirst: own == nil,
      makesBranches: push.makesBranches)
  }

  /// Returns the branch itself, if the remote is known to have one of its name.
  private func known(_ branch: String, of remote: String) throws(SlipboxError) -> String? {
    let tip = try git { repository throws(GitError) in
      try repository.references[repository.remotes.trackingName(branch, of: remote)]
    }
    return tip == nil ? nil : branch
  }

  private static func usual(among names: [String]) throws(SlipboxError) -> String {
    if names.contains("origin") { return "origin" }
    guard names.count > 1 else { return names[0] }
    throw SlipboxError(
      .usage, "which remote? this box has \(names.joined(separator: ", "))",
      hints: ["\(slip: "sync", .value(names[0]))"])
  }
}

/// The settings that decide to which branch git-push(1) would push a branch.
private struct PushSettings {
  /// The remote that is set for pushes; it may differ from that of fetches.
  let remote: String?
  /// `push.default`; git's own default is `simple`.
  private let mode: String
  private let setsUpRemote: Bool

  init(of branch: String, in box: Box) {
    (remote, mode, setsUpRemote) = box.withRepository { repository in
      (
        repository.settings["branch.\(branch).pushRemote"]
          ?? repository.settings["remote.pushDefault"],
        repository.settings["push.default"]?.lowercased() ?? "simple",
        repository.settings.isTrue("push.autoSetupRemote")
      )
    }
  }

  /// Whether git-push(1) pushes only refs that are named.
  var isForbidden: Bool { mode == "nothing" }

  /// Whether a branch is pushed to the one that it follows, whatever its name is.
  var isToUpstream: Bool { mode == "upstream" || mode == "tracking" }

  /// Whether a branch is pushed to the one of its name, whatever it follows.
  var isToSameName: Bool { mode == "current" }

  /// Whether git-push(1) creates a branch that the remote does not have.
  var makesBranches: Bool { mode == "current" || setsUpRemote && mode != "nothing" }
}

/// The remotes of a box, which are git's own.
extension Box {
  /// Returns the remotes by name.
  package func remotes() throws(SlipboxError) -> [Remote] {
    try git { repository throws(GitError) in try repository.remotes.all() }
  }

  /// Adds a remote; a relative folder is resolved from the working directory.
  /// - Returns: the remote, and whether it existed already with this address.
  /// - Throws: `.cannotCreate` if the name has another address, `.notPermitted` for an address that is not used,
  ///   `.notFound` for a folder that does not exist.
  package func addRemote(
    _ name: String, _ url: String, from workingDirectory: [UInt8]
  ) throws(SlipboxError) -> (remote: Remote, isKnown: Bool) {
    let address = try checked(RemoteAddress(url), from: workingDirectory)
    if let known = try remotes().first(where: { $0.name == name }) {
      if known.address == address { return (known, true) }
      throw SlipboxError(
        .cannotCreate,
        "there is a remote \(name) already: \(known.address?.shown ?? "")",
        hints: [
          "\(slip: "remote rm", .value(name)) removes it",
          "to use another name: \(slip: "remote add", "NAME", "URL")",
        ])
    }
    let remote = Remote(name: name, address: address, pushAddress: nil)
    do throws(SlipboxError) {
      try git { repository throws(GitError) in
        try repository.remotes.change(["add", "--", name, address.text])
      }
    } catch {
      throw SlipboxError(.usage, error.message, hints: ["\(slip: "remote add", "NAME", "URL")"])
    }
    return (remote, false)
  }

  /// Removes a remote with its settings and refs; its commits stay in the box.
  /// - Throws: `.notFound` if there is none of the name.
  package func removeRemote(_ name: String) throws(SlipboxError) {
    let names = try remotes().map(\.name)
    guard names.contains(name) else {
      let hint: Phrase =
        names.isEmpty
        ? "there are no remotes" : "the remotes are: \(names.joined(separator: ", "))"
      throw SlipboxError(.notFound, "there is no remote \(name)", hints: [hint])
    }
    try git { repository throws(GitError) in
      try repository.remotes.change(["remove", "--", name])
      try repository.references.remove(under: "refs/slipbox/synced/\(name)/")
    }
  }

  private func checked(
    _ address: RemoteAddress, from workingDirectory: [UInt8]
  ) throws(SlipboxError) -> RemoteAddress {
    let helpers = try git { repository throws(GitError) in
      try repository.remotes.allowedHelpers(for: [address])
    }
    if let refusal = address.refusal(allowing: helpers) {
      throw SlipboxError(
        .notPermitted,
        "\(address.shown) is not a supported address: \(refusal.reason)",
        hints: ["a folder, user@host:path, ssh://, https:// and git:// are"] + address.allowingHints)
    }
    guard address.way == .folder, !address.text.hasPrefix("file://") else { return address }
    let path = BytePath.join(workingDirectory, Array(address.path.utf8))
    let folder = BytePath.normalised(path) ?? path
    guard Files.isFolder(folder) else {
      throw SlipboxError(
        .notFound, "there is no folder \(folder)",
        hints: ["git init --bare -b main \(typed: folder) creates one"])
    }
    let absolute = RemoteAddress(String(decoding: folder, as: UTF8.self))
    if absolute.isFolder(below: workTree, seenFrom: workTree) {
      throw SlipboxError(
        .usage, "\(folder) is inside this box", hints: ["use a folder outside the box"])
    }
    return absolute
  }
}
