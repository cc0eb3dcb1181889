import ArgumentParser
import Presentation
import SlipboxCore

struct Doctor: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find what is not as it should be, and mend what can be mended.",
    discussion: """
      Looks at front-matter, at records and their kinds, references, links, ids, dates, the names of files and what an \
      interrupted program left. Each finding says what --fix would do, in one commit, or that a person has to.

      --fix=WHAT mends one thing alone: kinds (values that were surely meant otherwise), duplicates (the later of \
      two notes with one id gets a new one), references (those to nothing are taken out, which plain --fix does \
      only where the kind says detach) and ids (notes without an id get one, which plain --fix never does).

      Exits with 65 where something is found, or left after --fix.

      Examples:
        slip doctor
        slip doctor --fix
        slip doctor --fix=ids
        slip doctor --explain
        slip doctor --json
        slip doctor --as-of 2026-11-01
      """)

  @Option(
    name: .option(.fix), help: ArgumentHelp("Mend what can be mended, or only WHAT.", valueName: "what"))
  var fix: String?

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
    let snapshot = try session.openBox(past)
    let findings: [Finding]
    if let scope {
      let (recorded, left) = try session.showingProgress {
        try session.writer(after: snapshot).repair(scope, in: snapshot, reason: reason.text)
      }
      session.say(Self.sentence(recorded.changes.count))
      findings = left
    } else {
      findings = try snapshot.findings()
      try snapshot.refuseUnreadTexts()
    }
    if json {
      try session.console.print(bytes: Finding.json(findings))
    } else {
      try session.console.print(findings.flatMap { $0.lines(session.style) })
    }
    if findings.isEmpty {
      if scope == nil { session.say("no problems") }
    } else {
      throw EarlyExit(code: SlipboxError.Kind.badData.exitCode)
    }
  }

  private static func sentence(_ count: Int) -> String {
    count == 0 ? "nothing to mend" : "mended \(Count.notes(count))"
  }
}
