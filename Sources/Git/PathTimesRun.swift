import Glibc

/// What a table of times was made for.
struct PathTimesKey: Equatable {
  let head: ObjectID
  let cut: ObjectID
  /// The folder, without slashes around it.
  let prefix: [UInt8]
}

/// A file of a run: its path below the folder, and its times; nil where the file is gone.
struct PathTimesRow {
  let path: [UInt8]
  let times: PathTimes?
}

/// Rows of files and their times in one stretch of bytes, sorted by path: what a cache file holds.
///
/// A header; the folder; the commits that the rows refer to; the rows, each of one size; the paths without anything
/// between them. Numbers are little-endian.
struct PathTimesRun: Sendable {
  private static let magic: UInt64 = 0x326D_6974_7069_6C73  // "sliptim2"
  private static let headerSize = 88
  private static let commitSize = 32
  private static let rowSize = 32
  /// In place of a commit: the file is gone.
  private static let gone = UInt32.max

  let key: PathTimesKey
  /// The sum of another run that this one changes; 0 where it stands for itself.
  let baseSum: UInt64
  /// The sum of this run.
  let sum: UInt64
  /// How many rows it has.
  let count: Int
  /// How many files there are after the changes.
  let files: Int

  private let bytes: FileBytes
  private let commits: Int
  private let rows: Int
  private let names: Int

  /// Reads a run; nil where the bytes are not one, whole and sound.
  init?(_ bytes: FileBytes) {
    let buffer = bytes.buffer
    guard buffer.count >= Self.headerSize, buffer.little64(at: 0) == Self.magic else { return nil }
    sum = buffer.little64(at: 8)
    baseSum = buffer.little64(at: 56)
    count = Int(buffer.little32(at: 64))
    files = Int(buffer.little32(at: 68))
    let prefix = Int(buffer.little32(at: 72))
    let commitCount = Int(buffer.little32(at: 76))
    commits = Self.headerSize + prefix
    rows = commits + commitCount * Self.commitSize
    names = rows + count * Self.rowSize
    guard names + Int(buffer.little32(at: 80)) == buffer.count, sum == buffer.sum(from: 16) else {
      return nil
    }
    self.bytes = bytes
    key = PathTimesKey(
      head: ObjectID(loading: buffer, at: 16), cut: ObjectID(loading: buffer, at: 36),
      prefix: Array(buffer[Self.headerSize..<commits]))
    guard isOrdered(commitCount) else { return nil }
  }

  /// Whether all rows stay inside the run.
  private func isOrdered(_ commitCount: Int) -> Bool {
    let buffer = bytes.buffer
    let room = buffer.count - names
    var last = 0
    var next = rows
    while next < names {
      let end = Int(buffer.little32(at: next))
      let modified = buffer.little32(at: next + 4)
      let first = Int(buffer.little32(at: next + 8))
      guard end >= last, end <= room, first < commitCount || modified == Self.gone,
        Int(modified) < commitCount || modified == Self.gone
      else { return false }
      last = end
      next += Self.rowSize
    }
    return true
  }

  /// The path of a row, below the folder.
  func path(_ number: Int) -> UnsafeRawBufferPointer {
    let row = rows + number * Self.rowSize
    let start = number == 0 ? 0 : Int(bytes.buffer.little32(at: row - Self.rowSize))
    let end = Int(bytes.buffer.little32(at: row))
    return bytes.buffer[rebased: (names + start)..<(names + end)]
  }

  /// The times of a row; nil where its file is gone.
  func times(_ number: Int) -> PathTimes? {
    let buffer = bytes.buffer
    let row = rows + number * Self.rowSize
    let modified = buffer.little32(at: row + 4)
    guard modified != Self.gone else { return nil }
    let commit = commits + Int(modified) * Self.commitSize
    return PathTimes(
      modified: time(commit), first: time(commits + Int(buffer.little32(at: row + 8)) * Self.commitSize),
      modifiedBy: ObjectID(loading: buffer, at: commit), blob: ObjectID(loading: buffer, at: row + 12))
  }

  private func time(_ commit: Int) -> CommitTime {
    CommitTime(
      seconds: Int64(bitPattern: bytes.buffer.little64(at: commit + 20)),
      offsetMinutes: Int(Int32(bitPattern: bytes.buffer.little32(at: commit + 28))))
  }

  /// The number of the first row from a number on whose path is not before the given one.
  /// - Complexity: O(log n) comparisons.
  func lowerBound(_ path: UnsafeRawBufferPointer, from start: Int = 0) -> Int {
    var low = start
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Bytes.compare(self.path(middle), path) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The bytes of the run.
  var buffer: UnsafeRawBufferPointer { bytes.buffer }
}

extension PathTimesRun {
  /// Puts a run together from rows in the order of their paths.
  /// - Parameters:
  ///   - base: the run that it changes.
  ///   - files: how many files there are after the changes; nil where the run stands for itself.
  /// - Throws: `other` where there are more files than a run can hold.
  init(
    _ key: PathTimesKey, _ rows: some Sequence<PathTimesRow>, on base: PathTimesRun? = nil, files: Int? = nil
  ) throws(GitError) {
    var table: [UInt8] = []
    var names: [UInt8] = []
    var commits = CommitTable()
    var count = 0
    for row in rows {
      names.append(contentsOf: row.path)
      count += 1
      table.append(little: UInt32(truncatingIfNeeded: names.count))
      table.append(little: row.times.map { commits.number($0.modifiedBy, $0.modified) } ?? Self.gone)
      table.append(little: row.times.map { commits.number(.zero, $0.first) } ?? 0)
      (row.times?.blob ?? .zero).append(to: &table)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      Self.headerSize + key.prefix.count + commits.bytes.count + table.count + names.count)
    bytes.append(little: Self.magic)
    bytes.append(little: UInt64(0))
    key.head.append(to: &bytes)
    key.cut.append(to: &bytes)
    bytes.append(little: base?.sum ?? 0)
    for number in [count, files ?? count, key.prefix.count, commits.count, names.count, 0] {
      bytes.append(little: UInt32(truncatingIfNeeded: number))
    }
    for part in [key.prefix, commits.bytes, table, names] { bytes.append(contentsOf: part) }
    let sum = bytes.withUnsafeBytes { $0.sum(from: 16) }
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: sum.littleEndian, toByteOffset: 8, as: UInt64.self) }
    guard names.count <= UInt32.max, let run = PathTimesRun(FileBytes(bytes)) else {
      throw GitError(.other, "there are too many files")
    }
    self = run
  }

  /// The commits of a run, each once.
  private struct CommitTable {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    private var numbers: [Key: UInt32] = [:]

    private struct Key: Hashable {
      let id: ObjectID
      let seconds: Int64
      let offset: Int
    }

    mutating func number(_ id: ObjectID, _ time: CommitTime) -> UInt32 {
      let key = Key(id: id, seconds: time.seconds, offset: time.offsetMinutes)
      if let known = numbers[key] { return known }
      let number = UInt32(truncatingIfNeeded: count)
      numbers[key] = number
      count += 1
      id.append(to: &bytes)
      bytes.append(little: UInt64(bitPattern: time.seconds))
      bytes.append(little: UInt32(bitPattern: Int32(truncatingIfNeeded: time.offsetMinutes)))
      return number
    }
  }
}
