import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore
import Text

struct Promote: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote", abstract: "Make a record of a check box, and leave a link.",
    discussion: """
      The box is named as for slip tick. Its text becomes the title of a new task, its tags become the tags, \
      and its dates, priority and recurrence in the form of Obsidian Tasks or Dataview become fields, if the \
      kind has them. The line keeps its mark and becomes a link: - [ ] [[Title]]. The id \
      of the record is printed. The record has the flags private, draft and publish: false of the note, and \
      a message names them. slip undo reverses both changes.

      The name of a kind after the box creates a record of that kind. CHANGEs (field:value, +tag) come last. \
      The record uses the template with the name of its kind, if there is one.

      Examples:
        slip promote kqzmvtrp:12
        slip promote "Garden plan" "order seeds" priority:high
        slip promote kqzmvtrp:12 issue +garden
        slip promote "Garden plan#March" --dry-run
      """)

  @Argument(help: ArgumentHelp("The note, or a part of it.", valueName: "ref"))
  var reference: Word

  @Argument(
    help: ArgumentHelp("Words of the text beside the box, then the kind, then CHANGEs.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.newField), help: "Allow a new field with a name that resembles a known one.")
  var newField = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let names = try session.expandingInput([reference.text], nulSeparated: false)
    guard !names.isEmpty else {
      throw SlipboxError.emptyInput("slip promote REF; slip list QUERY | slip promote -")
    }
    // Nothing is written unless all can be: each is recorded by itself.
    if names.count > 1 {
      let snapshot = try session.openBox()
      for name in names { _ = try promotion(of: name, snapshot, session) }
    }
    for name in names {
      let snapshot = try session.openBox()
      let result = try promotion(of: name, snapshot, session)
      if dryRun {
        try Changes.printPatch(result.plan, snapshot, session)
        continue
      }
      try Changes.record(result.plan, in: snapshot, session)
      try session.console.print(verbatim: result.note.name + [UInt8(ascii: "\n")])
    }
  }

  /// The record of one note's box and the plan that makes it.
  private func promotion(
    of name: String, _ snapshot: BoxSnapshot, _ session: Session
  ) throws -> SplitNote.Result {
    let named = try TickBoxes(in: snapshot).namedBoxes(name)
    let start = words.firstIndex { !$0.isLiteral && Change($0.text) != nil } ?? words.count
    var texts = words[..<start].map(\.text)
    let changes = try Changes.parse(words[start...].map(\.text))
    var kind = "task"
    let schema = snapshot.schema()
    let names = schema.kinds.map(\.name) + schema.faults.map(\.kind)
    let last = texts.last
    if let last, let name = names.first(where: { $0 == last }) ?? names.first(where: last.isSameName) {
      kind = name
      texts.removeLast()
    }
    let draft = Draft(
      kind: kind, title: "", changes: changes, start: try Templates(in: snapshot).template(ofKind: kind),
      allowsNewFields: newField)
    do throws(SlipboxError) {
      return try PromoteBox(in: snapshot).result(
        named, words: texts.joined(separator: " "), to: draft, ids: session.context.ids, reason: reason.text)
    } catch {
      guard error.kind == .notFound, let last = texts.last,
        let near = Spelling.nearest(to: last, among: names)
      else { throw error }
      let hint: Phrase = "if \(Visible.escape(last)) is the kind, did you mean: \(near)"
      throw SlipboxError(error.kind, error.message, hints: [hint] + error.hints)
    }
  }
}
