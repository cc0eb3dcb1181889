import Glibc

/// Waiting for a lock file of another program.
enum LockWait {
  /// Repeats an attempt that answers false while the lock is held, with pauses that grow and differ by chance so that
  /// two waiters do not stay in step.
  /// - Throws: `locked`, with the path and its age, when the time is over.
  static func retrying(
    _ path: [UInt8], milliseconds: Int, _ attempt: () throws(GitError) -> Bool
  ) throws(GitError) {
    let deadline = now() + milliseconds
    var pause = 5
    while try !attempt() {
      let left = deadline - now()
      guard left > 0 else { throw .locked(path) }
      usleep(UInt32(1_000 * min(left, Int.random(in: (pause / 2)...pause))))
      pause = min(200, pause * 2)
    }
  }

  /// Milliseconds on a clock that nobody sets.
  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
