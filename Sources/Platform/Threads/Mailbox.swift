import Glibc

/// A queue between threads: some put elements in, others wait for them.
package final class Mailbox<Element: Sendable>: @unchecked Sendable {
  private let signal = Signal()
  // Looked at under the lock of the signal.
  private var elements: [Element] = []
  private var isClosed = false

  package init() {}

  /// Puts an element behind all others; a closed mailbox takes none.
  package func put(_ element: Element) {
    signal.lock()
    if !isClosed { elements.append(element) }
    signal.wakeAll()
    signal.unlock()
  }

  /// Lets waiting threads take what is left, and go.
  package func close() {
    signal.lock()
    isClosed = true
    signal.wakeAll()
    signal.unlock()
  }

  /// The first element, which is taken out; waits for one. Nil once the mailbox is closed and empty.
  package func next() -> Element? {
    signal.lock()
    defer { signal.unlock() }
    while elements.isEmpty {
      if isClosed { return nil }
      signal.wait()
    }
    return elements.removeFirst()
  }

  /// All elements, which are taken out; waits for one, up to a time. Empty where none came, nil once the mailbox is closed
  /// and empty.
  package func all(within milliseconds: Int64) -> [Element]? {
    signal.lock()
    defer { signal.unlock() }
    if elements.isEmpty, !isClosed { signal.wait(milliseconds: milliseconds) }
    if elements.isEmpty, isClosed { return nil }
    defer { elements = [] }
    return elements
  }
}
