import Bytes
import CLibgit2
import Platform

/// The branches of another repository.
package struct RemoteBranches: Sendable, Equatable {
  /// The branch that its HEAD is on, which need not exist; nil if it does not say.
  package let head: String?
  package let branches: [String: ObjectID]
}

/// Commits fetched from another repository and pushed to it, by the user's git.
extension Remotes {
  /// Asks another repository for its branches.
  /// - Throws: `remote` with the reason.
  package func branches(of remote: Remote, _ use: NetworkUse) throws(GitError) -> RemoteBranches {
    let answer = try GitProgram.overNetwork(
      ["ls-remote", "--symref", "--", remote.name, "HEAD", "refs/heads/*"], repository, use)
    guard answer.status == 0 else {
      throw .remote(RemoteFault(errors: answer.errors, status: answer.status))
    }
    var head: String?
    var branches: [String: ObjectID] = [:]
    for line in GitError.text(answer.output).split(separator: "\n") {
      let fields = line.split(separator: "\t")
      guard fields.count == 2, !fields[1].utf8.contains(where: Self.isOfPatterns) else { continue }
      let beginning = "ref: refs/heads/"
      if fields[1] == "HEAD", fields[0].hasPrefix(beginning) {
        head = String(fields[0].dropFirst(beginning.count))
      } else if fields[1].hasPrefix("refs/heads/"), let id = ObjectID(hex: String(fields[0])) {
        branches[String(fields[1].dropFirst("refs/heads/".count))] = id
      }
    }
    return RemoteBranches(head: head, branches: branches)
  }

  /// Fetches a branch of another repository to its place among the remote branches.
  /// - Returns: its newest commit; nil if there is no such branch.
  /// - Throws: `remote` with the reason.
  package func fetch(
    _ branch: String, of remote: Remote, _ use: NetworkUse
  ) throws(GitError) -> ObjectID? {
    let place = try trackingName(branch, of: remote.name)
    let answer = try GitProgram.overNetwork(
      [
        "fetch", "--progress", "--no-tags", "--no-prune", "--no-recurse-submodules", "--refmap=", "--",
        remote.name, "+refs/heads/\(branch):\(place)",
      ], repository, use)
    // Git leaves it to the umask, and then another user's fetch can't open it.
    repository.permissions.share(repository.gitDirectory / "FETCH_HEAD")
    if answer.status == 0 {
      syncFetchedNames(of: remote)
      return try repository.references[place]
    }
    let fault = RemoteFault(errors: answer.errors, status: answer.status)
    if fault.kind == .noBranch { return nil }
    throw .remote(fault)
  }

  /// Makes the names of fetched objects durable: git syncs the files, but not their folders.
  ///
  /// Folders without new files are skipped.
  private func syncFetchedNames(of remote: Remote) {
    let objects = repository.commonDirectory / "objects"
    let folders = RawFile.names(in: objects).filter { $0.utf8.count == 2 || $0 == "pack" }.map {
      objects / $0
    }
    for folder in folders + [objects, repository.commonDirectory / "refs/remotes/\(remote.name)"] {
      RawFile.syncFolder(folder)
    }
  }

