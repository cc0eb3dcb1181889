import Glibc

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
