import Bytes
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

  /// The times of a file, by its path below the folder of the index; nil where the tip does not have it.
  package mutating func times(of path: UnsafeRawBufferPointer) throws(GitError) -> PathTimes? {
    try times(of: Array(path))
  }

  /// The times of a file, by its path below the folder of the index; nil where the tip does not have it.
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

  /// Asks the graph, and once more where it had to be built anew.
  private mutating func asked<Answer>(
    _ question: (inout HistoryCursor) throws(HistoryFailure) -> Answer
  ) throws(GitError) -> Answer {
    do { return try question(&self) } catch { known = try index.repair(after: error) }
    do {
      trace = nil
      paths = HistoryPaths(known.graph)
      // What follows on the last path.
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

  /// Goes to a path, or to where it would be; tells whether a segment has it.
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
