import Glibc

/// The signals that end the server: Ctrl-C, and the polite request to go.
struct EndSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Holds the signals back from all threads that are started from now on, so that they are waited for.
  static func hold() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits until one of them comes.
  static func wait() {
    var set = set
    var number: Int32 = 0
    sigwait(&set, &number)
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
