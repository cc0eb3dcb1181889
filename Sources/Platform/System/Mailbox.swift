import Glibc

/// A queue between threads: some put elements in, others wait for them.
package final class Mailbox<Element: Sendable>: @unchecked Sendable {
  private let signal = Signal()
  // Looked at under the lock of the signal.
  private var elements: [Element] = []
  private var isClosed = false

  package init() {}

  /// Puts an element behind all others; a closed mailbox takes none.
  package func put(_ element: Element) {
    signal.lock()
    if !isClosed { elements.append(element) }
    signal.wakeAll()
    signal.unlock()
  }

  /// Lets waiting threads take what is left, and go.
  package func close() {
    signal.lock()
    isClosed = true
    signal.wakeAll()
    signal.unlock()
  }

  /// The first element, which is taken out; waits for one. Nil once the mailbox is closed and empty.
  package func next() -> Element? {
    signal.lock()
    defer { signal.unlock() }
    while elements.isEmpty {
      if isClosed { return nil }
      signal.wait()
    }
    return elements.removeFirst()
  }

  /// All elements, which are taken out; waits for one, up to a time. Empty where none came, nil once the mailbox is closed
  /// and empty.
  package func all(within milliseconds: Int64) -> [Element]? {
    signal.lock()
    defer { signal.unlock() }
    if elements.isEmpty, !isClosed { signal.wait(milliseconds: milliseconds) }
    if elements.isEmpty, isClosed { return nil }
    defer { elements = [] }
    return elements
  }
}

/// A lock and a condition that threads wait for.
final class Signal: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }
  func wait() { pthread_cond_wait(condition, mutex) }
  func wakeAll() { pthread_cond_broadcast(condition) }

  /// Waits for the condition up to a time; it may end sooner without a cause.
  func wait(milliseconds: Int64) {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = Int64(end.tv_nsec) + milliseconds % 1_000 * 1_000_000
    end.tv_sec += Int(milliseconds / 1_000 + nanoseconds / 1_000_000_000)
    end.tv_nsec = Int(nanoseconds % 1_000_000_000)
    pthread_cond_timedwait(condition, mutex, &end)
  }
}
