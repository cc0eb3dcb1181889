import Synchronization

/// Does work for each of many stretches of entries, on as many threads as it likes, and returns when all is
/// done.
///
/// `concurrentMap` will do: `{ stretches, work in _ = concurrentMap(stretches, work) }`.
package typealias Spread = (
  _ stretches: [Range<Int>], _ work: @escaping @Sendable (Range<Int>) -> Void
) -> Void

/// Applies a function to stretches of so many items, in order, perhaps on many threads.
struct Stretches {
  /// Few enough for many threads to be kept busy, enough to make up for handing them out.
  private static let length = 64

  let count: Int
  let spread: Spread?

  /// Returns the results in the order of the stretches.
  func map<Result: Sendable>(_ transform: @escaping @Sendable (Range<Int>) -> Result) -> [Result] {
    guard let spread, count > Self.length else { return [transform(0..<count)] }
    let stretches = stride(from: 0, to: count, by: Self.length).map { $0..<min($0 + Self.length, count) }
    let results = Results<Result>()
    spread(stretches) { stretch in
      let result = transform(stretch)
      results.keep(result, from: stretch)
    }
    return stretches.compactMap { results.from($0) }
  }

  private final class Results<Result: Sendable>: Sendable {
    private let known = Mutex<[Int: Result]>([:])

    func keep(_ result: Result, from stretch: Range<Int>) {
      known.withLock { $0[stretch.lowerBound] = result }
    }

    func from(_ stretch: Range<Int>) -> Result? { known.withLock { $0[stretch.lowerBound] } }
  }
}
