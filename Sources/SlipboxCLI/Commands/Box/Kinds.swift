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
      built-in \
      kind or extend one (extends: task).

      match: is a query for notes without a kind of their own that count as this one, active: one for \
      records that \
      are still of concern, waiting: one for those of them that are put off, which is:active leaves out, \
      key: the field by which references name a record, sort: the order of lists.

      A field is NAME: TYPE or NAME: {type: TYPE, ...}; types are text, integer, boolean, date, moment, \
      choice, tags, \
      reference, recurrence (weekly, 3d, or +2w from the day it is done), and list of one of these:

        values: [low, high]      the choices, from low to high
        to: KIND                 what a reference names
        on-delete: RULE          deny, detach or cascade when that is deleted
        blocking: true           what a reference names blocks the record while open
        required, not-empty      true the value is required
        default, min, max        the value of a missing field, the range
        looks: back              friday is the last one, 3d is three days ago
        commas: true             a list is written as a, b

      Examples of rules: constraints ("started <= completed"), transitions and actions are those of slip \
      kinds book; \
      next: in a transition of slip kinds task makes the next record of one that recurs: by: the field that \
      says how \
      often, move: the dates that move, until: the field with the last day, clear: fields that stay behind. \
      urgency: is \
      a list of queries, each with its weight; sort:-urgency sorts by the sum. A row's signs and its \
      only: take \
      states too, such as is:waiting.

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
    if let name { try snapshot.refuseFaultyKind(name.text) }
    for path in snapshot.unreadKindFiles() {
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
