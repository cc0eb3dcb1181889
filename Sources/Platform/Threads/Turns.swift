import Glibc

/// Lets threads do work in lanes, in each lane one piece after another in the order of their numbers.
///
/// Piece n belongs to lane n modulo the number of lanes. Every number has to be taken, and a thread that takes a number may
/// wait only for lower ones: then none waits for ever.
package final class Turns: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// For each lane the number of the piece that is next.
  private var next: [Int]

  /// - Parameter lanes: at least 1.
  package init(lanes: Int) {
    next = Array(0..<max(1, lanes))
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  /// As many lanes as processors.
  package static let lanes = Threads.processors

  /// Does the work of a piece when all earlier pieces of its lane are done.
  package func take(_ number: Int, _ work: (_ lane: Int) -> Void) {
    let lane = number % next.count
    pthread_mutex_lock(mutex)
    while next[lane] != number { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
    work(lane)
    pthread_mutex_lock(mutex)
    next[lane] += next.count
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
