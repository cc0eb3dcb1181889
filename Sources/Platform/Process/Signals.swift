import Glibc

/// Signals held back while something must not be left half done.
package enum Signals {
  /// Runs a short critical section in which SIGINT, SIGTERM and SIGHUP wait; they are delivered after it.
  ///
  /// SIGPIPE is not held back: a mutation does not write to a pipe, results are printed after it. Only the
  /// calling thread's mask changes; this module's own threads take no signals at all, so in the command the
  /// section is safe.
  package static func deferring<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var before = sigset_t()
    var held = set(of: [SIGINT, SIGTERM, SIGHUP])
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// Runs a body when SIGINT, SIGTERM or SIGHUP comes, and then ends the process, with the exit code 0 for SIGINT.
  ///
  /// The signals are held back from the calling thread, and no other thread of this module takes them.
  package static func beforeEnding(_ body: @escaping @Sendable () -> Void) {
    var held = set(of: [SIGINT, SIGTERM, SIGHUP])
    pthread_sigmask(SIG_BLOCK, &held, nil)
    _ = Threads.detach {
      var number: Int32 = 0
      var held = set(of: [SIGINT, SIGTERM, SIGHUP])
      sigwait(&held, &number)
      body()
      _exit(number == SIGINT ? 0 : 128 + number)
    }
  }

  /// Lets a write beyond the limit of a file's size fail, as one on a full disk does, instead of ending the process.
  ///
  /// Programs that are started get the default again. It is meant for the beginning of a program.
  package static func failWritesBeyondLimit() { replace(SIGXFSZ, by: ignoring) }

  /// A set of the given signals.
  static func set(of signals: [Int32]) -> sigset_t {
    var result = sigset_t()
    sigemptyset(&result)
    for signal in signals { sigaddset(&result, signal) }
    return result
  }

  /// Sets the disposition of a signal and returns the one before.
  @discardableResult
  static func replace(_ signal: Int32, by action: sigaction) -> sigaction {
    var new = action
    var old = sigaction()
    sigaction(signal, &new, &old)
    return old
  }

  /// The disposition that ignores a signal.
  static var ignoring: sigaction {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_IGN
    return action
  }

  /// The disposition that a program starts with.
  static var standard: sigaction { sigaction() }

  /// Whether a function of this process is called at a signal.
  static func hasHandler(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    // 0 is the default, 1 ignores the signal.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) > 1
  }

  /// Whether a disposition ignores its signal.
  static func ignores(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
