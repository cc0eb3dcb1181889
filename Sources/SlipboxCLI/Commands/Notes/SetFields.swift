import ArgumentParser
import Notes
import SlipboxCore

struct SetFields: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change fields, tags or the body of notes.",
    discussion: """
      REFs first, then CHANGEs: field:value, field: (empty clears), field:+x and field:-x for lists, +tag, -tag. Only \
      the lines of that field change; comments, order and quotes stay.

      Examples:
        slip set kqzmvtrp status:done +later
        slip set "Fermentation basics" -food rating:4
        slip set --where +inbox +sorted -inbox --yes
        slip set kqzm due: --dry-run
      """)

  @Argument(help: ArgumentHelp("REFs, then CHANGEs.", valueName: "ref-or-change"))
  var words: [Word] = []

  @Option(
    name: .option(.body), parsing: .unconditional,
    help: ArgumentHelp("Replace the text; - reads it from standard input.", valueName: "text"))
  var body: Word?

  @Flag(name: .option(.inline), help: "Let -tag drop the # of a tag in the text.")
  var inline = false

  @Flag(name: .option(.giveID), help: "Give notes that have no id one.")
  var giveId = false

  @Flag(name: .option(.newField), help: "Write a new field although its name is almost that of a known one.")
  var newField = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let (references, changes) = try Changes.split(words.texts, targets.selection, in: snapshot)
    guard !changes.isEmpty || body != nil || giveId else {
      let meant = MisreadChange(pairIn: references, fields: MisreadChange.fields(of: snapshot))
      throw SlipboxError(
        .usage, "what should change?", hints: [meant?.hint ?? "slip set REF field:value +tag -tag"])
    }
    let (entries, areNamed) = try targets.entries(references, in: snapshot, session)
    let newBody = try body.map { $0.text == "-" ? try session.console.readInput() : Self.line($0.bytes) }
    let plan = try snapshot.changing(
      entries, changes, body: newBody, droppingInlineTags: inline,
      givingIDs: giveId ? session.context.ids : nil, allowingNewFields: newField,
      reason: targets.reason.text)
    do {
      try Changes.carryOut(plan, on: entries, areNamed: areNamed, targets, snapshot, session)
    } catch let error as SlipboxError where newBody != nil {
      throw snapshot.box.keeping(newBody ?? [], name: "body", at: snapshot.clock.now, error)
    }
  }

  /// A body that was typed as an argument ends in a line end, as a file does.
  private static func line(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
  }
}
