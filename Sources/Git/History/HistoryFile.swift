import Bytes
import Platform

/// The file that keeps an index of history: a segment with most of it, followed by segments of newer commits.
///
/// New commits are appended. A segment names the checksum of the one that it follows, and replaces those with
/// later commits. Therefore a reader always finds an index, at worst an older one: whatever several writers append, and
/// wherever a write was interrupted.
struct HistoryFile {
  /// An index as it was read.
  struct Stored {
    let graph: HistoryGraph
    /// The bytes of all segments, also of those that others took the place of.
    let length: Int
    /// Whether no bytes follow them.
    let isWhole: Bool
  }

  /// The number of bytes that may follow the first segment, however short that is.
  private static let leastTail = 1 << 16

  private let path: [UInt8]
  /// Changes with the folder and with the cut of a shallow clone.
  private let key: ObjectID

  init(_ path: [UInt8], key: ObjectID) {
    self.path = path
    self.key = key
  }

  /// Whether the file can probably be written.
  var isWritable: Bool { Files.isWritable(path.parentPath) }

  /// The index; nil if there is none for the key, or it is damaged: then it is rebuilt.
  func read() -> Stored? {
    // A cache that cannot be read is one that is not there.
    guard let bytes = try? RawFile.map(path, isWhole: false)?.bytes else { return nil }
    var segments: [HistorySegment] = []
    var length = 0
    while let segment = HistorySegment(bytes, at: length) {
      guard segment.key == key else { return nil }
      length += segment.size
      let below = segments.last { $0.first < segment.first }
      guard segment.baseSum == below?.sum ?? 0, segment.first == below?.end ?? 0 else { continue }
      segments.removeAll { $0.first >= segment.first }
      segments.append(segment)
    }
    guard !segments.isEmpty else { return nil }
    let graph = HistoryGraph(segments: segments)
    return Stored(graph: graph, length: length, isWhole: length == bytes.count)
  }

  /// Keeps the rows as the whole index.
  func replace(with rows: HistoryRows) throws(HistoryFailure) -> HistoryGraph {
    let segment = try HistorySegment.of(rows, key: key, on: nil)
    segment.bytes.withBytes { RawFile.replaceQuietly(path, with: $0) }
    return HistoryGraph(segments: [segment])
  }

  /// Appends rows to an index. Short segments at its end are joined with them, so that there are few.
  ///
  /// If the appended part is too large, the file is rewritten without unreachable commits.
  /// - Parameter tip: the number of the commit whose history is requested.
  func append(_ rows: HistoryRows, to stored: Stored, tip: Int) throws(HistoryFailure) -> HistoryGraph {
    var rows = rows
    var segments = stored.graph.segments
    while let last = segments.last, last.weight <= 2 * rows.weight {
      var older = try last.rows()
      older.append(rows)
      rows = older
      segments.removeLast()
    }
    let segment = try HistorySegment.of(rows, key: key, on: segments.last)
    let graph = HistoryGraph(segments: segments + [segment])
    if let base = segments.first?.size, stored.isWhole,
      stored.length - base + segment.size <= max(Self.leastTail, base / 8)
    {
      segment.bytes.withBytes { append($0) }
      return graph
    }
    return try replace(with: graph.rows(from: tip))
  }

  /// Appends in one step; if that fails, nothing happens, or the next writer replaces the file.
  private func append(_ bytes: UnsafeRawBufferPointer) {
    _ = Files.appendAtOnce(path, bytes)
  }
}

/// Why an index of history cannot answer.
enum HistoryFailure: Error {
  /// It is damaged, and has to be rebuilt.
  case damaged
  /// An object of the repository cannot be read.
  case unreadable(GitError)

  /// Runs a body that may fail to read the repository.
  static func reading<Result>(_ body: () throws(GitError) -> Result) throws(HistoryFailure) -> Result {
    do { return try body() } catch { throw .unreadable(error) }
  }

  /// The error of the repository for one that is left over.
  static func error(_ failure: HistoryFailure) -> GitError {
    switch failure {
    case .damaged: GitError(.other, "the history index is corrupt")
    case .unreadable(let error): error
    }
  }
}

