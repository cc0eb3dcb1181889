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
