import ArgumentParser

/// A page of the manual: that of a command, or a chapter.
struct ManualPage {
  /// `slip-list`, `slip-query`.
  let name: String
  /// The section of the system's manual: 1 for commands, 7 for what belongs to no single one.
  let section: Int
  let summary: String
  /// How a command is typed; empty for a chapter.
  let synopsis: String
  let blocks: [HelpBlock]
  /// Arguments, options and commands of the command.
  let tables: [ManualTable]

  /// All pages: that of the program itself, those of its commands, and the chapters.
  static func all(
    of program: any ParsableCommand.Type, _ commands: [any ParsableCommand.Type]
  ) -> [ManualPage] {
    [ManualPage(program, of: program)] + commands.map { ManualPage($0, of: program) } + chapters
  }

  static var chapters: [ManualPage] { HelpTopic.all.map { ManualPage($0) } }

  /// The page of a command, read from its help, so that nothing is declared twice.
  init(_ command: any ParsableCommand.Type, of program: any ParsableCommand.Type) {
    let configuration = command.configuration
    let own = configuration.commandName ?? ""
    let help = CommandHelp(command, of: program)
    name = command == program ? own : "slip-\(own)"
    section = 1
    summary = configuration.abstract
    synopsis = help.usage
    blocks = HelpBlock.blocks(of: configuration.discussion)
    tables =
      help.tables
      + configuration.subcommands.map { inner in
        let help = CommandHelp(inner, of: program)
        let terms = help.tables.flatMap(\.terms).filter { !Self.isGlobal($0) }
        return ManualTable(heading: help.usage, terms: terms, text: inner.configuration.abstract)
      }
  }

  /// The page of a chapter.
  init(_ topic: HelpTopic) {
    name = "slip-\(topic.name)"
    section = 7
    summary = topic.summary
    synopsis = ""
    blocks = HelpBlock.blocks(of: topic.text)
    tables = []
  }

  /// Whether an option is one of every command.
  private static func isGlobal(_ term: ManualTable.Term) -> Bool {
    let names = (GlobalOptions.flags + GlobalOptions.values).map(\.typed) + ["--help", "--version"]
    return term.name.split { $0 == " " || $0 == "," }.contains { names.contains(String($0)) }
  }
}

/// Names and what they mean, under a heading.
struct ManualTable: Equatable {
  struct Term: Equatable {
    let name: String
    let meaning: String
  }

  let heading: String
  let terms: [Term]
  /// What stands before them.
  var text = ""
}

/// The help of a command, taken apart.
struct CommandHelp {
  /// How the command is typed.
  private(set) var usage = ""
  private(set) var tables: [ManualTable] = []

  /// Wider than any line of help.
  private static let unbroken = 10_000

  init(_ command: any ParsableCommand.Type, of program: any ParsableCommand.Type) {
    let help = program.helpMessage(for: command, columns: Self.unbroken)
    // What stands before is the text of the command itself.
    let lines = help.split(separator: "\n").map(String.init).drop { !$0.hasPrefix("USAGE: ") }
    usage = lines.first.map { String($0.dropFirst("USAGE: ".count)) } ?? ""
    var heading = ""
    var terms: [ManualTable.Term] = []
    for line in lines.dropFirst() {
      if !line.hasPrefix(" ") {
        add(heading, terms)
        (heading, terms) = (line, [])
      } else if let term = Self.term(line) {
        terms.append(term)
      }
    }
    add(heading, terms)
  }

  private mutating func add(_ heading: String, _ terms: [ManualTable.Term]) {
    guard !terms.isEmpty, heading.hasSuffix(":") else { return }
    let subcommands = " SUBCOMMANDS:"
    let name = heading.hasSuffix(subcommands) ? heading.dropLast(subcommands.count) : heading.dropLast()
    tables.append(ManualTable(heading: name.prefix(1) + name.dropFirst().lowercased(), terms: terms))
  }

  /// The name on the left of a line of a table, and what is on the right.
  private static func term(_ line: String) -> ManualTable.Term? {
    let letters = Array(line.drop { $0 == " " })
    let gap =
      letters.indices.dropLast().first { letters[$0] == " " && letters[$0 + 1] == " " } ?? letters.count
    let meaning = letters[gap...].drop { $0 == " " }
    // The parser's own word on more help has no gap.
    guard gap < letters.count || letters.first == "-" || letters.first == "<" else { return nil }
    return ManualTable.Term(name: String(letters[..<gap]), meaning: String(meaning))
  }
}
