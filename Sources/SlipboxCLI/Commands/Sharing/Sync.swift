import ArgumentParser
import Notes
import Platform
import Presentation
import SlipboxCore

struct Sync: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Exchange commits with another place, and merge what both changed.",
    discussion: """
      Commits what other programs changed, fetches what is new there, merges it, and sends what is new here. Notes are \
      merged field by field and line by line; where both sides changed the same, both versions are kept. Any remote of \
      git's will do: a folder, user@host:path, https://... slip remote add names one; the first sync to an empty one \
      fills it. Your own git does the work, with your keys and passwords.

      The remote is the one that the branch follows, else origin. A sync pushes only where git push would, and runs your \
      pre-push hook. To publish a new branch, run git push -u once. A branch there that was rewritten, or that would take \
      more than half of the notes away, is refused until you say so.

      Examples:
        slip sync
        slip sync backup
        slip sync --status
      """)

  @Argument(help: ArgumentHelp("The remote, where it is not the usual one.", valueName: "remote"))
  var remote: Word?

  @Flag(name: .option(.status), help: "Only say how the box stands, without the network.")
  var status = false

  @Flag(name: .option(.acceptRewrite), help: "Take a branch whose history was rewritten there.")
  var acceptRewrite = false

  @Flag(name: .option(.yes), help: "Go on without asking: losses, other boxes, files outside the box.")
  var yes = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !(status && (yes || acceptRewrite)) else {
      throw ValidationError("--status changes nothing, so it takes neither --yes nor --accept-rewrite.")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    if status {
      let status = try snapshot.syncStatus(remote?.text)
      if json { return try session.console.print(bytes: status.json) }
      return try session.console.print(SyncLines.status(status, now: session.context.clock.now.seconds))
    }
    var request = SyncRequest()
    request.remote = remote?.text
    request.acceptsRewrite = acceptRewrite
    request.isAgreed = yes
    request.mayAsk = Terminal.isControlled
    request.takesLinkedFiles = { (size) throws(SlipboxError) in try Commit.takesLinked(size, session) }
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
    isDone = true
    // The exchange is done, but not with all that this box holds.
    if let refusal = result.refusals.last { throw refusal.reason }
  }

  /// Names the commits that touch files outside the box, and asks whether they may go too.
  private static func sends(_ commits: [OutsideCommit], _ session: Session) throws(SlipboxError) -> Bool {
    let (count, lines) = SyncLines.outside(commits)
    guard Terminal.isControlled else {
      throw SlipboxError(
        .usage, "files outside the box would be sent too, by \(count), and there is no terminal to ask on",
        hints: lines + ["add --yes to send them too"])
    }
    for line in lines { session.console.complain("  \(line)") }
    let answer = session.console.ask(
      "Files outside the box would be sent too, by \(count). Send them? [y/N] ")
    return ["y", "yes"].contains(answer?.lowercased() ?? "")
  }
}
