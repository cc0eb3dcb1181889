import ArgumentParser
import NoteIndex
import Platform
import Rendering
import SlipboxCore
import Text

struct Filter: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Save, remove and list named queries, used as @NAME.",
    discussion: """
      Built in are all, recent, issues, books, tasks, my-day, overdue and leftover.

      Examples:
        slip filter
        slip filter save urgent "kind:issue is:active priority:high"
        slip list @overdue
        slip filter list --json
      """,
    subcommands: [FilterList.self, FilterSave.self, FilterRemove.self], defaultSubcommand: FilterList.self)
}

struct FilterList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All filters with their queries.",
    discussion: "Examples:\n  slip filter list")

  @Flag(name: .long, help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let filters = box.allFilters
    if json { return try printJSON(filters) }
    var table = Table(
      columns: [.init(paint: session.style.bold), .init()], style: session.style, width: session.width)
    for filter in filters {
      if session.width == nil {
        Console.write("\(filter.name)\t\(Visible.escape(filter.query))\n")
      } else {
        table.add(["@" + filter.name, filter.query])
      }
    }
    for line in table.lines() { Console.write(line + "\n") }
    try Console.flush()
  }

  private func printJSON(_ filters: [(name: String, query: String)]) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("schema")
    writer.integer(NoteJSON.schema)
    writer.key("filters")
    writer.beginArray()
    for filter in filters {
      writer.beginObject()
      writer.key("name")
      writer.string(filter.name)
      writer.key("query")
      writer.string(filter.query)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    Console.write(writer.takeBytes())
    try Console.print("\n")
  }
}

struct FilterSave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a query under a name.",
    discussion: "Examples:\n  slip filter save urgent \"kind:issue is:active priority:high\"")

  @Argument(help: ArgumentHelp("The name, without @.", valueName: "name"))
  var name: Word

  @Argument(help: ArgumentHelp("The query.", valueName: "query"))
  var query: [Word]

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let plan = try box.savingFilter(name.text, query: query.texts.joined(separator: " "))
    try Changes.report(try box.record(plan), session)
  }
}

struct FilterRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Remove a filter of yours.", discussion: "Examples:\n  slip filter rm urgent"
  )

  @Argument(help: ArgumentHelp("The name.", valueName: "name"))
  var name: Word

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    try Changes.report(try box.record(try box.savingFilter(name.text, query: nil)), session)
  }
}

extension Slipbox {
  /// The built-in filters, then the user's own by name.
  var allFilters: [(name: String, query: String)] {
    SmartFilters.builtIn + filters.map { (name: $0.key, query: $0.value) }.sorted { $0.name < $1.name }
  }
}
