import Bytes
import Foundation
import NoteIndex
import SlipboxTesting
import Synchronization
import Testing

@testable import SlipboxCore
import Text

/// Values that are computed at the first request.
struct ComputedTests {
  private static let failure = SlipboxError(.inputOutput, "Too many open files")

  @Test func `computes a value again after a failure and then caches it`() throws {
    let computed = Computed<Int, SlipboxError>()
    let runs = Mutex(0)
    let compute = { () throws(SlipboxError) -> Int in
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      guard run > 1 else { throw Self.failure }
      return run
    }
    let before = computed.failureCount
    #expect(throws: SlipboxError.self) { try computed.value(compute) }
    #expect(throws: SlipboxError.self) { try computed.refuseFailures(since: before) }
    #expect(computed.known == nil)
    let after = computed.failureCount
    #expect(try computed.value(compute) == 2)
    #expect(try computed.value(compute) == 2)
    #expect(computed.known == 2)
    try computed.refuseFailures(since: after)
  }

  @Test func `throws one failure to all threads that wait for it`() throws {
    let computed = Computed<Int, SlipboxError>()
    let runs = Mutex(0)
    let failures = Mutex(0)
    let started = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    for number in 0..<4 {
      // The others begin while the first one computes.
      if number == 1 { started.wait() }
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do throws(SlipboxError) {
          _ = try computed.value { () throws(SlipboxError) in
            runs.withLock { $0 += 1 }
            started.signal()
            Thread.sleep(forTimeInterval: 0.5)
            throw Self.failure
          }
        } catch { failures.withLock { $0 += 1 } }
      }
    }
    group.wait()
    #expect(failures.withLock { $0 } == 4)
    #expect(runs.withLock { $0 } == 1)
  }

  /// A lock or a lack of descriptors goes away while a page, an editor or `--watch` has the snapshot.
  @Test func `reads the notes again after a failure`() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    try folder.write("a.md", "# A\n")
    let snapshot = try box.now
    // An ignored note counts only if git tracks it.
    try folder.write(".gitignore", "a.md\n")
    try folder.git("add", "-f", "a.md")
    let head = try #require(folder.read(".git/HEAD"))
    try folder.write(".git/HEAD", "none\n")
    #expect(throws: SlipboxError.self) { try snapshot.catalogue() }
    try folder.write(".git/HEAD", String(decoding: head, as: UTF8.self))
    #expect(try snapshot.catalogue().entries.count == 1)
  }
}
