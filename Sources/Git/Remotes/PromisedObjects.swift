import Bytes
import Platform
import Synchronization

/// The objects that a partial clone left at its remote, which promised to keep them.
///
/// git fetches such objects one by one when it needs them. Here the first one that is needed brings all that the history
/// of the box refers to, in one process; a command that may not use the network fails instead. See git-clone(1),
/// `--filter`, and the documentation of git's partial clones.
final class PromisedObjects: Sendable {
  private enum State: Sendable {
    /// None may be fetched.
    case closed
    /// They may be fetched; only those of files below the path, if there is one.
    case open(NetworkUse, below: [UInt8])
    case fetched
    case failed(GitError)
  }

  private let state = Mutex(State.closed)

  /// Allows one fetch.
  func allow(_ use: NetworkUse, below path: [UInt8]) {
    state.withLock { if case .closed = $0 { $0 = .open(use, below: path) } }
  }

  /// Fetches them if that was allowed and not done yet; other threads wait meanwhile.
  /// - Throws: `promised` if it was not allowed, else why the fetch failed.
  func fetch(_ repository: Repository) throws(GitError) {
    let failure = state.withLock { state -> GitError? in
      switch state {
      case .fetched: return nil
      case .failed(let error): return error
      case .closed:
        return GitError(
          .promised(hint: "fetch it with: slip list --deleted"),
          "this clone is partial: some of its history is not here")
      case .open(let use, let path):
        do throws(GitError) {
          try repository.fetchPromised(below: path, use)
          state = .fetched
          return nil
        } catch {
          let failure = GitError(
            .promised(hint: "git fetch shows more"),
            "this clone is partial, and its history can't be fetched: \(error.message)")
          state = .failed(failure)
          return failure
        }
      }
    }
    if let failure { throw failure }
  }
}

extension Repository {
  /// Allows one fetch of the objects that a partial clone left at its remote, when the first of them is needed.
  /// - Parameter path: a folder of the repository, with its slash: only what its files need is fetched. Empty: all.
  package func fetchPromisedObjects(_ use: NetworkUse, below path: [UInt8]) {
    promised.allow(use, below: path)
  }

  /// The remote that promised to keep the objects that are not here; nil if the clone is whole.
  var promisor: String? {
    if let name = configuration("extensions.partialClone") { return name }
    let remotes = (try? self.remotes()) ?? []
    return remotes.first { configurationIsTrue("remote.\($0.name).promisor") }?.name
  }

  /// Fetches what the history of some files refers to and is not here.
  fileprivate func fetchPromised(below path: [UInt8], _ use: NetworkUse) throws(GitError) {
    guard let name = promisor, let remote = try remotes().first(where: { $0.name == name }) else {
      throw GitError(.other, "the remote that has it is not set up here")
    }
    try refuseForeignPrograms()
    try refuseAddresses(of: remote)
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
