import Git

/// The name by which commits say on which device an operation was made.
///
/// A host name changes, for example with DHCP or in a container, and `slip undo` would then find no operation of this
/// device. So a clone keeps the name that it has at its first write, in its own `.git/config`, which all its worktrees
/// share. A name that the user sets (`device` in the user's settings) comes before it.
extension Box {
  /// The key in git's configuration.
  private static let deviceKey = "slipbox.device"

  /// The name of this device in the history of this box.
  package func device(_ context: CommandContext) -> String {
    guard context.isHostName else { return context.device }
    // No operation has this name: in a clone that slip has not written yet, none is of this device.
    return keptDevice ?? (isUnwrittenClone ? "\(context.device)-" : context.device)
  }

  /// Whether slip has not written this clone of another repository yet.
  private var isUnwrittenClone: Bool {
    guard withRepository({ $0.configuration("merge.slipbox.driver") }) == nil else { return false }
    return !((try? git { repository throws(GitError) in try repository.remotes() }) ?? []).isEmpty
  }

  private var keptDevice: String? {
    withRepository { $0.configuration(Self.deviceKey) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Keeps the name of this device in the clone, if it has none yet.
  ///
  /// A new clone that has a remote gets a random suffix: another clone on this machine, or a device with the same host
  /// name, would otherwise undo its operations. A clone that slip wrote before keeps the name of its operations, which is
  /// the host's. If the configuration can't be written, the next command does it.
  /// - Parameter isNew: whether slip has not written this clone before.
  func keepDevice(_ context: CommandContext, isNew: Bool) {
    guard context.isHostName, keptDevice == nil else { return }
    let remotes = (try? git { repository throws(GitError) in try repository.remotes() }) ?? []
    let suffix = context.ids.noteID().description.prefix(4)
    let name = isNew && !remotes.isEmpty ? "\(context.device)-\(suffix)" : context.device
    try? git { repository throws(GitError) in try repository.setConfiguration(Self.deviceKey, name) }
  }
}

/// Runs a call of the operating system and passes its failure on in the words of the core.
func system<T>(_ body: () throws(SystemError) -> T) throws(SlipboxError) -> T {
  do { return try body() } catch { throw SlipboxError(error) }
}

/// A repository that several threads may ask, one after the other.
///
/// libgit2's handles belong to one thread at a time; the lock is recursive, so a call may be made within another.
final class SharedRepository: @unchecked Sendable {
  private let repository: Repository
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init(_ repository: Repository) {
    self.repository = repository
    lock = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Lends the repository to a body, which must not keep it.
  func use<Result, Failure>(_ body: (Repository) throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(repository)
  }
}

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
