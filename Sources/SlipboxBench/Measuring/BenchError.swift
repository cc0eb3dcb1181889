import Glibc
import Synchronization

/// A failure of the bench, or of one row of it.
struct BenchError: Error, Equatable {
  /// One line.
  let reason: String

  init(_ reason: String) { self.reason = String(reason.map { $0.isNewline ? " " : $0 }) }

  /// The user has interrupted the bench.
  static let interrupted = BenchError("interrupted")

  /// The failure of the system call that has just set `errno`.
  static func system(_ what: String) -> BenchError {
    BenchError("\(what): \(String(cString: strerror(errno)))")
  }
}

/// Whether the user has interrupted the bench: running programs are killed and temporary boxes removed.
enum Interruption {
  fileprivate static let isRequestedFlag = Atomic<Bool>(false)

  static var isRequested: Bool { isRequestedFlag.load(ordering: .relaxed) }

  /// Takes SIGINT, SIGTERM and SIGHUP as requests to end, which interrupt blocking calls.
  static func watch() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = noteInterruption
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaction(signal, &action, nil) }
  }

  /// Lets commands run although the user has interrupted the bench.
  static func cleaningUp(_ body: () throws -> Void) rethrows {
    let wasRequested = isRequestedFlag.exchange(false, ordering: .relaxed)
    defer { if wasRequested { isRequestedFlag.store(true, ordering: .relaxed) } }
    try body()
  }

  /// - Throws: if the user has interrupted the bench.
  static func check() throws {
    if isRequested { throw BenchError.interrupted }
  }
}

/// A free function, since a handler written in a main-actor context would trap.
private func noteInterruption(_ signal: Int32) {
  Interruption.isRequestedFlag.store(true, ordering: .relaxed)
}

/// Lines of progress on standard error.
enum Progress {
  static func say(_ text: String) {
    let line = Array("slipbox-bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// Flushes standard output.
  static func flushOutput() { fflush(nil) }
}
