/// The number of records of each kind in a sample box.
package struct SampleCounts: Equatable {
  /// The number of each kind unless another total is asked for; the issues are 10 of each of 5 tags.
  static let usual: [(kind: String, count: Int)] = [
    ("issue", 50), ("book", 20), ("group", 5), ("task", 30), ("note", 20),
  ]

  /// The number of records unless another is asked for: 5 tags of 10 issues, 20 books, 5 groups, 30 tasks, 20 notes.
  package static let usualTotal = usual.reduce(0) { $0 + $1.count }
  /// The most records that are made at once.
  package static let largestTotal = 100_000

  private var counts: [String: Int]

  /// Shares out a number in the usual proportions, by largest remainders.
  package init(total: Int) {
    let whole = Self.usualTotal
    let shares = Self.usual.enumerated().map { index, part in
      let (count, remainder) = (part.count * total).quotientAndRemainder(dividingBy: whole)
      return (kind: part.kind, count: count, remainder: remainder, index: index)
    }
    counts = Dictionary(shares.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
    let missing = total - shares.reduce(0) { $0 + $1.count }
    let byNeed = shares.sorted { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
    for share in byNeed.prefix(missing) { counts[share.kind, default: 0] += 1 }
  }

  subscript(kind: String) -> Int { counts[kind] ?? 0 }
}
