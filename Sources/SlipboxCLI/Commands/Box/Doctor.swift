import ArgumentParser
import Presentation
import SlipboxCore
import Text

struct Doctor: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find what is not as it should be, and mend what can be mended.",
    discussion: """
      Looks at front-matter, at records and their kinds, references, links, attachments, ids, dates, the names of \
      files, copies of sync programs, git's objects and locks, and what an interrupted program left. Each finding says \
      what --fix would do, in one commit, or that a person has to. --fix --dry-run shows that commit as a patch.

      --fix=WHAT mends one thing alone: kinds (values that were surely meant otherwise), duplicates (the later of \
      two notes with one id gets a new one), references (those to nothing are taken out, which plain --fix does \
      only where the kind says detach), copies (those that hold nothing else than their file), temporaries, driver (the \
      merge of notes in this clone) and ids (notes without an id get one, which plain --fix never does).

      Exits with 65 where something is found, or left after --fix.

      Examples:
        slip doctor
        slip doctor --fix
        slip doctor --fix --dry-run
        slip doctor --fix=ids
        slip doctor --explain
        slip doctor --json
        slip doctor --as-of 2026-11-01
      """)

  @Option(
    name: .option(.fix), help: ArgumentHelp("Mend what can be mended, or only WHAT.", valueName: "what"))
  var fix: String?

  @Flag(name: .option(.dryRun), help: "Print what --fix would change as a patch, and change nothing.")
  var dryRun = false

  @Flag(name: .option(.explain), help: "Say what each check looks for and what --fix does about it.")
  var explain = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var past: PastOptions

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  /// `--fix` alone means all that can be mended.
  static let bareFix = OptionName.fix.typed
  static let fixAll = "\(bareFix)=all"

  func validate() throws {
    guard !dryRun || fix != nil else { throw ValidationError("--dry-run goes with --fix.") }
    guard !explain || (fix == nil && !json) else { throw ValidationError("--explain goes alone.") }
    guard past.asOf == nil || (fix == nil && !explain) else {
      throw ValidationError(
        "\(OptionName.asOf.typed) goes with the findings alone: the past can't be mended.")
    }
  }

  func run(in session: Session) throws {
    if explain {
      return try session.console.print(Finding.Rule.allCases.flatMap { $0.lines(session.style) })
    }
    let scope = try fix.map { value throws(SlipboxError) in try RepairScope(value) }
    let snapshot = try session.openBox(past, isLenient: true)
    if let scope, dryRun { return try printPatch(scope, snapshot, session) }
    let findings: [Finding]
    if let scope {
      let (recorded, mended, left) = try session.showingProgress {
        try session.writer(after: snapshot).repair(scope, in: snapshot, reason: reason.text)
      }
      // The merge driver is none of the box's files, and setting it up is said.
      if scope != .only(.driver) {
        for line in Self.lines(mended) { session.say(line) }
        session.say(Self.sentence(recorded.changes.count))
      }
      findings = left
    } else {
      findings = try snapshot.findings()
      try snapshot.refuseUnreadTexts()
    }
    if let skipped = snapshot.box.skippedByCommit, past.asOf == nil { session.say(skipped) }
    if json {
      try session.console.print(bytes: Finding.json(findings))
    } else {
      try session.console.print(findings.flatMap { $0.lines(session.style) })
    }
    if findings.isEmpty {
      if scope == nil { session.say("no problems") }
    } else {
      if let summary = Self.summary(findings) { session.say(summary) }
      throw EarlyExit(code: SlipboxError.Kind.badData.exitCode)
    }
  }

  /// Prints what would be mended; what is no file of the box is named.
  private func printPatch(_ scope: RepairScope, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let (plan, others) = try session.writer(after: snapshot).repairPlan(scope, in: snapshot)
    try Changes.printPatch(plan, snapshot, session)
    for line in others.flatMap({ $0.lines(session.style) }) { session.say(line) }
  }

  /// What was mended, one line each; of many the first ones.
  private static func lines(_ mended: [Finding]) -> [String] {
    let shown = mended.prefix(20).map { "\(Visible.escape($0.path)): \($0.message): \($0.remedy)" }
    return shown + (mended.count > 20 ? ["and \(mended.count - 20) more"] : [])
  }

  /// How many findings there are of each check, the most first, where they do not fit on a screen.
  private static func summary(_ findings: [Finding]) -> String? {
    guard findings.count > 10 else { return nil }
    let counts = Dictionary(grouping: findings, by: \.rule).mapValues(\.count)
    let parts = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    return "\(findings.count) findings: "
      + parts.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
  }

  private static func sentence(_ count: Int) -> String {
    count == 0 ? "nothing to mend" : "mended \(Count.notes(count))"
  }
}
