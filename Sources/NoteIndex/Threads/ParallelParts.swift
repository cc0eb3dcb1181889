import Synchronization

/// Maps the numbers below a count to results, perhaps on many threads, where the work for each is large.
struct ParallelParts {
  let count: Int
  let executor: ParallelExecutor?

  /// Returns the results in their order.
  func map<Result: Sendable>(_ transform: @escaping @Sendable (Int) -> Result) -> [Result] {
    let results = Results<Result>()
    forEach { results.keep(transform($0), $0) }
    return (0..<count).compactMap { results.known($0) }
  }

  /// Returns when all is done.
  func forEach(_ body: @escaping @Sendable (Int) -> Void) {
    guard let executor, count > 1 else {
      for number in 0..<count { body(number) }
      return
    }
    executor((0..<count).map { $0..<$0 + 1 }) { numbers in
      for number in numbers { body(number) }
    }
  }

  private final class Results<Result: Sendable>: Sendable {
    private let results = Mutex<[Int: Result]>([:])

    func keep(_ result: Result, _ number: Int) { results.withLock { $0[number] = result } }

    func known(_ number: Int) -> Result? { results.withLock { $0[number] } }
  }
}
