import Glibc

/// Lines of progress on standard error.
enum Progress {
  static func say(_ text: String) {
    let line = Array("slipbox-bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
