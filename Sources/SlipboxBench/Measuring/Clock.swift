import Glibc

/// The clock that figures are taken from.
enum Clock {
  /// Seconds since some point; never set back.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Interrupts blocking calls once a second during the body, so that they can look whether their time is up.
  static func ticking<Result>(_ body: () throws -> Result) rethrows -> Result {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = ignoreTick
    // Without SA_RESTART: the calls return EINTR.
    sigaction(SIGALRM, &action, nil)
    setTimer(seconds: 1)
    defer { setTimer(seconds: 0) }
    return try body()
  }

  /// - Parameter seconds: 0 stops it.
  private static func setTimer(seconds: Int) {
    let interval = timeval(tv_sec: seconds, tv_usec: 0)
    var timer = itimerval(it_interval: interval, it_value: interval)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}

/// A free function, since a handler written in a main-actor context would trap.
private func ignoreTick(_ signal: Int32) {}
