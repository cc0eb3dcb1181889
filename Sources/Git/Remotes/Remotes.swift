import Bytes
import CLibgit2
import Platform

/// Another repository that this one knows by a name.
package struct Remote: Sendable, Equatable {
  package let name: String
  /// The address for fetches, as it is written in the configuration; nil if there is none.
  package let address: RemoteAddress?
  /// The address for pushes, if it differs.
  package let pushAddress: RemoteAddress?

  package init(name: String, address: RemoteAddress?, pushAddress: RemoteAddress? = nil) {
    self.name = name
    self.address = address
    self.pushAddress = pushAddress
  }
}

extension Repository {
  /// The remotes.
  package var remotes: Remotes { Remotes(repository: self) }
}

/// The remotes of a repository: their addresses, and the exchange of commits with them by the user's git.
package struct Remotes {
  let repository: Repository

  /// The remotes by name.
  ///
  /// Wraps `git_remote_list`.
  package func all() throws(GitError) -> [Remote] {
    let opened = try repository.open()
    var names = git_strarray()
    try GitLibrary.check(git_remote_list(&names, opened.repository), "list the remotes")
    defer { git_strarray_dispose(&names) }
    var found: [Remote] = []
    for index in 0..<names.count {
      guard let name = names.strings[index].map({ String(cString: $0) }) else { continue }
      found.append(
        Remote(
          name: name, address: repository.settings["remote.\(name).url"].map { RemoteAddress($0) },
          pushAddress: repository.settings["remote.\(name).pushurl"].map { RemoteAddress($0) }))
    }
    return found.sorted { $0.name < $1.name }
  }

  /// The commits that git-fetch(1) or git-pull(1) fetched last, as `FETCH_HEAD` names them; none if there is no such file.
  package func lastFetched() -> [ObjectID] {
    let file = try? RawFile.read(repository.gitDirectory / "FETCH_HEAD")
    return (file?.bytes ?? []).split(separator: 0x0A).compactMap { ObjectID(hex: $0.prefix(40)) }
  }

  /// The commit at which a branch was fetched last; nil if no remote has a branch of that name, or if several have.
  package func onlyTip(ofBranch branch: String) throws(GitError) -> ObjectID? {
    var tips: [ObjectID] = []
    for remote in try all() {
      let name = try trackingName(branch, of: remote.name)
      if let tip = try repository.references[name] { tips.append(tip) }
    }
    return tips.count == 1 ? tips[0] : nil
  }

  /// Whether a remote is fetched from or pushed to, for which it may have different addresses.
  package enum Direction: String, Sendable {
    case fetch = "url"
    case push = "pushurl"
  }

  /// Whether a remote is pushed to another address than it is fetched from, which may be a copy that lags behind.
  package func pushesElsewhere(_ remote: Remote) throws(GitError) -> Bool {
    try addresses(of: remote, .push).isDisjoint(with: addresses(of: remote, .fetch))
  }

  /// Refuses addresses of a remote that would have git run a program, or that lead into this repository.
  /// - Throws: `remote` with the reason.
  package func refuseAddresses(of remote: Remote, _ direction: Direction) throws(GitError) {
    let addresses = try addresses(of: remote, direction).map { RemoteAddress($0) }
    let helpers = try allowedHelpers(for: addresses)
    for address in addresses {
      if let refusal = address.refusal(allowing: helpers) { throw .remote(refusal) }
      let here = repository.workTree ?? repository.gitDirectory
      for folder in [here, repository.gitDirectory, repository.commonDirectory]
      where address.isFolder(below: folder, seenFrom: here) {
        throw .remote(RemoteFault(.address, "it is a folder of this repository"))
      }
    }
  }

  /// The remote helpers that the user allows with `protocol.NAME.allow`, in the user's configuration or in that of the
  /// machine.
  ///
  /// The repository's own file does not count, since its creator wrote it. `ext` and `fd` are never allowed.
  /// - Parameter addresses: git is run only if one of them needs a helper.
  /// - Throws: `other` with git's output if git can't read the configuration.
  package func allowedHelpers(for addresses: [RemoteAddress]) throws(GitError) -> Set<String> {
    let isNeeded = addresses.contains { if case .program = $0.way { true } else { false } }
    guard isNeeded else { return [] }
    let folder = repository.workTree ?? repository.gitDirectory
    let listing = try GitProgram.listSettings(in: folder, environment: repository.environment)
    guard listing.status == 0 else { throw GitError(.other, GitError.text(listing.errors)) }
    var allowed: Set<String> = []
    let parts = listing.output.split(separator: 0, omittingEmptySubsequences: false).map { GitError.text($0) }
    for place in stride(from: 0, to: parts.count - 1, by: 2)
    where !["local", "worktree"].contains(parts[place]) {
      let setting = parts[place + 1].split(separator: "\n", maxSplits: 1)
      guard setting.count == 2, setting[0].hasPrefix("protocol."), setting[0].hasSuffix(".allow") else {
        continue
      }
      let name = String(setting[0].dropFirst("protocol.".count).dropLast(".allow".count))
      if ["always", "user"].contains(setting[1].lowercased()) {
        allowed.insert(name)
      } else {
        allowed.remove(name)
      }
    }
    return allowed.subtracting(["ext", "fd"])
  }

  /// All addresses that git may use: as they are written, and as the configuration rewrites them.
  private func addresses(of remote: Remote, _ direction: Direction) throws(GitError) -> Set<String> {
    var found = Set(try repository.settings.values("remote.\(remote.name).\(direction.rawValue)"))
    var handle: OpaquePointer?
    // If libgit2 can't read the remote, git refuses it too.
    if git_remote_lookup(&handle, try repository.open().repository, remote.name) >= 0, let handle {
      defer { git_remote_free(handle) }
      let url = direction == .push ? git_remote_pushurl(handle) : git_remote_url(handle)
      if let url { found.insert(String(cString: url)) }
    }
    if direction == .push, found.isEmpty { return try addresses(of: remote, .fetch) }
    return found
  }

  /// The full names of the refs to which refspecs of the configuration (`remote.NAME.push`) send a branch; nil if there are
  /// none for the remote.
  ///
  /// Git itself says so in a push that sends nothing, and for that connects to the remote.
  /// - Throws: `remote` with the reason.
  package func configuredDestinations(
    of branch: String, on remote: Remote, _ use: NetworkUse
  ) throws(GitError) -> [String]? {
    guard try !repository.settings.values("remote.\(remote.name).push").isEmpty else { return nil }
    try refuseAddresses(of: remote, .push)
    let answer = try GitProgram.overNetwork(
      ["push", "--dry-run", "--porcelain", "--no-verify", "--no-follow-tags", "--", remote.name], repository,
      use)
    let head = try repository.headBranch().map(GitError.text)
    var found: Set<String> = []
    for line in GitError.text(answer.output).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3, let colon = fields[1].firstIndex(of: ":") else { continue }
      let source = fields[1][..<colon]
      if source == "refs/heads/\(branch)" || source == "HEAD" && head == "refs/heads/\(branch)" {
        found.insert(String(fields[1][fields[1].index(after: colon)...]))
      }
    }
    // The line of a refused ref still names its target.
    let isUnmatched = GitError.text(answer.errors).contains("does not match any")
    guard answer.status == 0 || !found.isEmpty || isUnmatched else {
      throw .remote(RemoteFault(errors: answer.errors, status: answer.status))
    }
    return found.sorted()
  }

  /// Adds a remote, or removes one with all that was fetched from it.
  ///
  /// Wraps git-remote(1), which checks the name.
  /// - Throws: `other` with git's own words.
  package func change(_ words: [String]) throws(GitError) {
    let answer = try GitProgram.capture(
      ["remote"] + words, in: repository.workTree ?? repository.gitDirectory,
      environment: repository.environment)
    guard answer.status != 0 else { return }
    if GitError.text(answer.errors).contains("could not lock config file") {
      throw .locked(repository.commonDirectory / "config.lock")
    }
    let line = answer.errors.split(separator: 10).first.map { GitError.text($0) } ?? "git remote failed"
    throw GitError(.other, RemoteLines.bare(line))
  }
}

