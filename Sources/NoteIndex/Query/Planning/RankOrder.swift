/// Puts things into the order of ranks that are numbers: in passes over their digits, without comparing any two.
enum RankOrder {
  /// The bits of a digit: its counts fit into the first cache of a processor.
  private static let digitBits = 11
  private static let digitMask: UInt64 = 1 << digitBits - 1

  /// The indices of things in the order of their ranks, the first column before the others; what ties stays as it is.
  ///
  /// - Parameters:
  ///   - columns: the ranks of each thing; the lowest comes first.
  ///   - count: the length of each column, below 2 to the power of 32.
  /// - Complexity: O(n) in each of the digits in which ranks differ.
  static func indices(by columns: [[UInt64]], count: Int) -> [Int] {
    var order = Array(0..<UInt32(count))
    // An order that keeps what ties, from the last column to the first, is the order by all of them.
    for ranks in columns.reversed() { sort(&order, by: ranks) }
    return order.map { Int($0) }
  }

  private static func sort(_ order: inout [UInt32], by ranks: [UInt64]) {
    guard let first = ranks.first else { return }
    let differing = ranks.reduce(0) { $0 | ($1 ^ first) }
    guard differing != 0 else { return }
    var items = order.map { (rank: ranks[Int($0)], index: $0) }
    var sorted = items
    for shift in stride(from: 0, to: UInt64.bitWidth, by: digitBits)
    where (differing >> shift) & digitMask != 0 {
      // How many items have a digit, then where the next one with it goes.
      var places = [Int](repeating: 0, count: 1 << digitBits)
      for item in items { places[Int((item.rank >> shift) & digitMask)] += 1 }
      var sum = 0
      for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
      for item in items {
        let digit = Int((item.rank >> shift) & digitMask)
        sorted[places[digit]] = item
        places[digit] += 1
      }
      swap(&items, &sorted)
    }
    order = items.map(\.index)
  }
}
