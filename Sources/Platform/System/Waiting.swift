import Glibc

/// Waiting for something that another process holds.
package enum Waiting {
  /// Repeats an attempt that answers false until it answers true or the time is over, with pauses that grow and differ by
  /// chance, so that two waiters do not stay in step.
  ///
  /// - Returns: whether an attempt answered true.
  package static func retrying<Failure>(
    milliseconds: Int, _ attempt: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let deadline = now() + Int64(milliseconds)
    var pause: Int64 = 5
    while try !attempt() {
      let left = deadline - now()
      guard left > 0 else { return false }
      usleep(UInt32(1_000 * min(left, Int64.random(in: (pause / 2)...pause))))
      pause = min(200, pause * 2)
    }
    return true
  }

  /// Does nothing for a while.
  package static func pause(milliseconds: Int) { usleep(UInt32(1_000 * milliseconds)) }

  /// Milliseconds of the monotonic clock.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
