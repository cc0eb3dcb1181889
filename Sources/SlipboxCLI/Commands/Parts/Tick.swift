import ArgumentParser
import NoteIndex
import SlipboxCore

struct Tick: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "tick", abstract: "Tick check boxes of a note.",
    discussion: """
      The box is named by its line, or by words of its text. Without either, it is the only open box of the \
      note. One byte of the file changes. If the text has dates in the form of one of Obsidian's plug-ins, \
      the date of completion is added in that form.

      Examples:
        slip tick kqzmvtrp:12
        slip tick "Garden plan" "order seeds"
        slip tick "Garden plan#March"
        slip tick kqzmvtrp:12-20
      """)

  @Argument(help: ArgumentHelp("The note, or a part of it.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("Words of the text beside the box.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    try BoxTicking(reference, words, isDone: true, dryRun: dryRun, reason: reason.text).run(in: session)
  }
}

struct Untick: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "untick", abstract: "Clear check boxes of a note.",
    discussion: """
      The box is named as for slip tick.

      Examples:
        slip untick kqzmvtrp:12
        slip untick "Garden plan" "order seeds"
      """)

  @Argument(help: ArgumentHelp("The note, or a part of it.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("Words of the text beside the box.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    try BoxTicking(reference, words, isDone: false, dryRun: dryRun, reason: reason.text).run(in: session)
  }
}

/// What `tick` and `untick` do.
private struct BoxTicking {
  private let reference: String
  private let words: String
  private let isDone: Bool
  private let dryRun: Bool
  private let reason: String?

  init(_ reference: Word, _ words: [Word], isDone: Bool, dryRun: Bool, reason: String?) {
    self.reference = reference.text
    self.words = words.texts.joined(separator: " ")
    (self.isDone, self.dryRun, self.reason) = (isDone, dryRun, reason)
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let named = try snapshot.namedPart(reference, fuzzy: false)
    let plan = try snapshot.ticking(named, words: words, isDone: isDone, reason: reason)
    if dryRun { return try Changes.printPatch(plan, snapshot, session) }
    let recorded = try session.writer(after: snapshot).record(plan)
    try Changes.report(recorded, naming: [named.entry.note], session)
  }
}
