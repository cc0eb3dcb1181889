/// The memory of the process.
package enum Memory {
  /// Gives freed memory back to the system, which the allocator would keep for later.
  ///
  /// Wraps malloc_trim(3).
  /// - Complexity: some milliseconds for some hundred megabytes.
  package static func giveBack() { _ = LinuxCalls.trimHeap?(0) }
}
