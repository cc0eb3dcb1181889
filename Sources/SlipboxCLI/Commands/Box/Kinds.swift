import ArgumentParser
import Notes
import Presentation
import SlipboxCore
import Text

struct Kinds: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "kinds", abstract: "List the kinds of records, or show the declaration of one.",
    discussion: """
      A kind is a file .slipbox/kinds/NAME.yaml in the form that slip kinds NAME prints. It may replace a \
      built-in kind or extend one (extends: task).

      match:, active: and waiting: are queries. Notes without a kind that match match: count as records of \
      this kind. is:active lists the records that match active: but not waiting:. key: is the field by \
      which references name a record, and sort: is the order of lists.

      A field is NAME: TYPE or NAME: {type: TYPE, ...}; types are text, integer, boolean, date, moment, \
      choice, tags, \
      reference, recurrence (weekly, 3d, or +2w from the day it is done), and list of one of these:

        values: [low, high]      the choices, from low to high
        to: KIND                 the kind of the referenced record
        on-delete: RULE          deny, detach or cascade if that record is deleted
        blocking: true           while open, the referenced record blocks this one
        required, not-empty      true: the value is required
        default, min, max        the value of a missing field, the range
        looks: back              friday is the latest Friday, 3d is three days ago
        commas: true             a list is written as a, b

      slip kinds book has examples of constraints ("started <= completed"), transitions and actions. In \
      slip kinds task, a transition with next: creates the next record of a recurring one. by: is the \
      field with the recurrence, move: lists the dates to move, until: is the field with the last day, and \
      clear: lists the fields that are not copied. urgency: is a list of queries, each with its weight; \
      sort:-urgency sorts by the sum. In row:, as: and only: also accept states, such as is:waiting.

      Examples:
        slip kinds
        slip kinds task
        slip kinds --json
      """)

  @Argument(help: ArgumentHelp("Show the declaration of this kind.", valueName: "name"))
  var name: Word?

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var past: PastOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    if let name { try KindFiles(in: snapshot).refuseFault(of: name.text) }
    for path in KindFiles(in: snapshot).unread() {
      session.say("\(Visible.escape(path)) is ignored: the file name of a kind must end in .yaml")
    }
    let kinds = try chosen(snapshot.schema())
    if json { return try session.console.print(bytes: KindJSON.list(kinds)) }
    if name == nil {
      try session.console.print(KindLines.list(kinds, session.display))
    } else {
      try session.console.print(kinds.map(KindLines.declaration).joined())
    }
  }

  private func chosen(_ schema: Schema) throws -> [Kind] {
    guard let name else { return schema.kinds }
    if let kind = schema.kind(named: name.text) { return [kind] }
    let near = Spelling.nearest(to: name.text, among: schema.kinds.map(\.name))
    throw SlipboxError(
      .notFound, "there is no kind \(Visible.escape(name.text))",
      hints: [
        near.map { "did you mean: \($0)" }
          ?? "there are: \(schema.kinds.map { Visible.escape($0.name) }.joined(separator: ", "))"
      ])
  }
}
