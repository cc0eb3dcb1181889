/// Parts the terms of several tables at some terms, so that the postings of the parts are about as large.
struct TermRanges {
  /// How many parts there are at most: enough for the work on them to be shared out evenly.
  private static let most = 64
  /// Not worth another part.
  private static let leastSize = 1 << 17

  /// For each part and each table the numbers of its terms.
  private let numbers: [[ArraySlice<Int32>]]
  let count: Int

  init(_ tables: [TermTable]) {
    let bounds = Self.bounds(tables)
    count = bounds.count + 1
    numbers = tables.map { Self.parted($0, bounds) }
  }

  /// The numbers of the terms of a part, table by table.
  func terms(_ part: Int) -> [ArraySlice<Int32>] { numbers.map { $0[part] } }

  /// The first eight bytes of the terms with which the second part and those after it begin.
  private static func bounds(_ tables: [TermTable]) -> [UInt64] {
    var sizes: [(key: UInt64, size: Int)] = []
    var total = 0
    for table in tables {
      for number in 0..<table.count {
        let size = table.terms[number].postings.count
        total += size
        // Terms with next to no postings are told by some of them.
        if size >= 1 << 10 || number % 16 == 0 {
          sizes.append((table.terms[number].low.byteSwapped, size))
        }
      }
    }
    let parts = min(most, total / leastSize)
    guard parts > 1 else { return [] }
    sizes.sort { $0.key < $1.key }
    let share = sizes.reduce(0) { $0 + $1.size } / parts
    var bounds: [UInt64] = []
    var size = 0
    for entry in sizes {
      if size > share, bounds.last != entry.key {
        bounds.append(entry.key)
        size = 0
      }
      size += entry.size
    }
    return bounds
  }

  private static func parted(_ table: TermTable, _ bounds: [UInt64]) -> [ArraySlice<Int32>] {
    guard !bounds.isEmpty else { return [Array(0..<Int32(table.count))[...]] }
    let parts = (0..<table.count).map { part(of: table.terms[$0].low.byteSwapped, bounds) }
    var starts = [Int](repeating: 0, count: bounds.count + 2)
    for part in parts { starts[part + 1] += 1 }
    for part in starts.indices.dropFirst() { starts[part] += starts[part - 1] }
    var next = starts
    var numbers = [Int32](repeating: 0, count: table.count)
    for (number, part) in parts.enumerated() {
      numbers[next[part]] = Int32(number)
      next[part] += 1
    }
    return (0...bounds.count).map { numbers[starts[$0]..<starts[$0 + 1]] }
  }

  /// How many of the bounds are not above a term.
  private static func part(of key: UInt64, _ bounds: [UInt64]) -> Int {
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
