import Platform
import SlipboxTesting
import Synchronization
import Testing

@Suite struct ConcurrentMapTests {
  @Test(arguments: [0, 1, 31, 32, 33, 47, 48, 100, 1_000, 10_007])
  func keepsOrder(count: Int) {
    let items = Array(0..<count)
    #expect(concurrentMap(items) { "\($0)" } == items.map { "\($0)" })
    #expect(concurrentMap(items, threads: 16) { $0 + 1 } == items.map { $0 + 1 })
    #expect(concurrentMap(items, threads: 0) { $0 + 1 } == items.map { $0 + 1 })
  }

  @Test func callsOnceForEachItem() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let items = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
        Int.random(in: 0..<9, using: &random)
      }
      let calls = Atomic<Int>(0)
      // Items of unequal cost end in another order than they begin.
      let results = concurrentMap(items) { item -> [Int] in
        calls.add(1, ordering: .relaxed)
        return Array(repeating: item, count: item * item)
      }
      #expect(results == items.map { Array(repeating: $0, count: $0 * $0) })
      #expect(calls.load(ordering: .relaxed) == items.count)
    }
  }

  @Test func nests() {
    let sums = concurrentMap(Array(0..<64)) { outer in
      concurrentMap(Array(0..<64)) { $0 * outer }.reduce(0, +)
    }
    #expect(sums == (0..<64).map { $0 * 2016 })
  }
}
