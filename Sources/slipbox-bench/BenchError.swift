import Glibc

/// Why the bench, or one row of it, can't go on.
struct BenchError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The failure of the system call that has just set `errno`.
  static func system(_ what: String) -> BenchError {
    BenchError("\(what): \(String(cString: strerror(errno)))")
  }
}
