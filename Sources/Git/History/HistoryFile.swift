import Bytes
import Glibc

/// The file that keeps an index of history: a segment with most of it, and behind that segments of what came since.
///
/// New commits are appended. A segment names the sum of the one that it follows on, and takes the place of those with
/// later commits. So whatever several writers append, and wherever a write ended, what is read is an index, at worst an
/// older one.
struct HistoryFile {
  /// An index as it was read.
  struct Stored {
    let graph: HistoryGraph
    /// The bytes of all segments, also of those that others took the place of.
    let length: Int
    /// Whether nothing stands behind them.
    let isWhole: Bool
  }

  /// So much may stand behind the first segment, however short that is.
  private static let leastTail = 1 << 16

  private let path: [UInt8]
  /// Changes with the folder and with the cut of a shallow clone.
  private let key: ObjectID

  init(_ path: [UInt8], key: ObjectID) {
    self.path = path
    self.key = key
  }

  /// Whether the file can be made, as far as one can tell before.
  var isWritable: Bool { path.parentPath.withCPath { access($0, W_OK | X_OK) } == 0 }

  /// The index; nil where there is none for the key, or it is damaged: then it is built anew.
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
    RawFile.replaceQuietly(path, with: segment.bytes.memory)
    return HistoryGraph(segments: [segment])
  }

  /// Adds rows that follow on an index. Short segments at its end become one with them, so that there are few.
  ///
  /// When what was appended weighs too much, all is written anew, without what cannot be reached any more.
  /// - Parameter tip: the number of the commit that history is asked for.
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
      append(segment.bytes.memory)
      return graph
    }
    return try replace(with: graph.rows(from: tip))
  }

  /// Appends in one step; where that fails, nothing happens, or the next writer replaces the file.
  private func append(_ bytes: UnsafeRawBufferPointer) {
    let descriptor = path.withCPath { open($0, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { return }
    _ = write(descriptor, bytes.baseAddress, bytes.count)
    close(descriptor)
  }
}

/// Why an index of history cannot answer.
enum HistoryFailure: Error {
  /// It is damaged, and has to be built anew.
  case damaged
  /// An object of the repository cannot be read.
  case unreadable(GitError)

  /// Does what may fail to read the repository.
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