  /// Pushes a commit as the newest of a branch, which must be an ancestor of it or not exist.
  ///
  /// The pre-push hook runs, as it does for git-push(1), and no other hook.
  /// - Parameters:
  ///   - local: the branch here; the hook gets its name if it still leads to the commit.
  ///   - hookVariables: variables for the hook, beside those of git.
  /// - Returns: the output of the server and the hook, a line each; control characters are not yet escaped.
  /// - Throws: `remote` with the reason, `overtaken` if the branch has other commits, `hookRefused`.
  package func push(
    _ commit: ObjectID, of local: String, to branch: String, of remote: Remote, _ use: NetworkUse,
    hookVariables: [String: String] = [:]
  ) throws(GitError) -> [String] {
    let hook = try repository.hooks.program(named: "pre-push").map { (path) throws(GitError) in
      try HookFolder(
        holding: path, in: repository.gitDirectory, environment: repository.environment,
        adding: hookVariables)
    }
    defer { hook?.remove() }
    var use = use
    // A hook may run tests, or send large files.
    if hook != nil { use.patienceMilliseconds = max(use.patienceMilliseconds, Self.hookMilliseconds) }
    let name = "refs/heads/\(local)"
    let source = try repository.references[name] == commit ? name : commit.hex
    let answer = try GitProgram.overNetwork(
      // A mirror takes no refspec, and git would push and delete all other refs.
      [
        "-c", "remote.\(remote.name).mirror=false",
        "push", "--porcelain", "--progress", hook == nil ? "--no-verify" : "--verify", "--no-follow-tags",
        checksSubmodules ? "--recurse-submodules=check" : "--recurse-submodules=no", "--", remote.name,
        "\(source):refs/heads/\(branch)",
      ], repository, use, hooks: hook?.path)
    let said = RemoteLines(answer.errors)
    if answer.status == 0 { return (hook == nil ? [] : said.own) + said.server }
    let lines = GitError.text(answer.output).split(separator: "\n")
    if let line = lines.first(where: { $0.hasPrefix("!\t") }) {
      throw .remote(RemoteFault(refusal: String(line), errors: answer.errors))
    }
    if hook?.hasRun == true, hook?.hasPassed == false {
      // The hook writes to the output of git itself.
      let words = (lines.map(String.init) + said.own).filter {
        !$0.hasPrefix("error: failed to push some refs")
      }
      throw .remote(RemoteFault(.hookRefused, "the pre-push hook refused the push", words: words))
    }
    throw .remote(RemoteFault(errors: answer.errors, status: answer.status))
  }

  /// Whether git-push(1) would look at submodules first: then a push fails if their commits are on no remote. They are
  /// never pushed themselves.
  private var checksSubmodules: Bool {
    if let setting = repository.settings["push.recurseSubmodules"]?.lowercased() {
      return ["check", "on-demand", "only"].contains(setting)
    }
    return repository.settings.isTrue("submodule.recurse")
  }

  /// How long git may be silent while a hook runs: an hour.
  private static let hookMilliseconds: Int64 = 3_600_000

  /// Whether a byte means something in a refspec, so that no branch has it in its name.
  private static func isOfPatterns(_ byte: UInt8) -> Bool {
    byte <= 32 || byte == 127 || ":?*[\\^~".utf8.contains(byte)
  }

  /// The ref at which a branch of a remote is remembered: where `remote.NAME.fetch` puts it among the remote branches, else
  /// `refs/remotes/NAME/BRANCH`.
  package func trackingName(_ branch: String, of remote: String) throws(GitError) -> String {
    for refspec in try repository.settings.values("remote.\(remote).fetch") {
      let parts = refspec.drop { $0 == "+" }.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let name = Self.place(of: "refs/heads/\(branch)", parts[0], parts[1]),
        name.hasPrefix("refs/remotes/"), !name.contains("..")
      else { continue }
      return name
    }
    return "refs/remotes/\(remote)/\(branch)"
  }

  /// The name that a refspec gives to a ref; nil if its pattern does not match.
  private static func place(of name: String, _ pattern: Substring, _ target: Substring) -> String? {
    guard let star = pattern.firstIndex(of: "*") else { return name == pattern ? String(target) : nil }
    let (before, after) = (pattern[..<star], pattern[pattern.index(after: star)...])
    guard name.utf8.count > before.utf8.count + after.utf8.count, name.hasPrefix(before),
      name.hasSuffix(after),
      let place = target.firstIndex(of: "*")
    else { return nil }
    let middle = name.dropFirst(before.count).dropLast(after.count)
    return "\(target[..<place])\(middle)\(target[target.index(after: place)...])"
  }
}

/// The branch of a remote that the current one follows, and how far apart they are.
package struct Upstream: Sendable, Equatable {
  /// As people name it, such as `origin/main`.
  package let name: String
  /// The last commit of the followed branch.
  package let tip: ObjectID
  /// Commits that only the current branch has.
  package let ahead: Int
  /// Commits that only the followed branch has.
  package let behind: Int
}

