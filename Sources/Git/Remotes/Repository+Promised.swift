import Bytes
import Platform

/// What a partial clone left at its remote: see `PromisedObjects`.
extension Repository {
  /// Allows one fetch of the objects that a partial clone left at its remote, when the first of them is needed.
  /// - Parameter path: a folder of the repository, with its slash: only what its files need is fetched. Empty: all.
  package func fetchPromisedObjects(_ use: NetworkUse, below path: [UInt8]) {
    promised.allow { (repository) throws(GitError) in try repository.fetchPromised(below: path, use) }
  }

  /// Whether objects may be missing here that a remote has.
  package var isPartialClone: Bool { promisor != nil }

  /// The remote that promised to keep the objects that are not here; nil if the clone is whole.
  var promisor: String? {
    if let name = configuration("extensions.partialClone") { return name }
    let remotes = (try? self.remotes()) ?? []
    return remotes.first { configurationIsTrue("remote.\($0.name).promisor") }?.name
  }

  /// Fetches what the history of some files refers to and is not here.
  private func fetchPromised(below path: [UInt8], _ use: NetworkUse) throws(GitError) {
    guard let name = promisor, let remote = try remotes().first(where: { $0.name == name }) else {
      throw GitError(.other, "the remote that has it is not set up here")
    }
    try refuseForeignPrograms()
    try refuseAddresses(of: remote, .fetch)
    let files = path.isEmpty ? [] : ["--full-history", "--", ":(top,literal)\(GitError.text(path))"]
    // Where trees were left out too, what they hold is known only after they came.
    for _ in 0..<Self.mostRounds {
      let listing = try git(["rev-list", "--objects", "--all", "--missing=print"] + files)
      let missing = listing.split(separator: 10).filter { $0.first == UInt8(ascii: "?") }.map {
        $0.dropFirst()
      }
      guard !missing.isEmpty else { return }
      let answer = try GitProgram.overNetwork(
        [
          "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--progress", "--no-tags",
          "--no-write-fetch-head",
          "--no-recurse-submodules", "--filter=blob:none", "--stdin", remote.name,
        ], self, use, input: Array(missing.joined(separator: [10])) + [10])
      guard answer.status == 0 else {
        throw .remote(RemoteFault(errors: answer.errors, status: answer.status))
      }
    }
  }

  /// No tree of files is deeper than paths can be long.
  private static let mostRounds = 2_048
}
