import ArgumentParser
import NoteIndex
import SlipboxCore
import Text

struct Tick: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "tick", abstract: "Tick check boxes of a note.",
    discussion: """
      The box is named by its line, or by words of its text, or how they begin. Without either, it is \
      the only open box of the note. One byte of the file changes. If the text has dates in the form of one of Obsidian's plug-ins, \
      the date of completion is added in that form. A box that recurs by a simple rule, such as 🔁 every week, \
      gets an open line with its next dates above it. Several REFs may name several lines. @1 is the first box of the \
      last list of slip todos in this terminal.

      Examples:
        slip tick kqzmvtrp:12
        slip tick "Garden plan" "order seeds"
        slip tick "Garden plan#March"
        slip tick kqzmvtrp:12-20
        slip tick kqzmvtrp:12 kqzmvtrp:15
      """)

  @OptionGroup var boxes: BoxesOption
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    try boxes.tick(true, in: session)
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

  @OptionGroup var boxes: BoxesOption
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    try boxes.tick(false, in: session)
  }
}

/// The check boxes of a command, and their new state.
struct BoxesOption: ParsableArguments {
  @Argument(help: ArgumentHelp("The note, or a part of it.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("Words of the text beside the box, or how they begin.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  /// Ticks the boxes, or clears them.
  func tick(_ isDone: Bool, in session: Session) throws {
    let snapshot = try session.openBox()
    var names = try session.expandingInput([reference.text], nulSeparated: false)
    guard !names.isEmpty else {
      throw SlipboxError.emptyInput("slip tick REF; slip list QUERY | slip tick -")
    }
    var text = words.texts
    if !text.isEmpty, text.allSatisfy({ (try? NoteLookup(in: snapshot).part($0, fuzzy: false)) != nil }) {
      names += text
      text = []
    }
    let parts = try names.map { try TickBoxes(in: snapshot).namedBoxes($0) }
    let plans = try parts.map {
      try TickBoxes(in: snapshot).plan(
        $0, words: text.joined(separator: " "), isDone: isDone, reason: reason.text)
    }
    let plan = Plan.joined(plans) { "\(isDone ? "Tick" : "Untick") check boxes: \(Plan.described($0))" }
    if dryRun { return try Changes.printPatch(plan, snapshot, session) }
    let recorded = try session.writer(after: snapshot).record(plan)
    try Changes.report(recorded, naming: parts.map(\.entry.note), session)
  }
}