/// The branches of remotes as they are remembered here.
extension Remotes {
  /// The remote branch that the current branch follows; nil without one, and before its first fetch.
  ///
  /// Wraps `git_branch_upstream`.
  /// - Complexity: linear in the commits that the two do not share.
  package func upstream() throws(GitError) -> Upstream? {
    guard case .branch(_, let tip?) = try repository.head(), let branch = try repository.headBranch() else {
      return nil
    }
    let opened = try repository.open()
    var found: OpaquePointer?
    guard branch.withCPath({ git_reference_lookup(&found, opened.repository, $0) }) >= 0, let local = found
    else {
      return nil
    }
    defer { git_reference_free(local) }
    var followed: OpaquePointer?
    guard git_branch_upstream(&followed, local) >= 0, let upstream = followed else { return nil }
    defer { git_reference_free(upstream) }
    var name: UnsafePointer<CChar>?
    guard git_branch_name(&name, upstream) >= 0, let name, let target = git_reference_target(upstream) else {
      return nil
    }
    let there = ObjectID(target.pointee)
    let apart = try repository.history.distance(from: tip, to: there)
    return Upstream(name: String(cString: name), tip: there, ahead: apart.ahead, behind: apart.behind)
  }

  /// Removes the locks of a remote's refs that a killed git left.
  ///
  /// Such a lock is held for moments, or as long as a hook of git's runs (`reference-transaction`). A lock is stale if it
  /// is unchanged for two seconds and open in no process, with no git running in the repository. The refs of a remote are
  /// only a local copy.
  package func releaseLeftTrackingLocks(of remote: String) {
    for lock in repository.references.locks(under: "refs/remotes/\(remote)") {
      guard let first = RawFile.status(lock) else { continue }
      let isGone = Waiting.retrying(milliseconds: 2_000) {
        RawFile.status(lock).map { $0.inode != first.inode || $0.changed != first.changed } ?? true
      }
      if !isGone, !ProcessTable.isOpen(lock), !isGitAtWork { RawFile.remove(lock) }
    }
  }

  /// Whether a git runs in one of the repository's work trees or in its git directory, as far as it can be seen.
  private var isGitAtWork: Bool {
    let links = repository.commonDirectory / "worktrees"
    // Each linked work tree's folder holds the path of its `.git` file.
    let linked = RawFile.names(in: links).compactMap { name in
      (try? RawFile.read(links / name / "gitdir"))??.bytes.split(separator: 10).first.map {
        Array($0).parentPath
      }
    }
    let isInside = repository.commonDirectory.suffix(5).elementsEqual("/.git".utf8)
    let main = isInside ? [repository.commonDirectory.parentPath] : [repository.commonDirectory]
    return (main + linked + [repository.workTree].compactMap { $0 }).contains {
      !ProcessTable.commandLines(of: "git", in: $0).isEmpty
    }
  }

  /// The names of the branches that are remembered of remotes, without the remote's name.
  package func branchNames() throws(GitError) -> [String] {
    let prefix = "refs/remotes/"
    return try repository.references.names(under: prefix).compactMap { name in
      let parts = name.dropFirst(prefix.count).split(separator: "/", maxSplits: 1)
      return parts.count == 2 && parts[1] != "HEAD" ? String(parts[1]) : nil
    }.sorted()
  }
}

/// A folder of hooks for one run of git, which holds the pre-push hook alone.
///
/// The hook is called by its own path, so that it finds the files beside it. Marks in the folder record whether it ran and
/// whether it agreed. It does not see the settings with which slip runs git.
private struct HookFolder {
  private let scratch: ScratchFolder

  /// The folder, for `core.hooksPath`.
  var path: [UInt8] { scratch.path }

  init(
    holding hook: [UInt8], in gitDirectory: [UInt8], environment: GitEnvironment,
    adding variables: [String: String]
  ) throws(GitError) {
    scratch = try ScratchFolder(in: gitDirectory)
    let (begun, passed) = (
      ShellWord.quoted(scratch.path / "begun"), ShellWord.quoted(scratch.path / "passed")
    )
    let exports = variables.sorted { $0.key < $1.key }.map {
      "export \($0.key)=\(ShellWord.quoted(Array($0.value.utf8)))"
    }
    let script = """
      #!/bin/sh
      \(HandedSettings.shellLines(environment))
      \(exports.joined(separator: "\n"))
      : >\(begun)
      \(ShellWord.quoted(hook)) "$@" || exit
      : >\(passed)

      """
    do throws(GitError) {
      try RawFile.createDurably(scratch.path / "pre-push", Array(script.utf8), mode: 0o755)
    } catch {
      scratch.remove()
      throw error
    }
  }

  /// Whether git has run the hook.
  var hasRun: Bool { RawFile.status(scratch.path / "begun") != nil }

  /// Whether the hook has ended with 0.
  var hasPassed: Bool { RawFile.status(scratch.path / "passed") != nil }

  func remove() { scratch.remove() }
}
