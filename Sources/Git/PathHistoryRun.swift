/// A run of commits and what each changed, in one stretch of bytes: what a cache file holds.
///
/// It is searched where it lies. What it says is held against its sums, and every number against the room there is.
struct PathHistoryRun {
  /// In place of a commit: there is none.
  static let none = UInt32.max

  /// The sum of another run that this one follows on; 0 where it stands for itself.
  let baseSum: UInt64
  /// The sum of this run.
  let sum: UInt64
  /// Changes whenever the cut of a shallow clone does.
  let cut: ObjectID
  /// The number of the first commit.
  let first: Int

  let layout: PathHistoryLayout
  let pages: PagedBytes
  private let file: FileBytes

  /// Reads a run; nil where the bytes are not one, or its header is damaged.
  init?(_ file: FileBytes) {
    let buffer = file.buffer
    guard buffer.count >= PathHistoryLayout.headerSize, buffer.little64(at: 0) == PathHistoryLayout.magic
    else {
      return nil
    }
    let numbers = (0..<8).map { Int(buffer.little32(at: 48 + $0 * 4)) }
    layout = PathHistoryLayout(
      PathHistoryLayout.Counts(
        commits: numbers[0], starts: numbers[1], merges: numbers[2], others: numbers[3], unknown: numbers[4],
        paths: numbers[5], nameBytes: numbers[6], postingBytes: numbers[7]))
    let start = PathHistoryLayout.headerSize + PagedBytes.pages(of: layout.end) * 8
    sum = buffer.little64(at: 8)
    guard
      let pages = PagedBytes(file, from: start, count: layout.end, sums: PathHistoryLayout.headerSize),
      buffer[rebased: 0..<start].sum(from: 16) == sum
    else { return nil }
    self.file = file
    self.pages = pages
    baseSum = buffer.little64(at: 16)
    cut = ObjectID(loading: buffer, at: 24)
    first = Int(buffer.little32(at: 44))
    guard layout.counts.commits > 0, first + layout.counts.commits < Int(Self.none) else { return nil }
  }

  /// The bytes of the run.
  var buffer: UnsafeRawBufferPointer { file.buffer }

  /// The number after the last.
  var end: Int { first + layout.counts.commits }

  func id(_ number: Int) throws(PathHistoryFailure) -> ObjectID {
    guard number >= first, number < end else { throw .damaged }
    return try pages.id(at: (number - first) * 20)
  }

  /// The number of a commit; nil where it is not in the run.
  /// - Complexity: O(log n).
  func number(of id: ObjectID) throws(PathHistoryFailure) -> Int? {
    // Mostly it is the youngest.
    if try self.id(end - 1) == id { return end - 1 }
    var low = 0
    var high = layout.counts.commits
    while low < high {
      let middle = (low + high) / 2
      let number = first + Int(try pages.little32(at: layout.order + middle * 4))
      let found = try self.id(number)
      if found == id { return number }
      if found < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The lowest date of some commits.
  /// - Complexity: O(log n).
  func oldest(_ range: ClosedRange<Int>) throws(PathHistoryFailure) -> Int64 {
    guard range.lowerBound >= first, range.upperBound < end else { throw .damaged }
    let fanOut = PathHistoryLayout.fanOut
    var low = range.lowerBound - first
    var high = range.upperBound - first + 1
    var result = Int64.max
    for level in layout.levels.indices {
      let isTop = level == layout.levels.count - 1
      let from = isTop ? high : min(high, (low + fanOut - 1) / fanOut * fanOut)
      let to = isTop ? high : max(from, high / fanOut * fanOut)
      result = min(result, try lowest(level, low..<from), try lowest(level, to..<high))
      if from >= to { break }
      low = from / fanOut
      high = to / fanOut
    }
    return result
  }

  private func lowest(_ level: Int, _ range: Range<Int>) throws(PathHistoryFailure) -> Int64 {
    guard !range.isEmpty else { return .max }
    let offset = layout.levels[level].offset
    let bytes = try pages[(offset + range.lowerBound * 8)..<(offset + range.upperBound * 8)]
    var result = Int64.max
    for place in 0..<range.count { result = min(result, Int64(bitPattern: bytes.little64(at: place * 8))) }
    return result
  }
}
