import Bytes
import Notes
import Text

/// A value to sort notes by: numbers before dates before texts, missing values always last.
enum SortValue: Sendable {
  case number(DecimalNumber)
  /// Seconds since 1970; of creation dates milliseconds.
  case instant(Int64)
  /// A collation key, or bytes that are compared as they are.
  case text([UInt8])
  /// A key by the type of a field, which compares with others of it alone.
  case typed([UInt8])
  /// A value that is not of its field's type, by its text; after all others in either direction.
  case wrong([UInt8])
  case absent

  /// Reads a value of a field.
  init(_ text: String) {
    if text.utf8.allSatisfy(ASCII.isBlank) {
      self = .absent
    } else if let number = DecimalNumber(text) {
      self = .number(number)
    } else if let date = DateReading(text) {
      self = .instant(date.seconds)
    } else {
      self = .text(Collation.key(text))
    }
  }

  /// The place of its sort among the sorts of values.
  var rank: Int {
    switch self {
    case .number: 0
    case .instant: 1
    case .text: 2
    case .typed: 3
    case .wrong: 4
    case .absent: 5
    }
  }

  /// The group of values regardless of the direction: valid values, invalid ones, missing ones.
  var group: Int { max(rank, 3) }

  func precedes(_ other: SortValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.instant(let left), .instant(let right)): left < right
    case (.text(let left), .text(let right)), (.typed(let left), .typed(let right)),
      (.wrong(let left), .wrong(let right)):
      left.lexicographicallyPrecedes(right)
    default: rank < other.rank
    }
  }
}

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

  /// Returns the ranks of values among each other; invalid and absent values come last in either direction.
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
  /// A number not greater than that of any value behind this one: its sort above its first bytes.
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
