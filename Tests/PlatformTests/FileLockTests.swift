import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct FileLockTests {
  @Test func excludesTheSameProcess() throws {
    let folder = try TemporaryFolder()
    let path = folder.at("lock")
    var first: FileLock? = try FileLock.acquire(path, timeoutMilliseconds: 0)
    #expect(
      failure { () throws(LockError) in _ = try FileLock.acquire(path, timeoutMilliseconds: 30) } == .busy)
    withExtendedLifetime(first) {}
    first = nil
    _ = try FileLock.acquire(path, timeoutMilliseconds: 0)
    #expect(folder.names() == ["lock"])
  }

  @Test func waitsForAnotherProcess() throws {
    let folder = try TemporaryFolder()
    let ready = folder.path + "/ready"
    let script = "exec 9>\(folder.path)/lock; flock 9; touch \(ready); sleep 0.9"
    try ChildProcess.detach([b("bash"), b("-c"), b(script)])
    while access(ready, F_OK) != 0 { usleep(2_000) }
    var told = 0
    let busy = failure { () throws(LockError) in
      _ = try FileLock.acquire(folder.at("lock"), timeoutMilliseconds: 100, onWait: { told += 1 })
    }
    #expect(busy == .busy && told == 0)
    _ = try FileLock.acquire(folder.at("lock"), timeoutMilliseconds: 10_000, onWait: { told += 1 })
    #expect(told == 1)
  }

  @Test func holdsOffAnotherProcess() throws {
    let folder = try TemporaryFolder()
    let lock = try FileLock.acquire(folder.at("lock"), timeoutMilliseconds: 0)
    let command = ["-n", folder.path + "/lock", "true"]
    #expect(try run("flock", command).status == 1)
    withExtendedLifetime(lock) {}
  }

  @Test func isNotInheritedByChildren() throws {
    let folder = try TemporaryFolder()
    var lock: FileLock? = try FileLock.acquire(folder.at("lock"), timeoutMilliseconds: 0)
    try ChildProcess.detach([b("sleep"), b("2")])
    withExtendedLifetime(lock) {}
    lock = nil
    // Other tests start children, each of which has all descriptors for a moment.
    _ = try FileLock.acquire(folder.at("lock"), timeoutMilliseconds: 1_500)
  }

  @Test func tellsWhatFails() throws {
    let folder = try TemporaryFolder()
    let error = failure { () throws(LockError) in
      _ = try FileLock.acquire(folder.at("none/lock"), timeoutMilliseconds: 0)
    }
    #expect(error == .failed(SystemError(operation: "open", path: folder.at("none/lock"), code: ENOENT)))
  }
}
