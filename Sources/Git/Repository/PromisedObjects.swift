import Synchronization

/// The objects that a partial clone left at its remote, which promised to keep them.
///
/// git fetches such objects one by one when it needs them. Here the first one that is needed brings all that the history
/// of the box refers to, in one process; a command that may not use the network fails instead. See git-clone(1),
/// `--filter`, and the documentation of git's partial clones.
final class PromisedObjects: Sendable {
  typealias Fetch = @Sendable (Repository) throws(GitError) -> Void

  private enum State: Sendable {
    /// None may be fetched.
    case closed
    /// They may be fetched, in this way.
    case open(Fetch)
    case fetched
    case failed(GitError)
  }

  private let state = Mutex(State.closed)

  /// Allows one fetch.
  func allow(_ fetch: @escaping Fetch) {
    state.withLock { if case .closed = $0 { $0 = .open(fetch) } }
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
          "this clone is partial: some of its history was not fetched")
      case .open(let fetch):
        do throws(GitError) {
          try fetch(repository)
          state = .fetched
          return nil
        } catch {
          let failure = GitError(
            .promised(hint: "run: git fetch"),
            "this clone is partial, and its history can't be fetched: \(error.message)")
          state = .failed(failure)
          return failure
        }
      }
    }
    if let failure { throw failure }
  }
}
