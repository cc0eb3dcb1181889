import Bytes
import CLibgit2

/// Commits fetched from another repository and pushed to it, by the user's git.
extension Repository {
  /// The branches of another repository.
  package struct RemoteBranches: Sendable, Equatable {
    /// The branch that its HEAD is on, which need not exist; nil where it does not say.
    package let head: String?
    package let branches: [String: ObjectID]
  }

  /// Asks another repository for its branches.
  /// - Throws: `remote` with the reason.
  package func branches(of remote: Remote, _ use: NetworkUse) throws(GitError) -> RemoteBranches {
    let answer = try GitProgram.overNetwork(
      ["ls-remote", "--symref", "--", remote.name, "HEAD", "refs/heads/*"], self, use)
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
  /// - Returns: its newest commit; nil where there is no such branch.
  /// - Throws: `remote` with the reason.
  package func fetch(
    _ branch: String, of remote: Remote, _ use: NetworkUse
  ) throws(GitError) -> ObjectID? {
    let place = try trackingName(branch, of: remote.name)
    let answer = try GitProgram.overNetwork(
      [
        "fetch", "--progress", "--no-tags", "--no-prune", "--no-recurse-submodules", "--refmap=", "--",
        remote.name, "+refs/heads/\(branch):\(place)",
      ], self, use)
    // Git leaves it to the umask, and then another user's fetch can't open it.
    permissions.share(gitDirectory / "FETCH_HEAD")
    if answer.status == 0 {
      syncFetchedNames(of: remote)
      return try reference(place)
    }
    let fault = RemoteFault(errors: answer.errors, status: answer.status)
    if fault.kind == .noBranch { return nil }
    throw .remote(fault)
  }

  /// Makes the names of fetched objects durable: git syncs their files, but not the folders that these stand in.
  ///
  /// For folders in which nothing is new that is nothing to do.
  private func syncFetchedNames(of remote: Remote) {
    let objects = commonDirectory / "objects"
    let folders = RawFile.names(in: objects).filter { $0.utf8.count == 2 || $0 == "pack" }.map {
      objects / $0
    }
    for folder in folders + [objects, commonDirectory / "refs/remotes/\(remote.name)"] {
      RawFile.syncFolder(folder)
    }
  }

  /// Pushes a commit as the newest of a branch, which must be an ancestor of it or not exist.
  ///
  /// The pre-push hook runs, as it does for git-push(1), and no other hook.
  /// - Parameter local: the branch here; the hook is told its name if it still leads to the commit.
  /// - Returns: what the server and the hook said, a line each; control characters are not yet escaped.
  /// - Throws: `remote` with the reason, `overtaken` where the branch has other commits, `hookRefused`.
  package func push(
    _ commit: ObjectID, of local: String, to branch: String, of remote: Remote, _ use: NetworkUse
  ) throws(GitError) -> [String] {
    let hook = try hooks.program(named: "pre-push").map { (path) throws(GitError) in
      try HookFolder(holding: path, in: gitDirectory, environment: environment)
    }
    defer { hook?.remove() }
    var use = use
    // A hook may run tests, or send large files.
    if hook != nil { use.patienceMilliseconds = max(use.patienceMilliseconds, Self.hookMilliseconds) }
    let name = "refs/heads/\(local)"
    let source = try reference(name) == commit ? name : commit.hex
    let answer = try GitProgram.overNetwork(
      // A mirror takes no refspec, and git would push and delete all other refs.
      [
        "-c", "remote.\(remote.name).mirror=false",
        "push", "--porcelain", "--progress", hook == nil ? "--no-verify" : "--verify", "--no-follow-tags",
        checksSubmodules ? "--recurse-submodules=check" : "--recurse-submodules=no", "--", remote.name,
        "\(source):refs/heads/\(branch)",
      ], self, use, hooks: hook?.path)
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
    if let setting = settings["push.recurseSubmodules"]?.lowercased() {
      return ["check", "on-demand", "only"].contains(setting)
    }
    return settings.isTrue("submodule.recurse")
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
    for refspec in try settings.values("remote.\(remote).fetch") {
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

/// A folder of hooks for one run of git, which holds the pre-push hook alone.
///
/// The hook is called by its own path, so that it finds what lies beside it. Marks in the folder tell whether it ran and
/// whether it agreed. It does not see the settings with which slip runs git.
private struct HookFolder {
  private let scratch: ScratchFolder

  /// The folder, for `core.hooksPath`.
  var path: [UInt8] { scratch.path }

  init(holding hook: [UInt8], in gitDirectory: [UInt8], environment: GitEnvironment) throws(GitError) {
    scratch = try ScratchFolder(in: gitDirectory)
    let (begun, passed) = (
      ShellWord.quoted(scratch.path / "begun"), ShellWord.quoted(scratch.path / "passed")
    )
    let script = """
      #!/bin/sh
      \(HandedSettings.shellLines(environment))
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

/// How commits stand to each other.
///
/// The libgit2 of Debian 12 asks for the parents of the commits at which a shallow clone is cut, and fails. It refuses commits
/// whose date is too large for it, too. In a shallow clone and after such a failure git itself answers.
extension Repository {
  /// The best common ancestors of two commits, in no order; none if they have none, or none that is here.
  ///
  /// Wraps `git_merge_bases`, in a shallow clone git-merge-base(1).
  /// - Complexity: linear in the commits that the two do not share.
  package func mergeBases(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
    if isShallow { return try mergeBasesByGit(of: one, and: other) }
    var names = (one.oid, other.oid)
    var found = git_oidarray()
    let status = git_merge_bases(&found, try open().repository, &names.0, &names.1)
    if status == GIT_ENOTFOUND.rawValue { return [] }
    guard status >= 0 else { return try mergeBasesByGit(of: one, and: other) }
    defer { git_oidarray_dispose(&found) }
    return (0..<found.count).map { ObjectID(found.ids[$0]) }
  }

  private func mergeBasesByGit(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
    // Git exits with 1 if the commits have no common ancestor.
    try ids(git(["merge-base", "--all", one.hex, other.hex], accepting: [0, 1]))
  }

  /// Whether a commit is another one or comes before it, as far as the history is here.
  ///
  /// Wraps `git_graph_descendant_of`, in a shallow clone git-merge-base(1).
  package func isAncestor(_ one: ObjectID, of other: ObjectID) throws(GitError) -> Bool {
    if one == other { return true }
    if isShallow { return try mergeBases(of: one, and: other) == [one] }
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_descendant_of(try open().repository, &second, &first)
    return try status < 0 ? mergeBasesByGit(of: one, and: other) == [one] : status == 1
  }

  /// How many commits each of two has that the other has not, as far as the history is here.
  ///
  /// Wraps `git_graph_ahead_behind`, in a shallow clone git-rev-list(1).
  /// - Complexity: linear in the commits that the two do not share.
  package func distance(
    from one: ObjectID, to other: ObjectID
  ) throws(GitError) -> (ahead: Int, behind: Int) {
    let byGit = { [self] () throws(GitError) -> (ahead: Int, behind: Int) in
      let answer = try git(["rev-list", "--left-right", "--count", "\(one.hex)...\(other.hex)"])
      let counts = answer.split { $0 <= UInt8(ascii: " ") }.compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
      guard counts.count == 2 else { throw GitError(.other, "git rev-list did not print two numbers") }
      return (counts[0], counts[1])
    }
    if isShallow { return try byGit() }
    var (ahead, behind) = (0, 0)
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_ahead_behind(&ahead, &behind, try open().repository, &first, &second)
    return status < 0 ? try byGit() : (ahead, behind)
  }

  /// The commits that lead to one and not to another, newest first; all that lead to it if the other is nil.
  ///
  /// Wraps `git_revwalk_next`, in a shallow clone git-rev-list(1).
  package func commits(to tip: ObjectID, notTo other: ObjectID?) throws(GitError) -> [Commit] {
    if isShallow { return try commitsByGit(to: tip, notTo: other) }
    let repository = try open().repository
    let walk = try Handle("walk the history", free: git_revwalk_free) { git_revwalk_new($0, repository) }
    var start = tip.oid
    if git_revwalk_push(walk.pointer, &start) < 0 { return try commitsByGit(to: tip, notTo: other) }
    if let other {
      var end = other.oid
      if git_revwalk_hide(walk.pointer, &end) < 0 { return try commitsByGit(to: tip, notTo: other) }
    }
    var found: [Commit] = []
    var next = git_oid()
    while true {
      let status = git_revwalk_next(&next, walk.pointer)
      if status == GIT_ITEROVER.rawValue { return found }
      if status < 0 { return try commitsByGit(to: tip, notTo: other) }
      found.append(try read(ObjectID(next)))
    }
  }

  private func commitsByGit(to tip: ObjectID, notTo other: ObjectID?) throws(GitError) -> [Commit] {
    var found: [Commit] = []
    let range = [tip.hex] + (other.map { ["^\($0.hex)"] } ?? [])
    for id in try ids(git(["rev-list"] + range + ["--"])) { found.append(try read(id)) }
    return found
  }

  /// The ids in lines of git's output.
  private func ids(_ output: [UInt8]) -> [ObjectID] {
    output.split(separator: 10).compactMap { ObjectID(hex: $0) }
  }
}
