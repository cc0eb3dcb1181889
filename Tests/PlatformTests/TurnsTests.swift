import Synchronization
import Testing

@testable import Platform

/// Work of many threads that is done lane by lane in the order of its numbers.
@Suite struct TurnsTests {
  @Test(arguments: [1, 2, 3, 7]) func keepTheOrderOfEachLane(lanes: Int) {
    let turns = Turns(lanes: lanes)
    let done = Mutex<[[Int]]>(Array(repeating: [], count: lanes))
    let areBusy = (0..<lanes).map { _ in Busy() }
    let results = concurrentMap(Array(0..<400), threads: 8, chunk: 1) { number in
      var wasAlone = false
      turns.take(number) { lane in
        wasAlone = areBusy[lane].enter()
        done.withLock { $0[lane].append(number) }
        areBusy[lane].leave()
      }
      return wasAlone
    }
    #expect(results == Array(repeating: true, count: 400))
    for (lane, numbers) in done.withLock({ $0 }).enumerated() {
      #expect(numbers == Array(stride(from: lane, to: 400, by: lanes)))
    }
  }

  /// Tells whether two threads are somewhere at a time.
  private final class Busy: Sendable {
    private let count = Atomic<Int>(0)

    func enter() -> Bool { count.add(1, ordering: .relaxed).newValue == 1 }
    func leave() { count.subtract(1, ordering: .relaxed) }
  }
}
