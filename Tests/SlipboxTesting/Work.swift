import Foundation

/// The work of a body: what it costs wherever it runs, not how long it takes beside other programs.
package enum Work {
  /// The instructions that this thread, and the processes that it starts meanwhile, carry out for a body; nil where the
  /// system does not count them.
  package static func of(_ body: () throws -> Void) rethrows -> Double? {
    let counter = openCounter()
    defer { if counter >= 0 { close(counter) } }
    try body()
    var count: UInt64 = 0
    guard counter >= 0, read(counter, &count, 8) == 8, count > 0 else { return nil }
    return Double(count)
  }

  /// Wraps perf_event_open(2): instructions in user mode, of children too; -1 where that is not allowed.
  private static func openCounter() -> Int32 {
    typealias SystemCall = @convention(c) (Int, UnsafeMutableRawPointer, Int32, Int32, Int32, UInt) -> Int
    guard let address = dlsym(nil, "syscall") else { return -1 }
    let call = unsafeBitCast(address, to: SystemCall.self)
    // `struct perf_event_attr`: type 0, its size, config 1 (instructions); inherited, without kernel and hypervisor.
    var attributes = [UInt64](repeating: 0, count: 16)
    attributes[0] = 128 << 32
    attributes[1] = 1
    attributes[5] = 1 << 1 | 1 << 5 | 1 << 6
    return attributes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return -1 }
      return Int32(truncatingIfNeeded: call(298, base, 0, -1, -1, 0))
    }
  }
}
