import ArgumentParser
import Notes
import Platform
import Rendering
import SlipboxCore
import Text

struct Kinds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kinds", abstract: "List the kinds of records, or show how one is declared.",
    discussion: """
      A kind is a file .slipbox/kinds/NAME.yaml in the form that slip kinds NAME prints. It may replace a built-in \
      kind or extend one (extends: task).

      match: is a query for notes without a kind of their own that count as this one, active: one for records that \
      are still of concern, key: the field by which references name a record, sort: the order of lists.

      A field is NAME: TYPE or NAME: {type: TYPE, ...}; types are text, integer, boolean, date, moment, choice, tags, \
      reference, and list of one of these:

        values: [low, high]      the choices, from low to high
        to: KIND                 what a reference names
        on-delete: RULE          deny, detach or cascade when that is deleted
        required, not-empty      true where a value has to be there
        default, min, max        what a missing value counts as, the range
        looks: back              friday is the last one, 3d is three days ago
        commas: true             a list is written as a, b

      Examples of rules: constraints ("started <= completed"), transitions and actions are those of slip kinds book.

      Examples:
        slip kinds
        slip kinds task
        slip kinds --json
      """)

  @Argument(help: ArgumentHelp("Only this kind, with all it says.", valueName: "name"))
  var name: Word?

  @Flag(name: .long, help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let schema = try session.openBox().schema()
    let kinds = try chosen(schema)
    if json { return try printJSON(kinds) }
    if name == nil {
      var table = Table(
        columns: [.init(paint: session.style.bold), .init(isFlexible: true)], style: session.style,
        width: session.width)
      for kind in kinds { table.add([kind.name, kind.comment ?? ""]) }
      for line in table.lines() { Console.write(line + "\n") }
    } else {
      for kind in kinds { Console.write(Visible.escape(kind.declaration, keepingLines: true)) }
    }
    try Console.flush()
  }

  private func chosen(_ schema: Schema) throws -> [Kind] {
    guard let name else { return schema.kinds }
    if let kind = schema.kind(named: name.text) { return [kind] }
    let near = Spelling.nearest(to: name.text, among: schema.kinds.map(\.name))
    throw SlipboxError(
      .notFound, "there is no kind \(Visible.escape(name.text))",
      hints: near.map { ["did you mean: \($0)"] } ?? [])
  }

  private func printJSON(_ kinds: [Kind]) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("schema")
    writer.integer(NoteJSON.schema)
    writer.key("kinds")
    writer.beginArray()
    for kind in kinds { kind.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    Console.write(writer.takeBytes())
    try Console.print("\n")
  }
}

extension Kind {
  /// The kind as an object: what programs need to offer its fields and actions.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in [
      ("name", name), ("comment", comment), ("active", active), ("match", match), ("key", key),
      ("sort", sort),
    ] {
      guard let value else { continue }
      writer.key(key)
      writer.string(value)
    }
    writer.key("fields")
    writer.beginArray()
    for field in fields { field.write(to: &writer) }
    writer.endArray()
    writer.key("actions")
    writer.beginObject()
    for action in actions {
      writer.key(action.name)
      writer.beginArray()
      for change in action.words { writer.string(change) }
      writer.endArray()
    }
    writer.endObject()
    writer.endObject()
  }
}

extension Field {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in [
      ("name", name), ("type", type.rawValue), ("default", defaultValue), ("target", target),
    ] {
      guard let value else { continue }
      writer.key(key)
      writer.string(value)
    }
    for (key, flag) in [("list", isList), ("required", isRequired)] where flag {
      writer.key(key)
      writer.boolean(true)
    }
    for (key, number) in [("minimum", minimum), ("maximum", maximum)] {
      guard let number else { continue }
      writer.key(key)
      writer.integer(number)
    }
    if !values.isEmpty {
      writer.key("values")
      writer.beginArray()
      for value in values { writer.string(value) }
      writer.endArray()
    }
    writer.endObject()
  }
}
