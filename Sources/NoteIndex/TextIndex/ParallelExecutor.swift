import Synchronization

/// Maps chunks of a range of numbers to results, perhaps on many threads.
struct ParallelChunks {
  /// The default length of a chunk: short enough to keep many threads busy, long enough to outweigh the cost of a
  /// hand-over to a thread.
  static let length = 64

  let count: Int
  let executor: ParallelExecutor?
  var length = Self.length

  /// Returns the results in the order of the chunks, or throws the failure of the first chunk that has one.
  func map<Value: Sendable, Failure: Error>(
    _ transform: @escaping @Sendable (Range<Int>) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    guard let executor, count > length else { return [try transform(0..<count)] }
    let chunks = stride(from: 0, to: count, by: length).map { $0..<min($0 + length, count) }
    let results = Results<Result<Value, Failure>>()
    executor(chunks) { chunk in
      let result = Result { () throws(Failure) in try transform(chunk) }
      results.keep(result, from: chunk)
    }
    var values: [Value] = []
    values.reserveCapacity(chunks.count)
    for result in chunks.lazy.compactMap({ results.from($0) }) { values.append(try result.get()) }
    return values
  }

  /// Returns the result of each number in order, for large work: each number is a chunk of its own.
  func mapEach<Value: Sendable>(_ transform: @escaping @Sendable (Int) -> Value) -> [Value] {
    ParallelChunks(count: count, executor: executor, length: 1).map { $0.map(transform) }.flatMap { $0 }
  }

  /// Does large work for each number, and returns when all is done.
  func forEach(_ body: @escaping @Sendable (Int) -> Void) { _ = mapEach(body) }

  private final class Results<Result: Sendable>: Sendable {
    private let known = Mutex<[Int: Result]>([:])

    func keep(_ result: Result, from chunk: Range<Int>) {
      known.withLock { $0[chunk.lowerBound] = result }
    }

    func from(_ chunk: Range<Int>) -> Result? { known.withLock { $0[chunk.lowerBound] } }
  }
}

/// Runs the work on each range of numbers, in parallel, and returns when all of it is done.
///
/// For example `concurrentMap`: `{ ranges, work in _ = concurrentMap(ranges, work) }`.
package typealias ParallelExecutor =
  @Sendable (_ ranges: [Range<Int>], _ work: @escaping @Sendable (Range<Int>) -> Void) -> Void
