import Glibc

/// An answer that another thread works out meanwhile.
final class BackgroundAnswer {
  private let work: Work
  private var thread = pthread_t()
  private let isRunning: Bool

  /// Starts the work; where no thread can be had, it is done when the answer is asked for.
  init(_ compute: @escaping @Sendable () -> Bool) {
    work = Work(compute)
    isRunning = startThread(&thread, work)
  }

  deinit { if isRunning, !work.isCollected { pthread_join(thread, nil) } }

  /// Waits for the answer.
  var value: Bool {
    if isRunning, !work.isCollected { pthread_join(thread, nil) }
    if !isRunning, !work.isCollected { work.run() }
    work.isCollected = true
    return work.answer
  }

  /// The thread alone uses it until it is joined.
  fileprivate final class Work: @unchecked Sendable {
    private let compute: @Sendable () -> Bool
    var answer = false
    var isCollected = false

    init(_ compute: @escaping @Sendable () -> Bool) { self.compute = compute }

    func run() { answer = compute() }
  }
}

/// Runs work on a new thread, which holds it until it ends.
private func startThread(_ thread: inout pthread_t, _ work: BackgroundAnswer.Work) -> Bool {
  let held = Unmanaged.passRetained(work)
  let code = pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<BackgroundAnswer.Work>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }, held.toOpaque())
  if code != 0 { held.release() }
  return code == 0
}
