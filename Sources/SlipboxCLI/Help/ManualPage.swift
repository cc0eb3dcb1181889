import ArgumentParser
import Bytes

/// A page of the manual: that of a command, or a chapter.
struct ManualPage {
  /// `slip-list`, `slip-query`.
  let name: String
  /// The section of the system's manual: 1 for commands, 7 for topics.
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

/// Names with their meanings, under a heading.
struct ManualTable: Equatable {
  struct Term: Equatable {
    let name: String
    let meaning: String
  }

  let heading: String
  let terms: [Term]
  /// The text before them.
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
    // The text of the command itself comes first.
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

  /// The left and the right column of a line of a table.
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

/// A part of a text of help, which is written for terminals: paragraphs begin at the margin, examples and tables are
/// indented, and a heading is a short line right above one of these.
enum HelpBlock: Equatable {
  case heading(String)
  case paragraph(String)
  /// Verbatim lines, without the indentation that all of them share.
  case lines([String])

  /// The first line of a paragraph that goes on is longer.
  private static let longestHeading = 40

  /// The parts of a text in their order.
  static func blocks(of text: String) -> [HelpBlock] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blocks: [HelpBlock] = []
    var verbatim: [String] = []
    func close() {
      if !verbatim.isEmpty { blocks.append(.lines(unindented(verbatim))) }
      verbatim = []
    }
    for run in lines.split(separator: "") {
      var run = run
      if run.count > 1, let first = run.first, let name = heading(first) {
        close()
        blocks.append(.heading(name))
        run = run.dropFirst()
      }
      if !verbatim.isEmpty, run.first?.hasPrefix(" ") == true { verbatim.append("") }
      while let first = run.first {
        let part = run.prefix { $0.hasPrefix(" ") == first.hasPrefix(" ") }
        run = run.dropFirst(part.count)
        if first.hasPrefix(" ") {
          verbatim += part
        } else {
          close()
          blocks.append(.paragraph(part.joined(separator: " ")))
        }
      }
    }
    close()
    return blocks
  }

  /// The heading that a line is: short, at the margin, and no sentence; `Examples:` is one too.
  private static func heading(_ line: String) -> String? {
    let name = line.hasSuffix(":") && !line.contains(" ") ? String(line.dropLast()) : line
    guard name.count <= longestHeading, !name.hasPrefix(" "), let last = name.last, !".:,;".contains(last)
    else {
      return nil
    }
    return name
  }

  private static func unindented(_ lines: [String]) -> [String] {
    let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indent)) }
  }
}

/// Pages for `man`, in the macros of man(7).
extension ManualPage {
  /// The file of the page, below a folder of manual pages: `man1/slip-list.1`.
  var file: [UInt8] { Array("man\(section)/\(name).\(section)".utf8) }

  /// The page as the source of `man`.
  var roff: String {
    var lines = [
      ".TH \(Roff.word(name.uppercased())) \(section) \"\" \(Roff.word(Version.line)) Slipbox", ".SH NAME",
      "\(Roff.text(name)) \\- \(Roff.text(Self.line(summary)))",
    ]
    if !synopsis.isEmpty { lines += [".SH SYNOPSIS", Roff.text(synopsis)] }
    if !blocks.isEmpty { lines.append(".SH DESCRIPTION") }
    for block in blocks { lines += Self.lines(block) }
    for table in tables {
      lines.append(".SH \(Roff.word(table.heading))")
      if !table.text.isEmpty { lines.append(Roff.text(table.text)) }
      for term in table.terms { lines += [".TP", ".B \(Roff.text(term.name))", Roff.text(term.meaning)] }
    }
    lines += [".SH SEE ALSO", Roff.text(Self.others(than: name))]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ block: HelpBlock) -> [String] {
    switch block {
    case .heading(let name): [".SS \(Roff.word(name))"]
    case .paragraph(let text): [".PP", Roff.text(text)]
    case .lines(let lines): [".PP", ".RS 4", ".nf"] + lines.map(Roff.text) + [".fi", ".RE"]
    }
  }

  /// A summary without the stop at its end.
  private static func line(_ summary: String) -> String {
    summary.hasSuffix(".") ? String(summary.dropLast()) : summary
  }

  private static func others(than name: String) -> String {
    let pages = [("slip", 1)] + HelpTopic.all.map { ("slip-\($0.name)", 7) } + [("git", 1)]
    return pages.filter { $0.0 != name }.map { "\($0.0)(\($0.1))" }.joined(separator: ", ")
  }
}

/// Text for roff.
enum Roff {
  /// A line of text: nothing in it is an escape or a request.
  static func text(_ text: String) -> String {
    var result = ""
    for letter in text {
      switch letter {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(letter)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  /// An argument of a request.
  static func word(_ text: String) -> String {
    "\"" + Roff.text(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq")
      + "\""
  }
}

/// Pages as notes of a box, of which `slip export html` makes a site.
extension ManualPage {
  /// The title of the page: `slip list`, `Queries`.
  var title: String {
    section == 1 ? name.replacing("-", with: " ", maxReplacements: 1) : HelpTopic.title(of: name)
  }

  /// The file of the page below a folder of notes.
  var noteFile: [UInt8] { Array("\(section == 1 ? "commands" : "chapters")/\(name).md".utf8) }

  /// The page as Markdown with front-matter.
  var markdown: String {
    var parts = ["---\ntitle: \(title)\ntags: [\(section == 1 ? "command" : "chapter")]\n---", summary]
    if !synopsis.isEmpty { parts.append(Self.fenced([synopsis])) }
    parts += blocks.map(Self.markdown)
    for table in tables {
      parts.append("## \(table.heading)")
      if !table.text.isEmpty { parts.append(Self.escaped(table.text)) }
      if !table.terms.isEmpty {
        parts.append(
          table.terms.map { "- `\($0.name)`: \(Self.escaped($0.meaning))" }.joined(separator: "\n"))
      }
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func markdown(_ block: HelpBlock) -> String {
    switch block {
    case .heading(let name): "## \(name)"
    case .paragraph(let text): escaped(text)
    case .lines(let lines): fenced(lines)
    }
  }

  private static func fenced(_ lines: [String]) -> String {
    let isSession = lines.contains { $0.hasPrefix("$ ") }
    return (["```\(isSession ? "console" : "")"] + lines + ["```"]).joined(separator: "\n")
  }

  /// Text with Markdown escaped outside of backticks.
  private static func escaped(_ text: String) -> String {
    var result = ""
    var isCode = false
    for letter in text {
      if letter == "`" { isCode.toggle() }
      if !isCode, "*_[]<>#\\".contains(letter) { result.append("\\") }
      result.append(letter)
    }
    return result
  }
}
