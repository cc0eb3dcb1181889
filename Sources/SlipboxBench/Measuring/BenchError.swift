import Glibc

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
