import Notes
import Text

/// Where the titles of stored notes stand among each other by their collation keys.
struct TitleOrder: Sendable {
  /// The place of each stored note's title among all different ones.
  private let ranks: [UInt32]
  /// A note with each of them, in their order.
  private let examples: [UInt32]

  /// - Complexity: O(n log n).
  init(_ stored: any StoredEntries, _ executor: ParallelExecutor?) {
    let keys = ParallelChunks(count: stored.count, executor: executor).map { stretch in
      stretch.map { Self.key(of: $0, in: stored) }
    }.flatMap { $0 }
    let order = keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    var ranks = [UInt32](repeating: 0, count: keys.count)
    var examples: [UInt32] = []
    for number in order {
      if examples.last.map({ keys[Int($0)] != keys[number] }) ?? true { examples.append(UInt32(number)) }
      ranks[number] = UInt32(examples.count - 1)
    }
    self.ranks = ranks
    self.examples = examples
  }

  /// A number by which the titles of stored notes compare.
  func rank(of number: Int) -> UInt64 { UInt64(ranks[number] + 1) << 32 }

  /// Numbers by which further titles compare with those of the stored notes and with each other.
  ///
  /// - Parameters:
  ///   - keys: their collation keys.
  ///   - stored: the notes whose order this is; it is not held, for they hold it.
  func ranks(of keys: [[UInt8]], among stored: any StoredEntries) -> [UInt64] {
    let different = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
    let places = Dictionary(uniqueKeysWithValues: zip(different, 1 as UInt64..<UInt64(different.count + 1)))
    return keys.map { key in
      let (before, isKnown) = position(of: key, among: stored)
      return isKnown ? UInt64(before + 1) << 32 : UInt64(before) << 32 | places[key, default: 0]
    }
  }

  /// How many stored titles stand before one, and whether it is one of them.
  private func position(of key: [UInt8], among stored: any StoredEntries) -> (before: Int, isKnown: Bool) {
    var (low, high) = (0, examples.count)
    while low < high {
      let middle = (low + high) / 2
      let other = Self.key(of: Int(examples[middle]), in: stored)
      if other == key { return (middle, true) }
      if other.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  private static func key(of number: Int, in stored: any StoredEntries) -> [UInt8] {
    Collation.key(stored.names(number).title)
  }
}
