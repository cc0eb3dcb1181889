import Platform
import SlipboxTesting
import Synchronization
import Testing

@Suite struct ConcurrentStreamTests {
  @Test(arguments: [0, 1, 2, 3, 100, 5_000], [1, 2, 7, 64])
  func consumesInOrder(count: Int, ahead: Int) {
    var consumed: [String] = []
    concurrentStream(Array(0..<count), ahead: ahead, { "\($0)" }, { consumed.append($0) })
    #expect(consumed == (0..<count).map { "\($0)" })
  }

  @Test func noMoreThanTheLimitWait() {
    var random = SplitMix64(seed: 3)
    let costs = (0..<2_000).map { _ in Int.random(in: 0..<2_000, using: &random) }
    let begun = Atomic<Int>(0)
    let most = Atomic<Int>(0)
    var consumed = 0
    concurrentStream(
      costs, ahead: 5,
      { cost -> Int in
        begun.add(1, ordering: .sequentiallyConsistent)
        return (0..<cost).reduce(0, &+)
      },
      { _ in
        // What is begun and not consumed, with the one that is just handed out.
        most.max(begun.load(ordering: .sequentiallyConsistent) - consumed, ordering: .relaxed)
        consumed += 1
      })
    #expect(consumed == costs.count && begun.load(ordering: .relaxed) == costs.count)
    #expect(most.load(ordering: .relaxed) <= 6)
  }
}
