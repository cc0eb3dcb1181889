import Synchronization

/// The browser that asks: whether it still waits for the answer. Safe for several threads.
package final class Caller: Sendable {
  private let hasLeft = Atomic(false)

  package init() {}

  /// Whether the connection is closed, so that nobody reads the answer.
  package var isGone: Bool { hasLeft.load(ordering: .relaxed) }

  /// Notes that the connection is closed.
  package func leave() { hasLeft.store(true, ordering: .relaxed) }

  /// - Throws: where nobody reads the answer.
  func refuseGone() throws(PageError) {
    guard !isGone else { throw PageError(.busy, "the client has disconnected") }
  }
}
