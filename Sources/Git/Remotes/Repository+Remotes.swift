import Bytes
import CLibgit2

extension Repository {
  /// Another repository that this one knows by a name.
  package struct Remote: Sendable, Equatable {
    package let name: String
    /// Where it is fetched from, as it is written in the configuration; nil where no address is.
    package let address: RemoteAddress?
    /// Where it is pushed to, where that is another place.
    package let pushAddress: RemoteAddress?

    package init(name: String, address: RemoteAddress?, pushAddress: RemoteAddress? = nil) {
      self.name = name
      self.address = address
      self.pushAddress = pushAddress
    }
  }

  /// The remotes by name.
  ///
  /// Wraps `git_remote_list`.
  package func remotes() throws(GitError) -> [Remote] {
    let repository = try open().repository
    var names = git_strarray()
    try GitLibrary.check(git_remote_list(&names, repository), "list the remotes")
    defer { git_strarray_dispose(&names) }
    var found: [Remote] = []
    for index in 0..<names.count {
      guard let name = names.strings[index].map({ String(cString: $0) }) else { continue }
      found.append(
        Remote(
          name: name, address: configuration("remote.\(name).url").map { RemoteAddress($0) },
          pushAddress: configuration("remote.\(name).pushurl").map { RemoteAddress($0) }))
    }
    return found.sorted { $0.name < $1.name }
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
    for text in try addresses(of: remote, direction) {
      let address = RemoteAddress(text)
      if let refusal = address.refusal { throw .remote(refusal) }
      let here = workTree ?? gitDirectory
      for folder in [here, gitDirectory, commonDirectory]
      where address.isFolder(below: folder, seenFrom: here) {
        throw .remote(RemoteFault(.address, "it is a folder of this repository"))
      }
    }
  }

  /// All addresses that git may use: as they are written, and as the configuration rewrites them.
  private func addresses(of remote: Remote, _ direction: Direction) throws(GitError) -> Set<String> {
    var found = Set(try configurationValues("remote.\(remote.name).\(direction.rawValue)"))
    var handle: OpaquePointer?
    // Where libgit2 can't read the remote, git refuses it too.
    if git_remote_lookup(&handle, try open().repository, remote.name) >= 0, let handle {
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
    guard try !configurationValues("remote.\(remote.name).push").isEmpty else { return nil }
    try refuseAddresses(of: remote, .push)
    let answer = try GitProgram.overNetwork(
      ["push", "--dry-run", "--porcelain", "--no-verify", "--no-follow-tags", "--", remote.name], self, use)
    let head = try headBranch().map(GitError.text)
    var found: Set<String> = []
    for line in GitError.text(answer.output).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3, let colon = fields[1].firstIndex(of: ":") else { continue }
      let source = fields[1][..<colon]
      if source == "refs/heads/\(branch)" || source == "HEAD" && head == "refs/heads/\(branch)" {
        found.insert(String(fields[1][fields[1].index(after: colon)...]))
      }
    }
    // A line of a ref that the remote would refuse says all the same where it would go.
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
  package func changeRemotes(_ words: [String]) throws(GitError) {
    let answer = try GitProgram.capture(
      ["remote"] + words, in: workTree ?? gitDirectory, environment: environment)
    guard answer.status != 0 else { return }
    if GitError.text(answer.errors).contains("could not lock config file") {
      throw .locked(commonDirectory / "config.lock")
    }
    let line = answer.errors.split(separator: 10).first.map { GitError.text($0) } ?? "git remote failed"
    throw GitError(.other, RemoteLines.bare(line))
  }
}
