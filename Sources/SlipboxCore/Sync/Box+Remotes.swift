import Bytes
package import Git
import Platform
import Text

/// The remotes of a box, which are git's own.
extension Box {
  /// The remotes by name.
  package func remotes() throws(SlipboxError) -> [Repository.Remote] {
    try git { repository throws(GitError) in try repository.remotes() }
  }

  /// Adds a remote; a relative folder is taken from the working directory.
  /// - Returns: the remote, and whether it was there already with this address.
  /// - Throws: `.cannotCreate` where the name has another address, `.notPermitted` for an address that is not used,
  ///   `.notFound` for a folder that is not there.
  package func addRemote(
    _ name: String, _ url: String, from workingDirectory: [UInt8]
  ) throws(SlipboxError) -> (remote: Repository.Remote, isKnown: Bool) {
    let address = try checked(RemoteAddress(url), from: workingDirectory)
    if let known = try remotes().first(where: { $0.name == name }) {
      if known.address == address { return (known, true) }
      throw SlipboxError(
        .cannotCreate,
        "there is a remote \(Visible.escape(name)) already: \(Visible.escape(known.address?.shown ?? ""))",
        hints: [
          "slip remote rm \(ShellWord.quoted(Array(name.utf8))) removes it",
          "to use another name: slip remote add NAME URL",
        ])
    }
    let remote = Repository.Remote(name: name, address: address, pushAddress: nil)
    do throws(SlipboxError) {
      try git { repository throws(GitError) in
        try repository.changeRemotes(["add", "--", name, address.text])
      }
    } catch {
      throw SlipboxError(.usage, Visible.escape(error.message), hints: ["slip remote add NAME URL"])
    }
    return (remote, false)
  }

  /// Removes a remote and what is remembered of it; its commits stay in the box.
  /// - Throws: `.notFound` where there is none of the name.
  package func removeRemote(_ name: String) throws(SlipboxError) {
    let names = try remotes().map(\.name)
    guard names.contains(name) else {
      let hint =
        names.isEmpty ? "there is none" : "there is: \(Visible.escape(names.joined(separator: ", ")))"
      throw SlipboxError(.notFound, "there is no remote \(Visible.escape(name))", hints: [hint])
    }
    try git { repository throws(GitError) in
      try repository.changeRemotes(["remove", "--", name])
      try repository.removeReferences(under: "refs/slipbox/synced/\(name)/")
    }
  }

  private func checked(
    _ address: RemoteAddress, from workingDirectory: [UInt8]
  ) throws(SlipboxError) -> RemoteAddress {
    if let refusal = address.refusal {
      throw SlipboxError(
        .notPermitted,
        "\(Visible.escape(address.shown)) is not a supported address: \(Visible.escape(refusal.reason))",
        hints: ["a folder, user@host:path, ssh://, https:// and git:// are"])
    }
    guard address.way == .folder, !address.text.hasPrefix("file://") else { return address }
    let path = BytePath.join(workingDirectory, Array(address.path.utf8))
    let folder = BytePath.normalised(path) ?? path
    guard Files.isFolder(folder) else {
      throw SlipboxError(
        .notFound, "there is no folder \(Visible.escape(folder))",
        hints: ["git init --bare -b main \(ShellWord.quoted(folder)) creates one"])
    }
    let absolute = RemoteAddress(String(decoding: folder, as: UTF8.self))
    if absolute.isFolder(below: workTree, seenFrom: workTree) {
      throw SlipboxError(
        .usage, "\(Visible.escape(folder)) is inside this box", hints: ["make the other folder beside it"])
    }
    return absolute
  }
}
