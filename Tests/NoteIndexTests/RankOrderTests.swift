import Testing

@testable import NoteIndex

/// An order by the digits of ranks is the one that comparing finds.
struct RankOrderTests {
  @Test(arguments: [0, 1, 2, 3, 17, 2_100]) func ordersAsComparingDoes(count: Int) {
    var random = SplitMix64(seed: UInt64(count) + 1)
    // Ranks that differ in few low bits, in the highest ones, everywhere, and not at all.
    let masks: [UInt64] = [0, 0b11, 0x7FF << 53, 0xF << 31, .max]
    for mask in masks {
      for other in masks {
        let columns = [mask, other].map { mask in (0..<count).map { _ in random.next() & mask } }
        let expected = (0..<count).sorted { left, right in
          for ranks in columns where ranks[left] != ranks[right] { return ranks[left] < ranks[right] }
          return left < right
        }
        #expect(RankOrder.indices(by: columns, count: count) == expected)
      }
    }
  }

  @Test func withoutColumnsNothingMoves() {
    #expect(RankOrder.indices(by: [], count: 4) == [0, 1, 2, 3])
  }
}
