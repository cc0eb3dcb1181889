#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work that several threads share; every one of them calls `run` once.
class SharedWork: @unchecked Sendable {
  func run() {}
}

/// Threads for work with values in and values out, and for work that goes on beside the rest of a program.
package enum Threads {
  /// The number of processors that are online, at least 1.
  package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Runs the work on the calling thread and on helpers, and returns when all have returned.
  ///
  /// If the system refuses a thread, the others do the work.
  static func run(_ work: SharedWork, helpers: Int) {
    let started = (0..<max(0, helpers)).compactMap { _ in start(work) }
    work.run()
    for thread in started { join(thread) }
  }

  /// Starts a thread that takes no signals, or returns nil if the system refuses one.
  static func start(_ work: SharedWork) -> pthread_t? {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let reference = Unmanaged.passRetained(work)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, sharedWorkMain, reference.toOpaque()) == 0 else {
      reference.release()
      return nil
    }
    return thread
  }

  /// Starts a thread that takes no signals and goes on by itself.
  ///
  /// - Returns: whether the system gave one.
  package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = start(DetachedWork(body)) else { return false }
    pthread_detach(thread)
    return true
  }

  /// Waits until a thread has returned.
  static func join(_ thread: pthread_t) { pthread_join(thread, nil) }
}

/// Work of a thread of its own.
private final class DetachedWork: SharedWork, @unchecked Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  override func run() { body() }
}

/// The main function of each helper. A free function: a callback written in a main-actor context would trap.
private func sharedWorkMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<SharedWork>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}

/// A result that a thread of its own works out meanwhile.
package final class BackgroundTask<Result: Sendable> {
  private let work: Work
  private var thread: pthread_t?

  /// Starts the work. If the system refuses a thread, the work runs when its result is requested.
  package init(_ compute: @escaping @Sendable () -> Result) {
    work = Work(compute)
    thread = Threads.start(work)
  }

  deinit { if let thread { Threads.join(thread) } }

  /// The result; waits for it.
  package var value: Result {
    if let thread { Threads.join(thread) }
    thread = nil
    return work.value
  }

  /// The thread alone uses it until it is joined.
  private final class Work: SharedWork, @unchecked Sendable {
    private let compute: @Sendable () -> Result
    private var result: Result?

    init(_ compute: @escaping @Sendable () -> Result) { self.compute = compute }

    override func run() { result = compute() }

    var value: Result {
      if let result { return result }
      let made = compute()
      result = made
      return made
    }
  }
}

/// Lets threads do work in lanes, in each lane one piece after another in the order of their numbers.
///
/// Piece n belongs to lane n modulo the number of lanes. Every number has to be taken, and a thread that takes a number may
/// wait only for lower ones: then none waits for ever.
package final class Turns: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// For each lane the number of the piece that is next.
  private var next: [Int]

  /// - Parameter lanes: at least 1.
  package init(lanes: Int) {
    next = Array(0..<max(1, lanes))
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  /// As many lanes as processors.
  package static let lanes = Threads.processors

  /// Does the work of a piece when all earlier pieces of its lane are done.
  package func take(_ number: Int, _ work: (_ lane: Int) -> Void) {
    let lane = number % next.count
    pthread_mutex_lock(mutex)
    while next[lane] != number { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
    work(lane)
    pthread_mutex_lock(mutex)
    next[lane] += next.count
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}

/// A lock that its holder may acquire again.
package final class RecursiveLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs a body while no other thread holds the lock.
  package func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

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

  /// Lets waiting threads take the remaining elements and end.
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

  /// All elements, which are taken out; waits for one, up to a time. Empty if none came, nil once the mailbox is closed
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
  /// Darwin measures the waits of conditions by the clock of the day alone.
  #if canImport(Darwin)
    private static let clock = CLOCK_REALTIME
  #else
    private static let clock = CLOCK_MONOTONIC
  #endif

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      pthread_condattr_setclock(&attributes, Self.clock)
    #endif
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
    clock_gettime(Self.clock, &end)
    let nanoseconds = Int64(end.tv_nsec) + milliseconds % 1_000 * 1_000_000
    end.tv_sec += Int(milliseconds / 1_000 + nanoseconds / 1_000_000_000)
    end.tv_nsec = Int(nanoseconds % 1_000_000_000)
    pthread_cond_timedwait(condition, mutex, &end)
  }
}
