import Platform
import Synchronization

/// A thread that does the work that was asked for last; what waits when more is asked for is not done at all.
final class LatestWorker: Sendable {
  private struct State {
    var waiting: (@Sendable () -> Void)?
    var isRunning = false
  }

  private let state = Mutex(State())

  func ask(_ work: @escaping @Sendable () -> Void) {
    let isNeeded = state.withLock { state in
      state.waiting = work
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isNeeded else { return }
    let isStarted = Threads.detach { [self] in
      while let work = next() { work() }
    }
    // Without a thread it is done here.
    if !isStarted { while let work = next() { work() } }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      defer { state.waiting = nil }
      if state.waiting == nil { state.isRunning = false }
      return state.waiting
    }
  }
}
