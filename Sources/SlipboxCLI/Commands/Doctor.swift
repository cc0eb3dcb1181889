import ArgumentParser
import Rendering
import SlipboxCore
import Text

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find what is not as it should be, and mend what can be mended.",
    discussion: """
      Looks at front-matter, at records and their kinds, references, ids, dates, the names of files and what an \
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
      """)

  @Option(name: .long, help: ArgumentHelp("Mend what can be mended, or only WHAT.", valueName: "what"))
  var fix: String?

  @Flag(name: .long, help: "Say what each check looks for and what --fix does about it.")
  var explain = false

  @Flag(name: .long, help: "As JSON.")
  var json = false

  @Option(
    name: [.long, .customShort("m")], parsing: .unconditional,
    help: ArgumentHelp("Why, for the commit message.", valueName: "reason"))
  var message: Word?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !explain || (fix == nil && !json) else { throw ValidationError("--explain goes alone.") }
  }

  func run() throws {
    let session = Session(global)
    if explain { return try printChecks(session.style) }
    let scope = try fix.map { value throws(SlipboxError) in try RepairScope(value) }
    let box = try session.openBox()
    let findings: [Finding]
    if let scope {
      let (recorded, left) = try ProgressLine.showing(unlessQuiet: global.quiet) {
        try box.repair(scope, reason: message?.text)
      }
      session.say(Self.sentence(recorded.changes.count))
      findings = left
    } else {
      findings = try box.findings()
    }
    if json {
      try printJSON(findings)
    } else {
      try printLines(findings, session.style)
    }
    if findings.isEmpty {
      if scope == nil { session.say("no problems") }
    } else {
      throw Silent(code: ExitCodes.code(.badData))
    }
  }

  private static func sentence(_ count: Int) -> String {
    count == 0 ? "nothing to mend" : "mended \(Count.notes(count))"
  }

  private func printChecks(_ style: Style) throws {
    for rule in Finding.Rule.allCases {
      Console.write("\(style.bold(rule.rawValue)): \(rule.purpose)\n  \(style.dim(rule.treatment))\n")
    }
    try Console.flush()
  }

  private func printLines(_ findings: [Finding], _ style: Style) throws {
    for finding in findings {
      let place = [finding.line, finding.column].compactMap { $0 }.map { ":\($0)" }.joined()
      Console.write("\(style.bold(Visible.escape(finding.path) + place)): \(finding.message)\n")
      Console.write("  \(style.dim(finding.fix))\n")
    }
    try Console.flush()
  }

  private func printJSON(_ findings: [Finding]) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("schema")
    writer.integer(NoteJSON.schema)
    writer.key("findings")
    writer.beginArray()
    for finding in findings { finding.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    Console.write(writer.takeBytes())
    try Console.print("\n")
  }
}

extension Finding {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("path")
    writer.string(bytes: path)
    for (key, number) in [("line", line), ("column", column)] {
      guard let number else { continue }
      writer.key(key)
      writer.integer(number)
    }
    for (key, text) in [("rule", rule.rawValue), ("message", message), ("fix", fix)] {
      writer.key(key)
      writer.string(text)
    }
    writer.key("fixable")
    writer.boolean(way != .byHand)
    writer.endObject()
  }
}
