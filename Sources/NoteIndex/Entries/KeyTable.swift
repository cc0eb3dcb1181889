import Notes

/// Which stored notes have which keys, in the order of the keys.
struct KeyTable: Sendable {
  /// A key in the upper half, the number of a note in the lower one.
  private let rows: [UInt64]

  /// - Complexity: O(n log n).
  init(_ keys: [(key: LinkKey, number: Int)]) {
    rows = keys.map { UInt64($0.key.number) << 32 | UInt64(UInt32($0.number)) }.sorted()
  }

  /// The numbers of the notes that have one of some keys, each once.
  ///
  /// - Complexity: O(log n) a key.
  func numbers(having wanted: LinkKeySet) -> Set<Int> {
    var numbers: Set<Int> = []
    for key in wanted.keys {
      var row = firstRow(of: key)
      while row < rows.count, rows[row] >> 32 == UInt64(key.number) {
        numbers.insert(Int(rows[row] & 0xFFFF_FFFF))
        row += 1
      }
    }
    return numbers
  }

  private func firstRow(of key: LinkKey) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] >> 32 < UInt64(key.number) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
