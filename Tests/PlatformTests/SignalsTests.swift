import Glibc
import Platform
import Synchronization
import Testing

private let delivered = Atomic<Int>(0)

private func count(_ signal: Int32) { delivered.add(1, ordering: .relaxed) }

@Suite struct SignalsTests {
  @Test func holdsSignalsBack() throws {
    delivered.store(0, ordering: .relaxed)
    signal(SIGHUP, count)
    defer { signal(SIGHUP, SIG_DFL) }
    // The threads that run tests hold back everything.
    var hangUp = sigset_t()
    sigaddset(&hangUp, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &hangUp, nil)
    defer { pthread_sigmask(SIG_BLOCK, &hangUp, nil) }
    let during = Signals.deferring { () -> Int in
      pthread_kill(pthread_self(), SIGHUP)
      return delivered.load(ordering: .relaxed)
    }
    #expect(during == 0)
    #expect(delivered.load(ordering: .relaxed) == 1)
  }

  @Test func restoresTheMaskAfterAnError() {
    struct Refusal: Error {}
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    _ = failure { () throws(Refusal) in try Signals.deferring { () throws(Refusal) in throw Refusal() } }
    var after = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &after)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      #expect(sigismember(&before, signal) == sigismember(&after, signal))
    }
  }
}
