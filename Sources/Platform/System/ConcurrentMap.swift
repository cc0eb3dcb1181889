import Synchronization

/// Applies a function to each item on all processors; the results have the order of the items.
///
/// Fewer than 32 items are processed on the calling thread.
///
/// - Parameters:
///   - threads: the number of threads; nil: one a processor. More are useful if the work waits for a disk.
///   - chunk: the number of items that a thread takes at a time; nil: as many as keep all threads busy.
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

/// Applies a function that can throw to each item on all processors.
///
/// - Throws: the failure of the first item that has one; the function is applied to all of them.
package func concurrentMap<Item: Sendable, Value: Sendable, Failure: Error>(
  throwing items: [Item], _ transform: @escaping @Sendable (Item) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  let results = concurrentMap(items) { item in Result { () throws(Failure) in try transform(item) } }
  return try results.map { (result) throws(Failure) in try result.get() }
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

/// Applies a function to each item on all processors and consumes the results one after another, in the items' order.
///
/// Results are consumed on the calling thread while others are being made; no more than `ahead` are in memory at once.
///
/// - Precondition: `ahead` is more than 0.
package func concurrentStream<Item: Sendable, Result: Sendable>(
  _ items: [Item], ahead: Int, _ transform: @escaping @Sendable (Item) -> Result,
  _ consume: (Result) -> Void
) {
  let helpers = min(Threads.processors, items.count) - 1
  guard helpers > 0 else { return items.forEach { consume(transform($0)) } }
  let work = StreamWork(items, ahead: ahead, transform)
  let started = (0..<helpers).compactMap { _ in Threads.start(work) }
  while let result = work.next() { consume(result) }
  for thread in started { Threads.join(thread) }
}

/// Applies a function that can throw to each item on all processors; consumes the results as above up to the first failure.
///
/// - Throws: the failure of the first item that has one.
package func concurrentStream<Item: Sendable, Value: Sendable, Failure: Error>(
  throwing items: [Item], ahead: Int, _ transform: @escaping @Sendable (Item) throws(Failure) -> Value,
  _ consume: (Value) -> Void
) throws(Failure) {
  var failure: Failure?
  concurrentStream(items, ahead: ahead) { item in
    Result { () throws(Failure) in try transform(item) }
  } _: { result in
    guard failure == nil else { return }
    switch result {
    case .success(let value): consume(value)
    case .failure(let error): failure = error
    }
  }
  if let failure { throw failure }
}

/// A stream in progress: threads take the next unclaimed item, as long as not too many results wait.
private final class StreamWork<Item: Sendable, Result: Sendable>: SharedWork, @unchecked Sendable {
  private let items: [Item]
  private let ahead: Int
  private let transform: @Sendable (Item) -> Result
  private let signal = Signal()
  // All that follows is looked at under the lock of the signal.
  private var taken = 0
  private var consumed = 0
  private var ready: [Int: Result] = [:]

  init(_ items: [Item], ahead: Int, _ transform: @escaping @Sendable (Item) -> Result) {
    self.items = items
    self.ahead = ahead
    self.transform = transform
  }

  private var canTake: Bool { taken < items.count && taken - consumed < ahead }

  /// Makes results until every item is taken.
  override func run() {
    while true {
      signal.lock()
      while taken < items.count, !canTake { signal.wait() }
      guard canTake else { return signal.unlock() }
      make()
    }
  }

  /// Takes an item, leaves the lock to make its result, and puts that among the ready ones.
  private func make() {
    let number = taken
    taken += 1
    signal.unlock()
    let result = transform(items[number])
    signal.lock()
    ready[number] = result
    signal.wakeAll()
    signal.unlock()
  }

  /// The next result in the order of the items, which this thread computes itself if no other does; nil at the end.
  func next() -> Result? {
    signal.lock()
    while consumed < items.count {
      if let result = ready.removeValue(forKey: consumed) {
        consumed += 1
        signal.wakeAll()
        signal.unlock()
        return result
      }
      if canTake {
        make()
        signal.lock()
      } else {
        signal.wait()
      }
    }
    signal.unlock()
    return nil
  }
}
