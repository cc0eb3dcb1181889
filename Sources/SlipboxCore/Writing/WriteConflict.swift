import Bytes
import Git
import Notes
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
        SlipboxError(.notPermitted, "\(path) is outside the box (through a symbolic link)"))
    case .failed(let error): self = .refused(SlipboxError(error))
    }
  }

  /// The words for the user where nothing more is tried.
  var refusal: SlipboxError {
    switch self {
    case .changedMeanwhile(let path):
      SlipboxError(
        .busy, "\(path) keeps changing during the write", retry: "try again")
    case .heldOpen(let path): HeldFiles.refusal(path, program: nil)
    case .movedMeanwhile: SlipboxError(.busy, "the branch keeps changing", retry: "try again")
    case .unsettled:
      SlipboxError(.busy, "another git command is running in this repository", retry: "try again later")
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

/// Files that another program has open for writing while they are to be replaced.
///
/// Such a program goes on writing to the file that it opened, not to the new one of the same name. So it is waited for;
/// what it writes all the same, in the moment in which a file changes its name, is kept apart and named. See
/// Decisions/0016.
struct HeldFiles {
  /// How long programs are waited for in one command, in milliseconds.
  private static let timeoutMilliseconds = 5_000

  private let box: Box
  private let reporter: Reporter
  private var leftMilliseconds = HeldFiles.timeoutMilliseconds
  private var hasTold = false

  init(_ box: Box, _ reporter: Reporter) {
    self.box = box
    self.reporter = reporter
  }

  /// Waits until nobody has a file open for writing.
  /// - Throws: `.busy` where a program still has when the time is over.
  mutating func wait(for path: [UInt8]) throws(SlipboxError) {
    while leftMilliseconds > 0 {
      let step = hasTold ? leftMilliseconds : 500
      let start = Waiting.now()
      if box.folder.waitUntilClosed(path, milliseconds: step) {
        // Each wait costs something, so that a program that comes again and again is not waited for for ever.
        leftMilliseconds -= 1 + Int(Waiting.now() - start)
        return
      }
      leftMilliseconds -= step
      if !hasTold { reporter.warn("waiting for another program to finish writing \(path)") }
      hasTold = true
    }
    throw Self.refusal(path, program: ProcessTable.writer(of: box.absolutePath(path)))
  }

  /// The refusal of a change to a file that a program keeps open.
  static func refusal(_ path: [UInt8], program: [UInt8]?) -> SlipboxError {
    let name = program.map { " (\($0))" as Phrase } ?? ""
    return SlipboxError(
      .busy, "\(path) is open for writing in another program\(name)",
      hints: ["nothing was changed; save and close it there, then try again"])
  }
}

/// Files that are committed as they are while another program may be writing them.
///
/// Nothing is replaced, so nothing can be lost: programs are waited for only so that history holds no half of a text, and
/// not for long.
struct UnfinishedFiles {
  /// How long programs are waited for in one command, in milliseconds.
  private static let timeoutMilliseconds = 1_000

  private let box: Box
  private let reporter: Reporter
  private var leftMilliseconds = UnfinishedFiles.timeoutMilliseconds

  init(_ box: Box, _ reporter: Reporter) {
    self.box = box
    self.reporter = reporter
  }

  /// Waits until nobody has a file open for writing, as long as there is time.
  mutating func wait(for path: [UInt8]) {
    guard leftMilliseconds > 0 else { return }
    let start = Waiting.now()
    let isClosed = box.folder.waitUntilClosed(path, milliseconds: leftMilliseconds)
    leftMilliseconds -= Int(Waiting.now() - start)
    guard !isClosed else { return }
    let program = ProcessTable.writer(of: box.absolutePath(path)).map { " (\($0))" as Phrase } ?? ""
    reporter.warnOnce(
      "\(path) is open for writing in another program\(program); it is committed in its present state"
    )
  }
}

extension Box {
  /// Gives the replaced files that another program wrote to, or may still write to, a place in the state folder, and
  /// names them.
  ///
  /// A file is moved, not copied: what the program writes later arrives in it too.
  func rescueKeptFiles(_ context: CommandContext) {
    let seconds = context.clock.now.seconds
    for kept in folder.kept.takeAll() {
      let name = BytePath.name(of: kept.path)
      let target = BytePath.join(privateFolder, Array("recovered/\(seconds)-".utf8) + name)
      let place = move(kept.temporary, to: target) ?? absolutePath(kept.temporary)
      context.reporter.warn(
        "\(kept.path) was written by another program while slip replaced it; "
          + "the other version is kept at \(place)")
    }
  }

  /// Moves a file to a name that is free; nil where that is not possible, as to another file system.
  private func move(_ path: [UInt8], to target: [UInt8]) -> [UInt8]? {
    guard (try? Files.makeDirectory(BytePath.folder(of: target))) != nil else { return nil }
    for number in 0..<1_000 {
      let free = number == 0 ? target : target + Array(".\(number)".utf8)
      do throws(SystemError) {
        try Files.link(absolutePath(path), as: free)
        // Two names of one file do no harm.
        try? Files.remove(absolutePath(path))
        return free
      } catch {
        guard error.isOccupied else { return nil }
      }
    }
    return nil
  }
}
