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

  /// Refuses addresses of a remote that would have git run a program, or that lead into this repository.
  /// - Throws: `remote` with the reason.
  package func refuseAddresses(of remote: Remote) throws(GitError) {
    for text in try addresses(of: remote) {
      let address = RemoteAddress(text)
      if let refusal = address.refusal { throw .remote(refusal) }
      let here = workTree ?? gitDirectory
      for folder in [here, gitDirectory, commonDirectory]
      where address.isFolder(below: folder, seenFrom: here) {
        throw .remote(RemoteFault(.address, "it is a folder of this very repository"))
      }
    }
  }

  /// All addresses that git may use: as they are written, and as the configuration rewrites them.
  private func addresses(of remote: Remote) throws(GitError) -> Set<String> {
    let (repository, configuration) = (try open().repository, try open().configuration)
    var found: Set<String> = []
    for key in ["url", "pushurl"] {
      withUnsafeMutablePointer(to: &found) { found in
        _ = git_config_get_multivar_foreach(
          configuration, "remote.\(remote.name).\(key)", nil,
          { entry, found in
            guard let value = entry?.pointee.value, let found else { return 0 }
            found.assumingMemoryBound(to: Set<String>.self).pointee.insert(String(cString: value))
            return 0
          }, found)
      }
    }
    var handle: OpaquePointer?
    // Where libgit2 can't read the remote, git refuses it too.
    if git_remote_lookup(&handle, repository, remote.name) >= 0, let handle {
      defer { git_remote_free(handle) }
      if let url = git_remote_url(handle) { found.insert(String(cString: url)) }
      if let url = git_remote_pushurl(handle) { found.insert(String(cString: url)) }
    }
    return found
  }

  /// Adds a remote, or removes one with all that was fetched from it.
  ///
  /// Wraps git-remote(1), which checks the name.
  /// - Throws: `other` with git's own words.
  package func changeRemotes(_ words: [String]) throws(GitError) {
    let answer = try GitProgram.capture(
      ["remote"] + words, in: workTree ?? gitDirectory, environment: environment)
    guard answer.status != 0 else { return }
    let line = answer.errors.split(separator: 10).first.map { GitError.text($0) } ?? "git remote failed"
    throw GitError(.other, RemoteLines.bare(line))
  }
}
