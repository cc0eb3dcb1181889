import Glibc

/// A buffered writer on a descriptor that it does not own, for standard output and standard error.
///
/// What is still buffered when the value goes away is lost: a command flushes and checks before it ends,
/// since only that shows a full disk. SIGPIPE keeps its default action, so a reader that went away ends the
/// program quietly (141); mutations are complete by then, because results are printed after them.
package final class Output {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var failure: SystemError?
  private let capacity = 1 << 16

  package init(descriptor: Int32) {
    self.descriptor = descriptor
    buffer.reserveCapacity(capacity)
  }

  /// Adds bytes; a failure of the system shows in the next `flush`.
  package func write(_ bytes: some Collection<UInt8>) {
    if buffer.count + bytes.count > capacity { drain() }
    buffer.append(contentsOf: bytes)
    if buffer.count >= capacity { drain() }
  }

  /// Adds a text as UTF-8.
  package func write(_ text: String) { write(text.utf8) }

  /// Hands everything to the system.
  /// - Throws: The first failure since the last flush, e.g. `ENOSPC`; what was not written is dropped.
  package func flush() throws(SystemError) {
    drain()
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  private func drain() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure == nil else { return }
    let code = buffer.withUnsafeBytes { writeFully($0, to: descriptor) }
    if code != 0 { failure = SystemError(operation: "write", path: [], code: code) }
  }
}
