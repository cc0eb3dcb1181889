import Git
import Glibc

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
