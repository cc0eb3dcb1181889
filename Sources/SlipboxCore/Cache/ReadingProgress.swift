import Synchronization

/// Counts the files that several threads read, and tells how far they are.
final class ReadingProgress: Sendable {
  /// Fewer files are read too fast to speak of it.
  private static let fewest = 256

  private let total: Int
  /// Nil where nobody need know.
  private let reporter: Reporter?
  private let done = Atomic<Int>(0)

  init(of total: Int, _ reporter: Reporter) {
    self.total = total
    self.reporter = total < Self.fewest ? nil : reporter
    self.reporter?.report(.reading, 0, of: total)
  }

  /// Counts files that are read.
  func advance(by count: Int) {
    let done = done.wrappingAdd(count, ordering: .relaxed).newValue
    reporter?.report(.reading, done, of: total)
  }
}
