import Synchronization

/// Counts the files that several threads read, and tells how far they are.
final class ReadingProgress: Sendable {
  /// Fewer files are read too fast to speak of it.
  private static let fewest = 256

  private let total: Int
  /// Nil where nobody need know.
  private let report: (@Sendable (_ done: Int, _ total: Int) -> Void)?
  private let done = Atomic<Int>(0)

  init(of total: Int, _ report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) {
    self.total = total
    if total < Self.fewest { self.report = nil } else { self.report = report }
    self.report?(0, total)
  }

  /// Counts files that are read.
  func advance(by count: Int) {
    let done = done.wrappingAdd(count, ordering: .relaxed).newValue
    report?(done, total)
  }
}
