import ArgumentParser
import Presentation
import SlipboxCore
import Text

struct Doctor: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find problems in the box and repair them.",
    discussion: """
      Checks front matter, records and their kinds, references, links, attachments, ids, dates, file names, \
      conflicted copies, lists in notes, git objects and locks, and temporary files of interrupted programs. \
      Each finding names the repair that --fix would make in one commit, or says that you must repair it \
      yourself. --fix --dry-run prints that commit as a patch.

      --fix=WHAT makes one kind of repair. kinds corrects obvious misspellings of values. duplicates gives a \
      new id to the later of two notes with the same id. references removes all dangling references; plain \
      --fix removes them only if the kind declares on-delete: detach. links rewrites links to files that \
      another program moved. copies deletes identical conflicted copies. temporaries deletes temporary \
      files. driver registers the merge driver in this clone. ids gives an id to notes without one. types \
      removes quotes from numbers, true and false in fields that no kind declares. Plain --fix includes \
      neither ids nor types.

      Exit code: 0 without findings, 65 if findings remain.

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
    name: .option(.fix), help: ArgumentHelp("Make all safe repairs, or only WHAT.", valueName: "what"))
  var fix: String?

  @Flag(name: .option(.dryRun), help: "Print the repairs as a patch without writing anything.")
  var dryRun = false

  @Flag(name: .option(.explain), help: "Explain each check and its repair.")
  var explain = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var past: PastOptions

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  /// `--fix` alone means all that can be repaired.
  static let bareFix = OptionName.fix.typed
  static let fixAll = "\(bareFix)=all"

  func validate() throws {
    guard !dryRun || fix != nil else { throw ValidationError("--dry-run needs --fix.") }
    guard !explain || (fix == nil && !json) else {
      throw ValidationError("--explain can't be combined with other options.")
    }
    guard past.asOf == nil || (fix == nil && !explain) else {
      throw ValidationError(
        "\(OptionName.asOf.typed) can't be combined with --fix or --explain.")
    }
  }

  func run(in session: Session) throws {
    if explain {
      return try session.console.print(Finding.Rule.allCases.flatMap { $0.lines(session.style) })
    }
    let scope = try fix.map { value throws(SlipboxError) in try RepairScope(value) }
    let snapshot = try session.openBox(past, isLenient: true)
    if let scope, dryRun { return try printPatch(scope, snapshot, session) }
    var findings: [Finding]
    if let scope {
      let (recorded, repaired, left) = try session.showingProgress {
        try session.writer(after: snapshot).repair(scope, in: snapshot, reason: reason.text)
      }
      // The merge driver is not a file of the box, and its setup prints a line of its own.
      if scope != .only(.driver) {
        for line in Self.lines(repaired) { session.say(line) }
        if !recorded.changes.isEmpty || repaired.isEmpty {
          session.say(Self.sentence(recorded.changes.count))
        }
      }
      findings = left
    } else {
      findings = try BoxCheck(in: snapshot).findings()
    }
    if scope == nil, past.asOf == nil {
      findings +=
        try BakingAnswers.baking(try BakeLists(in: snapshot).entries(), in: snapshot, from: snapshot).findings
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

  /// Prints the repairs as a patch; changes outside of the box's files are named.
  private func printPatch(_ scope: RepairScope, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let (plan, others) = try session.writer(after: snapshot).repairPlan(scope, in: snapshot)
    try Changes.printPatch(plan, snapshot, session)
    for line in others.flatMap({ $0.lines(session.style) }) { session.say(line) }
  }

  /// The repairs, one line each; of many the first ones.
  private static func lines(_ repaired: [Finding]) -> [String] {
    let shown = repaired.prefix(20).map { "\(Visible.escape($0.path)): \($0.message): \($0.remedy)" }
    return shown + (repaired.count > 20 ? ["and \(repaired.count - 20) more"] : [])
  }

  /// The number of findings by check, the most first, if they do not fit on a screen.
  private static func summary(_ findings: [Finding]) -> String? {
    guard findings.count > 10 else { return nil }
    let counts = Dictionary(grouping: findings, by: \.rule).mapValues(\.count)
    let parts = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    return "\(findings.count) findings: "
      + parts.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
  }

  private static func sentence(_ count: Int) -> String {
    count == 0 ? "nothing to repair" : "repaired \(Count.notes(count))"
  }
}