/// Looks up one file after another in an index of history, in the order of their paths, without a search for each.
///
/// For a listing of all notes it goes through the index once, beside the list. A path that is out of order is found
/// too, by a search. It belongs to one thread.
package struct HistoryCursor {
  private let index: HistoryIndex
  private let trees: TreeReader
  private var known: HistoryIndex.Known
  private var paths: HistoryPaths
  private var trace: PathTrace?
  /// The last path that `next` came to.
  private var last: [UInt8]?

  init(_ index: HistoryIndex, _ known: HistoryIndex.Known, _ trees: TreeReader) {
    self.index = index
    self.known = known
    self.trees = trees
    paths = HistoryPaths(known.graph)
  }

  /// The times of a file, by its path below the folder of the index; nil if the tip does not have it.
  package mutating func times(of path: UnsafeRawBufferPointer) throws(GitError) -> PathTimes? {
    try times(of: Array(path))
  }

  /// The times of a file, by its path below the folder of the index; nil if the tip does not have it.
  package mutating func times(of path: [UInt8]) throws(GitError) -> PathTimes? {
    try asked { cursor throws(HistoryFailure) in
      try cursor.paths.seek(path) ? cursor.times(path) : nil
    }
  }

  /// The next file of the tip, by its path below the folder of the index; nil at the end.
  package mutating func next() throws(GitError) -> (path: [UInt8], times: PathTimes)? {
    try asked { cursor throws(HistoryFailure) in
      while let path = try cursor.paths.next() {
        let times = try cursor.times(path)
        cursor.last = path
        if let times { return (path, times) }
      }
      return nil
    }
  }

  private mutating func times(_ path: [UInt8]) throws(HistoryFailure) -> PathTimes? {
    if trace == nil { trace = try PathTrace(known.graph, trees) }
    return try trace?.times(at: known.tip, paths.rows, path)
  }

  /// Queries the graph, and once more if it had to be rebuilt.
  private mutating func asked<Answer>(
    _ question: (inout HistoryCursor) throws(HistoryFailure) -> Answer
  ) throws(GitError) -> Answer {
    do { return try question(&self) } catch { known = try index.repair(after: error) }
    do {
      trace = nil
      paths = HistoryPaths(known.graph)
      // The successor of the last path.
      if let last { _ = try paths.seek(last + [0]) }
      return try question(&self)
    } catch { throw HistoryFailure.error(error) }
  }
}

/// The paths of a graph in order, each with its rows in every segment.
struct HistoryPaths {
  /// Steps from path to path before a search.
  private static let steps = 8

  private let segments: [HistorySegment]
  /// For each segment the rank of the next path.
  private var ranks: [Int]
  /// For each segment the rows of the path that was last found.
  private(set) var rows: [Range<Int>]

  init(_ graph: HistoryGraph) {
    segments = graph.segments
    ranks = Array(repeating: 0, count: segments.count)
    rows = Array(repeating: 0..<0, count: segments.count)
  }

  /// The next path; nil at the end.
  mutating func next() throws(HistoryFailure) -> [UInt8]? {
    var least: UnsafeRawBufferPointer?
    for (segment, rank) in zip(segments, ranks) where rank < segment.pathCount {
      let path = try segment.path(rank)
      if least.map({ ByteOrder.compare(path, $0) < 0 }) ?? true { least = path }
    }
    guard let path = least.map({ Array($0) }), try seek(path) else { return nil }
    for (place, segment) in segments.enumerated() where ranks[place] < segment.pathCount {
      if try segment.compare(ranks[place], path) == 0 { ranks[place] += 1 }
    }
    return path
  }

  /// Seeks a path, or the position at which it would be; returns whether a segment has it.
  mutating func seek(_ path: [UInt8]) throws(HistoryFailure) -> Bool {
    var isFound = false
    for (place, segment) in segments.enumerated() {
      let isHere = try seek(path, &ranks[place], segment)
      rows[place] = isHere ? try segment.rows(ofPath: ranks[place]) : 0..<0
      isFound = isFound || isHere
    }
    return isFound
  }

  private func seek(
    _ path: [UInt8], _ rank: inout Int, _ segment: HistorySegment
  ) throws(HistoryFailure) -> Bool {
    if rank > 0, try segment.compare(rank - 1, path) >= 0 { rank = 0 }
    for _ in 0..<Self.steps {
      guard rank < segment.pathCount else { return false }
      let order = try segment.compare(rank, path)
      if order >= 0 { return order == 0 }
      rank += 1
    }
    rank = try segment.lowerBound(path, from: rank)
    guard rank < segment.pathCount else { return false }
    return try segment.compare(rank, path) == 0
  }
}
