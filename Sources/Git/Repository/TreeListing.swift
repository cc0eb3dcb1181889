/// The files of a commit, by path; submodules are left out.
///
/// An entry is made when it is asked for: what is held of each is its path in one run of bytes, its id and its mode.
package struct TreeListing: RandomAccessCollection, Sendable, Equatable {
  private var paths: [UInt8] = []
  private var pathEnds: [Int] = []
  private var ids: [ObjectID] = []
  private var modes: [UInt32] = []

  package init() {}

  mutating func append(_ folder: [UInt8], _ name: some Collection<UInt8>, _ id: ObjectID, mode: UInt32) {
    paths += folder
    paths += name
    pathEnds.append(paths.count)
    ids.append(id)
    modes.append(mode)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ids.count }

  /// - Complexity: O(m) for a path of m bytes, which is copied.
  package subscript(position: Int) -> Repository.TreeEntry {
    Repository.TreeEntry(path: Array(path(at: position)), id: ids[position], mode: modes[position])
  }

  /// The path of a file.
  package func path(at position: Int) -> ArraySlice<UInt8> {
    paths[(position == 0 ? 0 : pathEnds[position - 1])..<pathEnds[position]]
  }

  /// Whether the path of a file stands before another, as `memcmp` sees it.
  package func path(_ position: Int, precedes other: [UInt8]) -> Bool {
    path(at: position).precedes(other[...])
  }
}
