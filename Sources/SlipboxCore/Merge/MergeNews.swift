import Git

/// Whether two commits have anything to merge.
///
/// Devices that exchange the same work through several remotes make merges of the same commits, each its own. Such
/// commits have the same files, and differ only in merges. A merge of them would be one more that the other remotes do
/// not have, and so on without an end.
struct MergeNews<Store: MergeStore> {
  /// Commits that are read before the answer is that there is news.
  private static var most: Int { 200 }

  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Whether one of the commits has files that the other has not, or comes from a change that the other does not have.
  func isAny(between one: ObjectID, _ other: ObjectID) throws(SlipboxError) -> Bool {
    guard try store.differences(from: one, to: other).isEmpty else { return true }
    if try hasChange(one, missingIn: other) { return true }
    return try hasChange(other, missingIn: one)
  }

  /// Whether a commit that is no merge is in the history of a tip and not in that of another.
  private func hasChange(_ tip: ObjectID, missingIn other: ObjectID) throws(SlipboxError) -> Bool {
    var open = [tip]
    var seen = Set(open)
    while let commit = open.popLast() {
      if try store.bases(of: commit, and: other) == [commit] { continue }
      let parents = try store.commit(commit).parents
      guard parents.count > 1, seen.count <= Self.most else { return true }
      for parent in parents where seen.insert(parent).inserted { open.append(parent) }
    }
    return false
  }
}
