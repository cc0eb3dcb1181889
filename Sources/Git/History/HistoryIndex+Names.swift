/// The names that a file had.
extension HistoryIndex {
  /// The path that a file of the tip had at another commit, by the renames that left its bytes as they were.
  ///
  /// - Parameter path: from the root of the repository, as is the result.
  /// - Returns: nil where the tip does not have the file; the path itself where the commit is not known here.
  /// - Complexity: that of `times(of:)`; linear in the commits where the file was renamed.
  package func path(of path: [UInt8], at commit: ObjectID) throws(GitError) -> [UInt8]? {
    guard let below = below(path) else { return nil }
    let trees = TreeReader(prefix: prefix, source: builder.source())
    let name = try answer { known throws(HistoryFailure) -> [UInt8]? in
      guard let number = try known.graph.number(of: commit) else { return below }
      var trace = try PathTrace(known.graph, trees)
      var paths = HistoryPaths(known.graph)
      guard try paths.seek(below) else { return nil }
      let past = try known.graph.reached(from: number)
      return try trace.name(at: known.tip, paths.rows, below) { !($0 < past.count && past[$0]) }
    }
    return name.map { above($0) }
  }
}
