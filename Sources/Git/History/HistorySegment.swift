import Bytes
/// Elements of one kind that follow on each other in the pages of a segment.
struct HistoryColumn<Element: BitwiseCopyable>: Sendable {
  let offset: Int
  let count: Int
  var end: Int { offset + count * MemoryLayout<Element>.stride }
}

/// A stretch of history in the bytes of a file: commits, and the changes of each.
///
/// A header, the checksums of the pages, and the pages with the columns, whose elements are as they are in memory: the
/// file is a cache of this machine. It is searched in place, by any number of threads. Every page is compared with its
/// checksum at its first use, and every number is bounds-checked.
final class HistorySegment: Sendable {
  private static let magic: UInt64 = 0x3273_6968_7069_6C73  // "sliphis2"
  private static let headerSize = 80
  private static let pageSize = 4_096

  /// The end of a path among the names, and the end of its rows among the changes.
  private struct PathRow: BitwiseCopyable {
    let nameEnd: UInt32
    let rowsEnd: UInt32
  }

  /// The checksum of the segment that this one follows; 0 if it is the first.
  let baseSum: UInt64
  /// The sum of this segment.
  let sum: UInt64
  /// Changes with the folder and with the cut of a shallow clone.
  let key: ObjectID
  /// The number of the first commit.
  let first: Int
  /// The bytes of the segment.
  let size: Int

  let commits: HistoryColumn<CommitRow>
  /// The places of the commits in the order of their names.
  private let order: HistoryColumn<UInt32>
  let others: HistoryColumn<UInt32>
  let inversions: HistoryColumn<UInt32>
  let unknown: HistoryColumn<UInt32>
  private let paths: HistoryColumn<PathRow>
  private let names: HistoryColumn<UInt8>
  let changes: HistoryColumn<ChangeRow>
  private let pages: CheckedBlocks
  private let file: ByteSlice
  /// The offset of the columns.
  private let start: Int

  /// Reads the segment at an offset; nil if there is none, or its header is damaged.
  init?(_ file: ByteRegion, at offset: Int = 0) {
    guard offset + Self.headerSize <= file.count else { return nil }
    let bytes = file.slice[offset..<file.count]
    let rest = bytes.bytes
    guard rest.little64(at: 0) == Self.magic else { return nil }
    var (place, next) = (48, 0)
    func column<Element>() -> HistoryColumn<Element> {
      let column = HistoryColumn<Element>(offset: next, count: Int(rest.little32(at: place)))
      (place, next) = (place + 4, column.end)
      return column
    }
    (commits, order, others, inversions) = (column(), column(), column(), column())
    (unknown, paths, names, changes) = (column(), column(), column(), column())
    start = Self.headerSize + CheckedBlocks.blockCount(of: next, blockLength: Self.pageSize) * 8
    size = start + next
    sum = rest.little64(at: 8)
    guard size <= bytes.count, Checksum.of(bytes[16..<start]) == sum,
      let pages = CheckedBlocks(
        bytes, content: start..<size, blockLength: Self.pageSize, sums: Self.headerSize)
    else { return nil }
    self.pages = pages
    self.file = bytes[0..<size]
    baseSum = rest.little64(at: 16)
    key = bytes.withBytes { ObjectID(loading: $0, at: 24) }
    first = Int(rest.little32(at: 44))
    guard commits.count > 0, order.count == commits.count, end < Int(CommitRow.none) else { return nil }
  }

  /// Puts a segment together.
  /// - Parameter base: the segment that it follows on.
  /// - Throws: `unreadable` if there is more than a segment can hold.
  static func of(
    _ rows: HistoryRows, key: ObjectID, on base: HistorySegment?
  ) throws(HistoryFailure) -> HistorySegment {
    var (counts, columns): ([Int], [UInt8]) = ([], [])
    func add<Element: BitwiseCopyable>(_ column: [Element]) {
      counts.append(column.count)
      // Up to the stride of the last element, as a column is read.
      column.withUnsafeBytes { columns.append(contentsOf: $0) }
    }
    add(rows.commits)
    add(rows.commits.indices.sorted { rows.commits[$0].id < rows.commits[$1].id }.map { UInt32($0) })
    add(rows.others)
    add(rows.inversions)
    add(rows.unknown)
    var (paths, row, name) = ([PathRow](), 0, 0)
    for (rank, path) in rows.changes.paths.enumerated() {
      name += path.count
      while row < rows.changes.rows.count, Int(rows.changes.rows[row].path) == rank { row += 1 }
      let (nameEnd, rowsEnd) = (UInt32(truncatingIfNeeded: name), UInt32(truncatingIfNeeded: row))
      paths.append(PathRow(nameEnd: nameEnd, rowsEnd: rowsEnd))
    }
    add(paths)
    add(Array(rows.changes.paths.joined()))
    add(rows.changes.rows.map(\.change))
    var bytes: [UInt8] = []
    bytes.append(little: base?.sum ?? 0)
    key.append(to: &bytes)
    for number in [rows.first] + counts { bytes.append(little: UInt32(truncatingIfNeeded: number)) }
    bytes += BlockSums.of(columns, blockLength: pageSize)
    var header: [UInt8] = []
    header.append(little: magic)
    header.append(little: bytes.withUnsafeBytes(Checksum.of))
    // A place of a path has 29 bits.
    guard counts.allSatisfy({ $0 < Int(CommitRow.none) }), paths.count < 1 << 29,
      let segment = HistorySegment(ByteRegion(copying: header + bytes + columns))
    else {
      throw .unreadable(GitError(.other, "the history has too many commits or paths for the history index"))
    }
    return segment
  }

