import Bytes

/// Numbers that compare as sort values do in a certain direction: from before to behind, equal for equal values.
enum SortRanks {
  /// The ranks of instants, all of which are there.
  static func ranks(of instants: some Sequence<Int64>, descending: Bool) -> [UInt64] {
    instants.map { instant in
      let rank = UInt64(bitPattern: instant) ^ (1 << 63)
      return descending ? ~rank : rank
    }
  }

  /// The rank of a score, which is not negative: the highest comes first.
  static func rank(ofScore score: Double) -> UInt64 {
    // The bits of such numbers compare as the numbers do.
    ~score.bitPattern
  }

  /// The ranks of values among each other; what is wrong or absent comes last in either direction.
  ///
  /// - Complexity: O(n log n).
  static func ranks(of values: [SortValue], descending: Bool) -> [UInt64] {
    let beginnings = values.map(\.beginning)
    let ascending = values.indices.sorted { left, right in
      if beginnings[left] != beginnings[right] { return beginnings[left] < beginnings[right] }
      return values[left].precedes(values[right])
    }
    var ranks = [UInt64](repeating: 0, count: values.count)
    var rank: UInt64 = 0
    for (index, place) in ascending.enumerated() {
      if index > 0 {
        let before = ascending[index - 1]
        if values[before].precedes(values[place]) { rank += 1 }
      }
      let own = descending ? UInt64(UInt32.max) - rank : rank
      ranks[place] = UInt64(values[place].group) << 32 | own
    }
    return ranks
  }
}

extension SortValue {
  /// A number that is no greater than that of any value behind this one: its sort above its first bytes.
  fileprivate var beginning: UInt64 {
    let upper = UInt64(rank) << 56
    switch self {
    case .number, .absent: return upper
    case .instant(let instant): return upper | (UInt64(bitPattern: instant) ^ (1 << 63)) >> 8
    case .text(let bytes), .typed(let bytes), .wrong(let bytes):
      var first: UInt64 = 0
      for index in 0..<7 { first = first << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
      return upper | first
    }
  }
}
