import ArgumentParser
import Presentation

/// The schema of JSON, in commands that print the fields of notes.
struct SchemaOption: ParsableArguments {
  @Option(
    name: .option(.schema), parsing: .unconditional,
    help: ArgumentHelp(
      "The schema of JSON; with 1, fields that no kind declares are strings.", valueName: "number"))
  var schema: JSONSchema = .current
}

extension JSONSchema: ExpressibleByArgument {}
