extension Repository {
  /// Writes the kept index of history anew, without the commits that a tip no longer leads to.
  ///
  /// - Parameters:
  ///   - prefix: the folder of the index, from the root of the repository.
  ///   - cache: the path of its file.
  /// - Returns: how many commits were taken out; 0 where there is no index of the tip, or nothing to take out.
  package func compactHistoryIndex(
    at tip: ObjectID, under prefix: [UInt8], cache: [UInt8]
  ) throws(GitError) -> Int {
    let file = try historyFile(under: prefix, cache: cache)
    guard file.isWritable, let stored = file.read() else { return 0 }
    do {
      guard let number = try stored.graph.number(of: tip) else { return 0 }
      let rows = try stored.graph.rows(from: number)
      let dead = stored.graph.end - rows.commits.count
      if dead > 0 { _ = try file.replace(with: rows) }
      return dead
    } catch {
      // A damaged index is built anew by the next question.
      return 0
    }
  }
}
