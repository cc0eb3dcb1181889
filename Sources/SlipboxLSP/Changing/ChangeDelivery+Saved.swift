import NoteIndex
import SlipboxCore

/// Commits of what is on disk.
extension ChangeDelivery {
  /// Makes a note, of which there is no file yet.
  func write(_ plan: Plan) throws(SlipboxError) -> CommitResult {
    try BoxWriter(view.saved.box, box.context(), after: view.saved).record(plan)
  }

  /// Commits saved files as `slip commit` does.
  ///
  /// - Parameter paths: the files; nil for all that differ from the last commit, without large ones that notes link to.
  /// - Returns: nil where nothing differs.
  func commitSaved(_ paths: [[UInt8]]?) throws(SlipboxError) -> CommitResult? {
    try BoxSnapshot.refuseConflicted(try view.saved.outsideChanges())
    let chosen =
      if let paths { paths } else {
        try view.saved.uncommittedPaths { (size) throws(SlipboxError) in
          request.client.show(
            .info, "files of \(size >> 20) MB that notes link to are not committed: run slip commit")
          return false
        }
      }
    let files = try UncommittedFiles(chosen, in: view.saved.box)
    guard !files.paths.isEmpty else {
      if let refusal = files.refusals.first?.reason { throw refusal }
      return nil
    }
    let result = try BoxWriter(view.saved.box, box.context(), after: view.saved).commitAsFound(files.paths)
    note(result)
    return result
  }
}
