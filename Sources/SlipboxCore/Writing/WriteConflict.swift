import Git
import Platform
import Text

/// The reason why an attempt to write did not go through.
enum WriteConflict: Error {
  /// The file no longer held what had been read: work it out again.
  case changedMeanwhile([UInt8])
  /// Another program has the file open for writing: wait, then work it out again.
  case heldOpen([UInt8])
  /// The branch no longer stood where the commit was prepared for; nothing was written.
  case movedMeanwhile
  /// Git may be about to move HEAD; nothing was written.
  case unsettled
  /// A commit is not possible for now; nothing was written.
  case notNow(SlipboxError)
  /// The files are written, and what follows failed; the next command finishes it by the intent record.
  case begun(SlipboxError)
  case refused(SlipboxError)
  /// A hook of git's refused the commit; the files are as the draft has them.
  case hook(SlipboxError)

  init(_ error: ReplaceError, path: [UInt8]) {
    switch error {
    case .changed: self = .changedMeanwhile(path)
    case .held(let path): self = .heldOpen(path)
    case .leavesBox(let path):
      self = .refused(
        SlipboxError(.notPermitted, "\(Visible.escape(path)) is outside the box (through a symbolic link)"))
    case .failed(let error): self = .refused(SlipboxError(error))
    }
  }

  /// The words for the user where nothing more is tried.
  var refusal: SlipboxError {
    switch self {
    case .changedMeanwhile(let path):
      SlipboxError(
        .busy, "\(Visible.escape(path)) keeps changing during the write", hints: ["try again"])
    case .heldOpen(let path): HeldFiles.refusal(path, program: nil)
    case .movedMeanwhile: SlipboxError(.busy, "the branch keeps changing", hints: ["try again"])
    case .unsettled:
      SlipboxError(.busy, "another git command is running in this repository", hints: ["try again later"])
    case .begun(let error):
      SlipboxError(
        error.kind, error.message,
        hints: error.hints + ["the files are written; the next slip command commits them"])
    case .notNow(let error), .refused(let error), .hook(let error): error
    }
  }
}

/// Runs calls whose failures are final.
func refusing<Result>(_ body: () throws(SlipboxError) -> Result) throws(WriteConflict) -> Result {
  do throws(SlipboxError) { return try body() } catch { throw .refused(error) }
}

/// Runs calls whose failures mean that a commit is not possible for now.
func postponing(_ body: () throws(SlipboxError) -> Void) throws(WriteConflict) {
  do throws(SlipboxError) { try body() } catch { throw .notNow(error) }
}