/// The objects that a partial clone lacks: see `PromisedObjects`.
extension Remotes {
  /// Whether objects may be missing here that a remote has.
  package var isPartialClone: Bool { promisor != nil }

  /// The remote that promised to keep the objects that are not here; nil if the clone is whole.
  var promisor: String? {
    if let name = repository.settings["extensions.partialClone"] { return name }
    let remotes = (try? all()) ?? []
    return remotes.first { repository.settings.isTrue("remote.\($0.name).promisor") }?.name
  }

  /// Fetches the missing objects of the history of some files.
  /// - Parameter path: a folder of the repository, with its slash: only objects of its files are fetched. Empty: all.
  package func fetchPromised(below path: [UInt8], _ use: NetworkUse) throws(GitError) {
    guard let name = promisor, let remote = try all().first(where: { $0.name == name }) else {
      throw GitError(.other, "its promisor remote is not configured")
    }
    try refuseForeignPrograms()
    try refuseAddresses(of: remote, .fetch)
    let files = path.isEmpty ? [] : ["--full-history", "--", ":(top,literal)\(GitError.text(path))"]
    // If trees were left out too, their missing objects are known only after the trees were fetched.
    for _ in 0..<Self.mostRounds {
      let listing = try repository.git(["rev-list", "--objects", "--all", "--missing=print"] + files)
      let missing = listing.split(separator: 10).filter { $0.first == UInt8(ascii: "?") }.map {
        $0.dropFirst()
      }
      guard !missing.isEmpty else { return }
      let answer = try GitProgram.overNetwork(
        [
          "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--progress", "--no-tags",
          "--no-write-fetch-head",
          "--no-recurse-submodules", "--filter=blob:none", "--stdin", remote.name,
        ], repository, use, input: Array(missing.joined(separator: [10])) + [10])
      guard answer.status == 0 else {
        throw .remote(RemoteFault(errors: answer.errors, status: answer.status))
      }
    }
  }

