import Synchronization

/// Applies a function to each item on all processors; the results have the order of the items.
///
/// Fewer than 32 items are done on the calling thread.
///
/// - Parameters:
///   - threads: How many work; nil: one a processor. More pay where the work waits for a disk.
///   - chunk: How many items a thread takes at a time; nil: as many as keep all threads busy.
package func concurrentMap<Item: Sendable, Result: Sendable>(
  _ items: [Item], threads: Int? = nil, chunk: Int? = nil, _ transform: @escaping @Sendable (Item) -> Result
) -> [Result] {
  let threads = min(threads ?? Threads.processors, items.count / 16)
  guard items.count >= 32, threads > 1 else { return items.map(transform) }
  return [Result](unsafeUninitializedCapacity: items.count) { buffer, count in
    let work = MapWork(items, transform, results: buffer, chunk: chunk ?? items.count / (threads * 16))
    Threads.run(work, helpers: threads - 1)
    // Every chunk has been taken, and done: the threads that took them have returned.
    count = items.count
  }
}

/// A map in progress: threads take chunks by an index that only grows.
private final class MapWork<Item: Sendable, Result: Sendable>: SharedWork, @unchecked Sendable {
  private let items: [Item]
  private let transform: @Sendable (Item) -> Result
  private let results: UnsafeMutableBufferPointer<Result>
  private let chunk: Int
  private let taken = Atomic<Int>(0)

  init(
    _ items: [Item], _ transform: @escaping @Sendable (Item) -> Result,
    results: UnsafeMutableBufferPointer<Result>, chunk: Int
  ) {
    self.items = items
    self.transform = transform
    self.results = results
    self.chunk = max(1, chunk)
  }

  override func run() {
    while true {
      let start = taken.add(chunk, ordering: .relaxed).oldValue
      guard start < items.count else { return }
      for index in start..<min(start + chunk, items.count) {
        results.initializeElement(at: index, to: transform(items[index]))
      }
    }
  }
}
