package import Git
package import NoteIndex
import Notes

/// One commit of a log, with what slip recorded in it.
package struct HistoryEntry {
  package let commit: Repository.Commit

  /// The id of the operation, where slip made the commit.
  package var operation: String? { commit.trailer("Slip-Operation") }
  /// The command, where slip made the commit.
  package var command: String? { commit.trailer("Slip-Command") }
  /// The recorded changes, a line each: ID FIELD OLD NEW.
  package var changes: [String] { commit.trailers.filter { $0.name == "Slip-Change" }.map(\.value) }
}

extension Repository.Commit {
  fileprivate func trailer(_ name: String) -> String? { trailers.first { $0.name == name }?.value }
}

extension Slipbox {
  /// Visits the commits of some notes, or of the whole box, newest first, until `visit` says stop.
  ///
  /// - Complexity: that of what is shown, for notes, once an index of history is kept.
  package func visitHistory(
    of entries: [Entry], limit: Int?, _ visit: (HistoryEntry) -> Bool
  ) throws(SlipboxError) {
    guard let tip = try tip() else { return }
    guard !entries.isEmpty else {
      let box = prefix.isEmpty ? [] : [Array(prefix.dropLast())]
      return try git { () throws(GitError) in
        try repository.history(from: tip, touching: box, limit: limit) { visit(HistoryEntry(commit: $0)) }
      }
    }
    let paths = entries.map { repositoryPath($0.note.path) }
    let cache = BytePath.join(stateFolder, Array("path-history".utf8))
    try git { () throws(GitError) in
      try repository.history(
        from: tip, touching: paths, limit: limit, cache: cache, progress: surroundings.reading
      ) { visit(HistoryEntry(commit: $0)) }
    }
  }
}
