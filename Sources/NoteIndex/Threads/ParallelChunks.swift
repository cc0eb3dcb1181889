import Synchronization

/// Maps chunks of a range of numbers to results, perhaps on many threads.
struct ParallelChunks {
  /// The usual length of a chunk: short enough to keep many threads busy, long enough to make up for the cost of handing
  /// it to one.
  static let length = 64

  let count: Int
  let executor: ParallelExecutor?
  var length = Self.length

  /// Returns the results in the order of the chunks.
  func map<Result: Sendable>(_ transform: @escaping @Sendable (Range<Int>) -> Result) -> [Result] {
    guard let executor, count > length else { return [transform(0..<count)] }
    let chunks = stride(from: 0, to: count, by: length).map { $0..<min($0 + length, count) }
    let results = Results<Result>()
    executor(chunks) { chunk in
      let result = transform(chunk)
      results.keep(result, from: chunk)
    }
    return chunks.compactMap { results.from($0) }
  }

  private final class Results<Result: Sendable>: Sendable {
    private let known = Mutex<[Int: Result]>([:])

    func keep(_ result: Result, from chunk: Range<Int>) {
      known.withLock { $0[chunk.lowerBound] = result }
    }

    func from(_ chunk: Range<Int>) -> Result? { known.withLock { $0[chunk.lowerBound] } }
  }
}
