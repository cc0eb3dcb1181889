import ArgumentParser
import Git
import Presentation
import SlipboxCore
import Text

struct Undo: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change of this device.",
    discussion: """
      Reverts the last operation of this device with a new commit; history is not rewritten. Run it again to \
      undo earlier operations. slip redo reverses an undo. Operations are found by their ids, so undo works \
      after push, pull and rebase too.

      Only --op reverts operations of other devices, merges, and commits that slip made of edits by other \
      programs. \
      Without --op these are skipped. Commits by git are skipped and named; use git revert for them.

      If later work changed the same fields or lines, nothing is changed and that work is listed. --partial \
      leaves these notes as they are and reverts the rest; if nothing is left to revert, it continues with \
      the operation before.

      In --list, next marks the operation that slip undo reverts, redo marks the operation that slip redo \
      restores, and undone marks operations that are reverted already.

      Examples:
        slip undo
        slip undo --list
        slip undo --op kqzmvtrp --dry-run
      """)

  @Option(
    name: .option(.op), parsing: .unconditional,
    help: ArgumentHelp("The operation to undo: its id, or the first characters of it.", valueName: "id"))
  var operation: Word?

  @Flag(name: .option(.list), help: "List the operations, newest first.")
  var list = false

  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("With --list: the maximum number; 20 by default.", valueName: "n"))
  var limit: Int?

  @Flag(name: .option(.json), help: "With --list: as JSON, one operation per line.")
  var json = false

  @OptionGroup var options: ReversalOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard list || (limit == nil && !json) else {
      throw ValidationError("--limit and --json need --list.")
    }
    guard limit ?? 0 >= 0 else { throw ValidationError("--limit takes a number from 0.") }
    guard !(list && operation != nil) else { throw ValidationError("--list and --op can't be combined.") }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let operations = PastOperations(in: snapshot, on: snapshot.box.device(session.context))
    if list { return try listOperations(operations, session) }
    if let operation = operation?.text {
      let past = try operations.operation(named: operation)
      return try options.carryOut(past, isNamed: true, snapshot, session)
    }
    if let commit = try operations.squashedCommit() {
      session.say(
        "skipped a commit in which another program combined several operations: \(Visible.escape(commit.subject)); "
          + "git revert \(commit.id.hex.prefix(8)) undoes it")
    }
    if let edit = try operations.passedEdit() {
      session.say(
        "skipped an edit by another program: \(Visible.escape(edit.operation.subject)); "
          + "slip undo --op \(edit.shownID) undoes it")
    }
    try Self.gitCommits(operations).map { session.say($0) }
    let undone = try operations.undoNext { past -> Bool? in
      if try options.takesBack(past, snapshot, session) { return true }
      let reason = options.partial ? "" : ", because nothing would change"
      session.say("skipped\(reason): \(Visible.escape(past.operation.subject))")
      return nil
    }
    guard undone == nil else { return }
    throw SlipboxError(
      .notFound, "nothing to undo: this device has no operation left in this history",
      hints: ["slip undo --list shows all; --op ID undoes an operation of another device"])
  }

  /// The most commits of git that are named.
  private static let mostNamed = 3

  /// Names the commits of git after the last operation of the device; nil without such commits.
  private static func gitCommits(_ operations: PastOperations) throws -> String? {
    let commits = try operations.commitsByGit(limit: mostNamed + 1)
    guard let latest = commits.first else { return nil }
    if commits.count == 1 {
      return "skipped a later commit by git: \(Visible.escape(latest.subject)); "
        + "git revert \(latest.id.hex.prefix(8)) undoes it"
    }
    let named = commits.prefix(mostNamed).map { "\($0.id.hex.prefix(8)) \(Visible.escape($0.subject))" }
    return "skipped later commits by git: \(named.joined(separator: ", "))"
      + (commits.count > mostNamed ? " and earlier ones" : "") + "; git revert COMMIT undoes one"
  }

  private func listOperations(_ operations: PastOperations, _ session: Session) throws {
    var listed: [PastOperation] = []
    let most = limit ?? 20
    if most > 0 {
      try operations.visit { past in
        listed.append(past)
        return listed.count < most
      }
    }
    if json {
      for past in listed { session.console.write(past.json) }
      return try session.console.flush()
    }
    if listed.isEmpty, most > 0 { session.say("this history has no operation yet") }
    try session.page(OperationLines(session.display).lines(listed))
  }
}

struct Redo: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Reverse the last undo.",
    discussion: """
      Run it again to reverse earlier undos. After a new change, earlier undos can't be reversed.

      Examples:
        slip redo
        slip redo --dry-run
      """)

  @OptionGroup var options: ReversalOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let operations = PastOperations(in: snapshot, on: snapshot.box.device(session.context))
    guard let past = try operations.nextRedo() else {
      throw SlipboxError(
        .notFound, "nothing to redo: no undo since the last change of this device",
        hints: ["slip undo --list shows operations and undos"])
    }
    try options.carryOut(past, isNamed: false, snapshot, session)
  }
}

/// The common options of undo and redo.
struct ReversalOptions: ParsableArguments {
  @Flag(
    name: .option(.partial), help: "Skip notes with later changes, and change the rest.")
  var partial = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @Flag(name: .option(.yes), help: "Don't ask before text leaves an encrypted folder.")
  var yes = false

  @OptionGroup var reason: ReasonOption

  /// Undoes an operation, or redoes an undone one, and reports it.
  /// - Parameter isNamed: whether the operation was named by its id.
  func carryOut(
    _ past: PastOperation, isNamed: Bool, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    if try takesBack(past, isNamed: isNamed, snapshot, session) { return }
    guard !partial else { return }
    session.say(
      past.commit.parents.count > 1
        ? "nothing to do: \(past.shownID) is a merge that changed no note itself"
        : "nothing to do: the changes of \(past.shownID) are already reversed")
  }

  /// As `carryOut`; answers false, with nothing done, if nothing has to change, or nothing can with `--partial`.
  func takesBack(
    _ past: PastOperation, isNamed: Bool = false, _ snapshot: BoxSnapshot, _ session: Session
  ) throws -> Bool {
    let undo = try session.showingProgress { try UndoOperation(in: snapshot).plan(past, reason: reason.text) }
    if !undo.conflicts.isEmpty {
      let refusal = UndoRefusal(past, undo, isNamed: isNamed, snapshot)
      guard partial else { throw try refusal.error() }
      session.say(refusal.left())
    }
    guard !undo.plan.edits.isEmpty else { return false }
    if dryRun {
      try Changes.printPatch(undo.plan, snapshot, session)
      return true
    }
    let plan = try Changes.confirmingExposure(undo.plan, yes: yes, session)
    let recorded = try session.showingProgress { try session.writer(after: snapshot).record(plan) }
    guard recorded.outcome != .unchanged else { return false }
    try Changes.report(recorded, isUndoable: false, session)
    if !session.console.errorsAreTerminal, let subject = recorded.subject {
      session.say(Visible.escape(subject))
    }
    return true
  }
}
