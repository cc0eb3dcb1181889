import Glibc

/// The processor time that some work takes on this thread, in nanoseconds: what else runs on the machine does not count.
func processorTime(_ work: () throws -> Void) rethrows -> Int {
  let start = threadTime()
  try work()
  return threadTime() - start
}

private func threadTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
