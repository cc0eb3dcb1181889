/// Ranks of which the n-th is drawn in proportion to 1/n, as the words of a language are.
struct ZipfLaw: Sendable {
  private let cumulative: [Double]
  private let total: Double

  init(count: Int) {
    var sum = 0.0
    cumulative = (1...count).map { rank in
      sum += 1 / Double(rank)
      return sum
    }
    total = sum
  }

  /// A rank from 0.
  /// - Complexity: O(log n).
  func draw(_ random: inout CorpusRandom) -> Int {
    let wanted = random.fraction() * total
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
