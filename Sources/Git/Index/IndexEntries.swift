import Bytes

/// The entries of git's index, by path and stage.
///
/// An entry is made when it is asked for: those of a large box would take many times the memory of the file.
package struct IndexEntries: RandomAccessCollection, Sendable {
  private enum Source {
    case file(IndexFile)
    case listed([IndexEntry])
  }

  private let source: Source

  init(_ file: IndexFile) { source = .file(file) }

  package init(_ entries: [IndexEntry]) { source = .listed(entries) }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch source {
    case .file(let file): file.count
    case .listed(let entries): entries.count
    }
  }

  /// - Complexity: O(m) for a path of m bytes, which is copied.
  package subscript(position: Int) -> IndexEntry {
    switch source {
    case .file(let file): file.entry(position)
    case .listed(let entries): entries[position]
    }
  }

  /// Whether the path of an entry stands before another, as `memcmp` sees it.
  package func path(_ position: Int, precedes other: [UInt8]) -> Bool {
    other.withUnsafeBytes { other in withPath(at: position) { ByteOrder.compare($0, other) < 0 } }
  }

  /// The first entry of a path; nil if there is none.
  /// - Complexity: O(log n).
  package func entry(at path: [UInt8]) -> IndexEntry? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.path(middle, precedes: path) { low = middle + 1 } else { high = middle }
    }
    guard low < count, withPath(at: low, { $0.elementsEqual(path) }) else { return nil }
    return self[low]
  }

  /// The entries with a flag that hides changes of the file from git.
  /// - Complexity: O(n); an entry is made only of those found.
  package var flagged: [IndexEntry] {
    switch source {
    case .file(let file): file.flagged.map { file.entry($0) }
    case .listed(let entries): entries.filter { $0.hidingFlag != nil }
    }
  }

  /// Lends the path of an entry.
  package func withPath<Result>(at position: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch source {
    case .file(let file): file.withPath(position, body)
    case .listed(let entries): entries[position].path.withUnsafeBytes(body)
    }
  }
}