  /// No tree of files is deeper than paths can be long.
  private static let mostRounds = 2_048
}

/// Programs that git would run because of a repository's own files, which its creator wrote.
extension Remotes {
  /// A setting that names a program, with its file.
  package struct ForeignProgram: Sendable, Equatable {
    package let setting: String
    package let file: [UInt8]
  }

  /// Throws if the repository's own configuration names a program that git would run to reach another repository, or
  /// includes another file.
  /// - Throws: `remote` with the setting.
  package func refuseForeignPrograms() throws(GitError) {
    guard let program = try foreignProgram() else { return }
    let file = GitError.text(program.file)
    throw GitError(
      .remote(RemoteFault(.foreignProgram, program.setting, words: [ShellWord.quoted(program.file)])),
      "\(file) sets \(program.setting)")
  }

  /// The first setting of the repository's own files that names a program of the network's.
  func foreignProgram() throws(GitError) -> ForeignProgram? {
    for file in [repository.commonDirectory / "config", repository.gitDirectory / "config.worktree"] {
      guard let text = try RawFile.read(file)?.bytes, Self.mayNameProgram(text) else { continue }
      let answer = try GitProgram.capture(
        ["config", "--file", GitError.text(file), "--no-includes", "--name-only", "-z", "--list"],
        in: repository.gitDirectory,
        environment: repository.environment)
      guard answer.status == 0 else {
        throw GitError(.unreadable(path: file), "\(GitError.text(file)) can't be read by git")
      }
      let names = answer.output.split(separator: 0).map { GitError.text($0) }
      if let name = names.first(where: Self.namesProgram) { return ForeignProgram(setting: name, file: file) }
    }
    return nil
  }

  /// The last parts of the names of such settings; a file without any of them need not be looked at by git.
  private static let telling = ["sshcommand", "askpass", "gitproxy", "helper", "pack", "vcs", "include"]

  private static func mayNameProgram(_ text: [UInt8]) -> Bool {
    let lowered = text.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    return telling.contains { word in lowered.containsText(word) }
  }

  /// Whether a setting names a program, or a file with more settings. Git writes section and key in small letters.
  private static func namesProgram(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count > 1, let section = parts.first, let key = parts.last else { return false }
    return switch section {
    case "core": ["sshcommand", "askpass", "gitproxy"].contains(key)
    case "credential": key == "helper"
    case "remote": ["uploadpack", "receivepack", "vcs"].contains(key)
    case "include", "includeif": key == "path"
    default: false
    }
  }
}
