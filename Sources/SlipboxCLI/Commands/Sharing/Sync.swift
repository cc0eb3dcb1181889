import ArgumentParser
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

struct Sync: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Pull, merge and push.",
    discussion: """
      Commits changes by other programs, fetches, merges, and pushes. Notes are merged field by field and \
      line by line. If both sides changed the same field or lines, both versions are kept. Any git remote \
      works: a folder, user@host:path, https://... Add one with slip remote add; the first sync fills an \
      empty remote. slip uses your git, with your keys and credentials.

      The remote is the one that the branch follows, else origin. A sync pushes only if git push would, and \
      runs your pre-push hook. To publish a new branch, run git push -u once. A remote branch with rewritten \
      history, or one that would delete more than half of the notes, and more than five, is refused until you \
      confirm it.

      After a merge, the lists that slip bake writes into notes are brought up to date, unless the setting bake \
      is never.

      If git stopped in a merge, rebase, cherry-pick, revert or stash pop because of conflicts, slip sync merges \
      the notes and has git finish it. Your edits are kept, and so is the stash. Resolve conflicts in other files yourself. It asks \
      first; --yes answers yes, --dry-run shows the merged notes.

      Earlier commits keep the text of a note that was deleted, or encrypted later. To remove it, rewrite the history \
      with git filter-repo --invert-paths --path FILE, a separate tool; name each path that the note had. Publish it \
      with git push --force, before any slip sync. On each other device run slip sync --accept-rewrite. It keeps the \
      earlier commits there under refs/slipbox/kept/; git update-ref -d deletes these refs. A host may keep old \
      commits too: change passwords that were in the note.

      Examples:
        slip sync
        slip sync backup
        slip sync --status
      """)

  @Argument(
    help: ArgumentHelp(
      "The remote; by default the one that the branch follows, else origin.", valueName: "remote"))
  var remote: Word?

  @Flag(name: .option(.status), help: "Show the sync state without using the network.")
  var status = false

  @Flag(name: .option(.acceptRewrite), help: "Accept a remote branch with rewritten history.")
  var acceptRewrite = false

  @Flag(
    name: .option(.yes),
    help:
      "Accept losses, unrelated boxes and files outside the box, and finish a merge of git, without asking.")
  var yes = false

  @Flag(
    name: .option(.dryRun),
    help: "Show the merged notes of a stopped merge without writing anything.")
  var dryRun = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !(status && dryRun) else {
      throw ValidationError("--status can't be combined with --dry-run.")
    }
    guard !(status && (yes || acceptRewrite)) else {
      throw ValidationError("--status can't be combined with --yes or --accept-rewrite.")
    }
  }

  func run(in session: Session) throws {
    if dryRun {
      try StoppedOperation.show(json: json, session)
      return
    }
    if !status { _ = try StoppedOperation.finish(isAgreed: yes, json: json, session) }
    let snapshot = try session.openBox()
    if status {
      let status = try SyncStatus(of: snapshot, to: remote?.text)
      if json { return try session.console.print(bytes: status.json) }
      return try session.console.print(SyncLines.status(status, now: session.context.clock.now.seconds))
    }
    var request = SyncRequest()
    request.remote = remote?.text
    request.acceptsRewrite = acceptRewrite
    request.isAgreed = yes
    request.mayAsk = Terminal.isControlled
    request.takesLinkedFiles = { (size) throws(SlipboxError) in try CommitChanges.takesLinked(size, session) }
    request.baking = { (snapshot) throws(SlipboxError) in
      try BakingAnswers.baking(try BakeLists(in: snapshot).entries(), in: snapshot, from: snapshot)
    }
    request.sendsOutside = { (commits) throws(SlipboxError) in try Self.sends(commits, session) }
    let box = snapshot.box
    let sync = try BoxSync(box, session.context, request)
    var isDone = false
    defer {
      for refusal in isDone ? sync.result.refusals.dropLast() : sync.result.refusals[...] {
        session.console.complain("slip: \(refusal.reason.message)")
      }
    }
    let result = try session.showingProgress { try sync.run() }
    if json {
      try session.console.print(bytes: result.json(under: box.prefix))
    } else {
      try session.console.print(SyncLines.result(result, under: box.prefix, session.style))
    }
    let came = Set(result.came.map(\.change))
    if result.committedCount > 0 || came.contains(.new), !result.reportsSharedIDs {
      try session.saySharedIDs()
    }
    if came.contains(.moved) || came.isSuperset(of: [.new, .deleted]) { try session.sayWhatMovesBroke() }
    isDone = true
    // The exchange is done, but not with all that this box holds.
    if let refusal = result.refusals.last { throw refusal.reason }
  }

  /// Names the commits that touch files outside the box, and asks whether they may go too.
  private static func sends(_ commits: [OutsideCommit], _ session: Session) throws(SlipboxError) -> Bool {
    let (count, lines) = SyncLines.outside(commits)
    guard Terminal.isControlled else {
      throw SlipboxError(
        .usage,
        "files outside the box would be pushed too, by \(count); confirm this on a terminal, or add --yes",
        lines: lines + ["add --yes to push them too"])
    }
    for line in lines { session.console.complain("  \(line)") }
    return session.console.agrees(
      to: "Files outside the box would be pushed too, by \(count). Push them?") == true
  }
}
