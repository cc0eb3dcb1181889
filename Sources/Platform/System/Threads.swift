import Glibc

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
  /// Where the system refuses a thread, the others do the work.
  static func run(_ work: SharedWork, helpers: Int) {
    let started = (0..<max(0, helpers)).compactMap { _ in start(work) }
    work.run()
    for thread in started { join(thread) }
  }

  /// Starts a thread that takes no signals, or returns nil where the system refuses one.
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

  /// Starts the work. Where the system refuses a thread, it is done when its result is asked for.
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