  /// The bytes of the segment.
  var bytes: ByteSlice { file }

  /// The number after the last.
  var end: Int { first + commits.count }

  /// Grows with the cost to write the segment again.
  var weight: Int { commits.count + changes.count }

  /// An element of a column.
  subscript<Element>(column: HistoryColumn<Element>, place: Int) -> Element {
    @inline(__always) get throws(HistoryFailure) {
      guard place >= 0, place < column.count else { throw .damaged }
      let offset = column.offset + place * MemoryLayout<Element>.stride
      return try bytes(offset..<(offset + MemoryLayout<Element>.stride)).loadUnaligned(as: Element.self)
    }
  }

  /// Returns a part of the columns, for as long as this object lives.
  @inline(__always)
  private func bytes(_ range: Range<Int>) throws(HistoryFailure) -> UnsafeRawBufferPointer {
    let range = (start + range.lowerBound)..<(start + range.upperBound)
    guard pages.isSound(range) else { throw .damaged }
    return file.withBytes { $0[rebased: range] }
  }

  /// The first of some ascending numbers that is not below another.
  func lowerBound(_ column: HistoryColumn<UInt32>, _ wanted: Int) throws(HistoryFailure) -> Int {
    var (low, high) = (0, column.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(try self[column, middle]) < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func commit(_ number: Int) throws(HistoryFailure) -> CommitRow { try self[commits, number - first] }

  /// The number of a commit; nil if it is not in the segment.
  /// - Complexity: O(log n).
  func number(of id: ObjectID) throws(HistoryFailure) -> Int? {
    // Mostly it is the youngest.
    if try commit(end - 1).id == id { return end - 1 }
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      let place = Int(try self[order, middle])
      let found = try self[commits, place].id
      if found == id { return first + place }
      if found < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

extension HistorySegment {
  /// How many paths there are; their places are their ranks.
  var pathCount: Int { paths.count }

  func path(_ rank: Int) throws(HistoryFailure) -> UnsafeRawBufferPointer {
    let start = rank == 0 ? 0 : Int(try self[paths, rank - 1].nameEnd)
    let end = Int(try self[paths, rank].nameEnd)
    guard start <= end, end <= names.count else { throw .damaged }
    return try bytes((names.offset + start)..<(names.offset + end))
  }

  /// The changes of a path, by commit.
  func rows(ofPath rank: Int) throws(HistoryFailure) -> Range<Int> {
    let start = rank == 0 ? 0 : Int(try self[paths, rank - 1].rowsEnd)
    let end = Int(try self[paths, rank].rowsEnd)
    guard start <= end, end <= changes.count else { throw .damaged }
    return start..<end
  }

  /// The rank of a path; nil if the segment does not have it.
  func rank(of path: [UInt8]) throws(HistoryFailure) -> Int? {
    let rank = try lowerBound(path)
    guard rank < pathCount, try compare(rank, path) == 0 else { return nil }
    return rank
  }

  /// Below zero, zero, or above, as the path of a rank comes before, is, or comes after another.
  func compare(_ rank: Int, _ path: [UInt8]) throws(HistoryFailure) -> Int {
    let own = try self.path(rank)
    return path.withUnsafeBytes { ByteOrder.compare(own, $0) }
  }

  /// The first rank from one on whose path is not before the given one.
  func lowerBound(_ path: [UInt8], from start: Int = 0) throws(HistoryFailure) -> Int {
    var (low, high) = (start, pathCount)
    while low < high {
      let middle = (low + high) / 2
      if try compare(middle, path) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// All rows of the segment, to be put together with others.
  func rows() throws(HistoryFailure) -> HistoryRows {
    var rows = HistoryRows(first: first)
    for place in 0..<commits.count { rows.commits.append(try self[commits, place]) }
    for place in 0..<others.count { rows.others.append(try self[others, place]) }
    for place in 0..<unknown.count { rows.unknown.append(try self[unknown, place]) }
    rows.changes = try changes { UInt32(truncatingIfNeeded: $0) }
    return rows
  }

  /// The changes of its commits, with other numbers of the commits; nil leaves a commit out.
  func changes(_ renumbered: (Int) -> UInt32?) throws(HistoryFailure) -> HistoryChanges {
    var paths: [[UInt8]] = []
    var rows: [(path: UInt32, change: ChangeRow)] = []
    for rank in 0..<pathCount {
      paths.append(Array(try path(rank)))
      for row in try self.rows(ofPath: rank) {
        var change = try self[changes, row]
        guard let number = renumbered(Int(change.commit)) else { continue }
        change.commit = number
        let relation = FileRelation(packed: change.relation)
        if case .renamed(let former) = relation, former >= pathCount { throw .damaged }
        rows.append((UInt32(truncatingIfNeeded: rank), change))
      }
    }
    return HistoryChanges(unordered: paths, rows)
  }
}

extension FileRelation {
  /// Three bits of kind, then a place. Numbers that make no sense are read as `gone`.
  init(packed: UInt32) {
    let place = Int(packed >> 3)
    switch packed & 7 {
    case 1: self = .changed(parent: place)
    case 2: self = .same(parent: place)
    case 3: self = .added
    case 4: self = .renamed(from: place)
    default: self = .gone
    }
  }

  var packed: UInt32 {
    let (kind, place): (Int, Int) =
      switch self {
      case .gone: (0, 0)
      case .changed(let parent): (1, parent)
      case .same(let parent): (2, parent)
      case .added: (3, 0)
      case .renamed(let former): (4, former)
      }
    return UInt32(truncatingIfNeeded: place << 3 | kind)
  }
}
