import Notes
import Text

extension BoxWriter {
  /// Commits the files at some paths as they are on disk when git writes none of them.
  ///
  /// - Parameters:
  ///   - savesAlways: whether the operation is remembered where it can't be committed now.
  ///   - preparing: done before each look at the files.
  /// - Throws: as `record(_:)`.
  package func commitAsFound(
    _ paths: [[UInt8]], command: String = "commit", subject: String? = nil, reason: String? = nil,
    savesAlways: Bool = false, preparing: () throws(SlipboxError) -> Void = {}
  ) throws(SlipboxError) -> CommitResult {
    try recordAsFound(paths, savesAlways: savesAlways, preparing: preparing) { changes in
      let subject = subject ?? Self.subject(of: changes)
      return CommitDraft(
        command: command, subject: subject, reason: reason, changes: changes, files: .asFound,
        face: context.face)
    }
  }

  private static func subject(of changes: [FileChange]) -> String {
    guard changes.count == 1, let change = changes.first else {
      return "Commit outside edits: \(changes.count) files"
    }
    let verb = change.before == nil ? "Add" : change.after == nil ? "Delete" : "Edit"
    for (folder, what) in [(".slipbox/templates/", "template"), (".slipbox/kinds/", "kind")]
    where change.path.starts(with: folder.utf8) {
      let name = change.path.dropFirst(folder.utf8.count)
      return "\(verb) \(what) \(Visible.escape(Array(name.prefix { $0 != UInt8(ascii: ".") })))"
    }
    let isNote = FileName.isNote(change.path)
    return "\(verb): \(isNote ? Plan.described(changes) : Visible.escape(change.path))"
  }
}
