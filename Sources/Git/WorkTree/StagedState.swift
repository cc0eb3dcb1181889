import Bytes
import Platform

/// The index as it stands to a commit, in what matters for a few paths.
package struct StagedState: Sendable {
  /// The first entry of each path that was asked for.
  package let entries: [[UInt8]: IndexEntry]
  /// Whether git wrote the index for another commit's tree as a whole, as it does just before it moves HEAD there.
  package let isOfOtherTree: Bool
  /// By this a later look tells whether the index was written again; nil where there is none.
  package let status: IndexStatus?
}

extension Repository {
  /// Reads what the index has for some paths.
  /// - Parameter commit: the commit whose tree the index may be of.
  package func stagedState(of paths: [[UInt8]], at commit: ObjectID?) throws(GitError) -> StagedState {
    guard let index = try IndexReading(indexPath), let file = index.file else {
      // One that is missing or damaged is built anew when it is changed.
      return StagedState(entries: [:], isOfOtherTree: false, status: nil)
    }
    var entries: [[UInt8]: IndexEntry] = [:]
    for path in paths {
      entries[path] = file.isPartial ? try indexEntry(path) : file.entries(of: path).first.map(file.entry)
    }
    var isOfOtherTree = false
    if let root = rootTree(of: file), let commit { isOfOtherTree = try read(commit).tree != root }
    return StagedState(entries: entries, isOfOtherTree: isOfOtherTree, status: IndexStatus(index.status))
  }

  /// The tree that the whole index was made of; nil where entries have changed since.
  private func rootTree(of file: IndexFile) -> ObjectID? {
    guard let part = file.extensions.first(where: { $0.signature == "TREE" }) else { return nil }
    return CacheTree.root(in: file.bytes, part.content)
  }
}
