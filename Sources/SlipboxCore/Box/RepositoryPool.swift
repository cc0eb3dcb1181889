import Git
import Synchronization

/// Repositories for many threads: each is lent to one of them at a time.
///
/// To read an object they need nothing of each other, so that none waits.
final class RepositoryPool: Sendable {
  /// A repository that belongs to whoever has taken it out of the pool.
  private final class Lent: @unchecked Sendable {
    let repository: Repository

    init(_ repository: Repository) { self.repository = repository }
  }

  private let make: @Sendable () throws(GitError) -> Repository
  /// Those that nobody uses now.
  private let free = Mutex<[Lent]>([])

  init(_ make: @escaping @Sendable () throws(GitError) -> Repository) { self.make = make }

  /// Lends a repository to a body, which must not keep it.
  func use<Result>(_ body: (Repository) throws(GitError) -> Result) throws(GitError) -> Result {
    let known = free.withLock { $0.popLast() }
    let lent: Lent
    if let known { lent = known } else { lent = Lent(try make()) }
    defer { free.withLock { $0.append(lent) } }
    return try body(lent.repository)
  }
}
