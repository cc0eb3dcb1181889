import Platform
import Presentation
import SlipboxCore
import Text

/// Finishes a merge, a rebase, a cherry-pick or a revert in which git stopped at conflicts.
enum StoppedOperation {
  /// Merges the notes at which git stopped, and has git finish the operation.
  ///
  /// Without agreement it asks on a terminal.
  /// - Returns: whether git had stopped and the notes were merged.
  /// - Throws: `.busy` without agreement and without a terminal; if files stay in conflict, with these files; if a
  ///   rebase stopped again.
  static func finish(isAgreed: Bool, json: Bool = false, _ session: Session) throws -> Bool {
    // The settings may have a conflict themselves.
    let box = try session.openBox(isLenient: true).box
    let writer = BoxWriter(box, session.context)
    guard let notes = try writer.stoppedNotes() else { return false }
    if !isAgreed {
      guard Terminal.isControlled else {
        try writer.refuseOperationUnderWay()
        if let refusal = StoppedLines.refusal(beside: notes, in: box) { throw refusal }
        return false
      }
      session.say(StoppedLines.plan(notes, under: box.prefix))
      try session.confirm(StoppedLines.question(notes))
    }
    let done = try session.showingProgress { try writer.finishStopped() }
    let lines = StoppedLines.done(done, under: box.prefix)
    if json { session.say(lines) } else { try session.console.print(lines) }
    if let refusal = StoppedLines.refusal(done) { throw refusal }
    let after = try session.openBox()
    session.sayConflicts(try after.matches(try after.query(["is:conflicted"])).count)
    return true
  }

  /// The refusal after a command such as `git merge --squash` or `git cherry-pick --no-commit`: git notes no operation.
  static func refusal(ofConflictIn path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .busy, "files are in conflict, such as \(path), which slip does not finish",
      hints: ["edit the files, then run: git add FILE...; \(slip: "status") shows how to go on"])
  }

  /// Shows how the notes at which git stopped would be merged.
  /// - Returns: whether git had stopped at notes.
  @discardableResult
  static func show(json: Bool = false, _ session: Session) throws -> Bool {
    let box = try session.openBox(isLenient: true).box
    guard let notes = try BoxWriter(box, session.context).stoppedNotes() else {
      if json {
        try session.console.print(bytes: StoppedNotes.noneJSON(operation: box.operationUnderWay))
        return false
      }
      var reason = box.operationUnderWay.map { "a \($0) is in progress, which slip does not finish" }
      if reason == nil, let path = box.unmergedPaths.first {
        reason = refusal(ofConflictIn: path).message.description
      }
      session.say(
        "nothing to finish: \(reason ?? "git did not stop; slip sync --status shows what a sync would do")")
      return false
    }
    if json {
      try session.console.print(bytes: notes.json(under: box.prefix))
    } else {
      try session.console.print(StoppedLines.plan(notes, under: box.prefix))
    }
    return true
  }
}
