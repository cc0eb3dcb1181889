import Bytes
package import Git
package import NoteIndex
import Notes

/// One commit of a log, with what its message tells of the operation.
package struct HistoryEntry {
  package let commit: Repository.Commit
  package let operation: Operation

  init(_ commit: Repository.Commit) {
    self.commit = commit
    operation = OperationTrailers.operation(of: commit)
  }
}

extension BoxSnapshot {
  /// Visits the commits of some notes, or of the whole box, newest first, until `visit` says stop.
  ///
  /// - Complexity: that of what is shown, for notes, once an index of history is kept.
  package func visitHistory(
    of entries: [Entry], limit: Int?, _ visit: (HistoryEntry) -> Bool
  ) throws(SlipboxError) {
    let tip: ObjectID?
    if case .commit(let id) = source { tip = id } else { tip = try box.tip() }
    guard let tip else { return }
    guard !entries.isEmpty else {
      let folder = box.prefix.isEmpty ? [] : [Array(box.prefix.dropLast())]
      return try box.git { repository throws(GitError) in
        try repository.history(from: tip, touching: folder, limit: limit) { visit(HistoryEntry($0)) }
      }
    }
    let paths = entries.map { box.repositoryPath($0.note.path) }
    let cache = BytePath.join(box.stateFolder, Array("history".utf8))
    try box.git { repository throws(GitError) in
      try repository.history(
        from: tip, touching: paths, limit: limit, under: box.prefix, cache: cache,
        progress: { [reporter] in reporter.report(.reading, $0, of: $1) }
      ) { visit(HistoryEntry($0)) }
    }
  }
}

extension BoxSnapshot {
  /// Whether the history is cut: the commits at the cut have parents that are not here.
  package var isShallow: Bool { box.withRepository { $0.isShallow } }
}
