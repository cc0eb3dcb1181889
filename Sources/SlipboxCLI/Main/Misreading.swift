import Bytes
import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Words that the parser could not read, explained in terms of the command they were typed for.
struct Misreading {
  /// The message, and what to type instead.
  let error: SlipboxError

  /// - Parameter words: the words that the parser received.
  /// - Returns: nil for requested help.
  init?(of words: [String], _ failure: any Error) {
    guard SlipboxCommand.exitCode(for: failure) != .success else { return nil }
    let command = words.first { !$0.hasPrefix("-") }.flatMap {
      SlipboxCommand.command(named: $0) == nil ? nil : $0
    }
    let type = command.flatMap(SlipboxCommand.command(named:)) ?? Overview.self
    let hasOwnOptions = type.configuration.subcommands.isEmpty
    let subcommand = Self.subcommand(of: type, in: words)
    let shape = CommandShape(subcommand ?? type)
    let message = Self.text(SlipboxCommand.message(for: failure))
    let rest = Array(words.drop { $0 == command })
    if type == SavedViews.self, let option = Self.optionOfSavedView(in: rest) {
      error = Self.savedView(rest, option)
    } else if type == SavedViews.self, subcommand == nil,
      let unknown = Self.unknownOption(in: rest, of: CommandShape(ViewShow.self))
    {
      error = Self.unknown(unknown, command, CommandShape(ViewShow.self), next: nil)
    } else if hasOwnOptions, let unknown = Self.unknownOption(in: rest, of: shape) {
      let next = rest.firstIndex(of: unknown).flatMap { $0 + 1 < rest.count ? rest[$0 + 1] : nil }
      error = Self.unknown(unknown, command, shape, next: next)
    } else if let command, let missing = Self.argument(message, "Missing expected argument '<") {
      error = Self.missing(missing, of: command)
    } else if message.hasPrefix("Unknown option '--"), let name = Self.argument(message, "Unknown option '"),
      GlobalOptions.values.contains(where: { $0.typed == name })
    {
      error = SlipboxError(.usage, "\(name) needs a value", hints: ["slip --help shows the usage"])
    } else if let command, !hasOwnOptions, Self.isNoAction(rest, of: type) {
      error = Self.unknownAction(rest[0], of: command, type)
    } else {
      let spoken = ["slip", command, subcommand?.configuration.commandName].compactMap { $0 }
      error = Self.value(message, shape, spoken.joined(separator: " ")) ?? Self.plain(message, command)
    }
  }

  /// The parser's message with the typed words as they were typed, escaped for a terminal.
  private static func text(_ message: String) -> String {
    Visible.escape(String(message.filter { !Arguments.isMark($0) }), keepingLines: true)
  }

  /// The parser's message as the first line of an error.
  private static func plain(_ message: String, _ command: String?) -> SlipboxError {
    var line = String(message.split(separator: "\n").first ?? "invalid arguments")
    if line.hasSuffix(".") { line.removeLast() }
    let slip = command.map { "slip \($0)" } ?? "slip"
    return SlipboxError(
      .usage, Phrase(line.prefix(1).lowercased() + line.dropFirst()),
      hints: ["\(slip) --help shows the usage"],
      fact: line.hasPrefix("Unexpected argument") ? .unexpectedArgument : nil)
  }

  /// The name in a message after its beginning.
  private static func argument(_ message: String, _ beginning: String) -> String? {
    guard message.hasPrefix(beginning) else { return nil }
    return String(message.dropFirst(beginning.count).prefix { !"'>".contains($0) })
  }

  /// The command of a command with several that the words name.
  private static func subcommand(
    of type: any ParsableCommand.Type, in words: [String]
  ) -> (any ParsableCommand.Type)? {
    guard let name = words.filter({ !$0.hasPrefix("-") }).dropFirst().first else { return nil }
    return type.configuration.subcommands.first {
      $0.configuration.commandName == name || $0.configuration.aliases.contains(name)
    }
  }

  /// The option of `slip view save` among the words after `slip view`; nil without one, and behind a command.
  private static func optionOfSavedView(in words: [String]) -> String? {
    guard subcommand(of: SavedViews.self, in: ["view"] + words) == nil,
      let option = unknownOption(in: words, of: CommandShape(ViewShow.self))
    else { return nil }
    let name = String(option.prefix { $0 != "=" })
    return CommandShape(ViewSave.self).options.contains { $0.names.contains(name) } ? name : nil
  }

  /// The refusal of an option that belongs to `slip view save`.
  private static func savedView(_ words: [String], _ option: String) -> SlipboxError {
    let line = words.map { ShellWord.quoted($0) }
    let first = words.first ?? ""
    let rest =
      Change(first) != nil
      ? ["NAME"] + line
      : first.hasPrefix("-") ? ["NAME", "QUERY"] + line : line.prefix(1) + ["QUERY"] + line.dropFirst()
    return SlipboxError(
      .usage, "\(option) is saved with a view; slip view shows a view as it was saved",
      hints: ["slip view save \(Visible.escape(rest.joined(separator: " ")))"])
  }

  /// An option without its value, or with one that it does not take.
  /// - Parameter command: the command as it is typed.
  private static func value(
    _ message: String, _ shape: CommandShape, _ command: String
  ) -> SlipboxError? {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    let isMissing = parts.first == "Missing value for " && parts.count > 1
    guard isMissing || (parts.first == "The value " && parts.count > 3) else { return nil }
    let name = String(parts[isMissing ? 1 : 3].prefix { $0 != " " })
    let option = shape.options.first { $0.names.contains(name) }
    let isShell = name == "<\(Completions.shellName)>"
    let hints =
      option.map { ["\($0.names.last ?? name): \($0.summary)"] }
      ?? (isShell ? shellHints : ["\(command) --help shows the usage"])
    if isMissing { return SlipboxError(.usage, "\(name) needs a value", lines: hints) }
    let choices = stride(from: 5, to: parts.count, by: 2).map { parts[$0] }
    let accepted = choices.isEmpty ? "a whole number" : Sentence.list(choices, "or")
    let shown = isShell ? "SHELL" : name
    let near = Spelling.nearest(to: parts[1], among: choices).map { ["did you mean: \(name) \($0)"] } ?? []
    return SlipboxError(
      .usage, "\(shown) takes \(accepted), not \(parts[1].isEmpty ? "an empty text" : parts[1])",
      lines: isShell || near.isEmpty ? hints : near)
  }

  /// The first option that a command does not have.
  private static func unknownOption(in words: [String], of shape: CommandShape) -> String? {
    let names = Set(shape.options.flatMap(\.names)).union(["-h", "--help", "--version"])
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
      } else if word == "--" {
        return nil
      } else if word.hasPrefix("-"), word.count > 1 {
        let name = String(word.prefix { $0 != "=" })
        guard names.contains(name) else { return word }
        isValue = shape.valued(name) != nil && name == word
      }
    }
    return nil
  }

  private static func unknown(
    _ word: String, _ command: String?, _ shape: CommandShape, next: String?
  ) -> SlipboxError {
    let slip = command.map { "slip \($0)" } ?? "slip"
    let name = word.prefix { $0 != "=" }
    let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
    return SlipboxError(
      .usage, "\(slip) has no option \(Visible.escape(String(name)))",
      lines: [hint(String(name), value ?? next, command, shape) ?? "\(slip) --help lists its options"])
  }

  /// The most likely intended option for an unknown one.
  private static func hint(
    _ option: String, _ value: String?, _ command: String?, _ shape: CommandShape
  ) -> String? {
    let longNames = shape.options.flatMap(\.names).filter { $0.hasPrefix("--") }.map {
      String($0.dropFirst(2))
    }
    guard option.hasPrefix("--") else { return letterHint(option, value, command) }
    let name = option.dropFirst(2).lowercased()
    if name == OptionName.asOf.rawValue {
      return "only reading commands have it; slip restore REF --at REV restores an earlier version"
    }
    if let meant = otherNames[name], longNames.contains(meant.rawValue) {
      return "did you mean: \(meant.typed)"
    }
    if command == "append", ["body", "text", "content"].contains(name) {
      return "the text follows the note: slip append REF TEXT"
    }
    if let form = fieldForm(name, value, command) { return "write fields and tags without dashes: \(form)" }
    return Spelling.nearest(to: name, among: longNames).map { "did you mean: --\($0)" }
  }

  /// Other programs' names of options.
  private static let otherNames: [String: OptionName] = [
    "max": .limit, "max-count": .limit, "number": .limit, "top": .limit, "head": .limit, "take": .limit,
    "order": .sort, "sort-by": .sort, "order-by": .sort, "orderby": .sort, "desc": .reverse,
    "descending": .reverse, "invert": .reverse, "text": .body, "content": .body, "description": .body,
    "reason": .message, "msg": .message, "why": .message, "query": .where, "filter": .where,
    "pretend": .dryRun, "simulate": .dryRun, "preview": .dryRun, "assume-yes": .yes, "noconfirm": .yes,
    "confirm": .yes, "template": .format, "silent": .quiet, "color": .color, "colour": .color,
    "group": .by, "group-by": .by, "groupby": .by, "no-colour": .noColor, "plain": .noColor, "dir": .box,
    "directory": .box, "notebook": .box,
    "notebook-dir": .box, "null": .paths, "files": .paths, "follow": .watch, "source": .raw, "editor": .edit,
    "recursive": .cascade, "force": .yes, "number-of": .count, "total": .count, "print0": .paths,
  ]

  /// `--due friday` and `--tag home` of other programs as the CHANGE or the term that they are here.
  private static func fieldForm(_ name: String, _ value: String?, _ command: String?) -> String? {
    let taking = [New.self, SetFields.self, Do.self, List.self, Search.self] as [any SlipCommand.Type]
    guard taking.contains(where: { $0.configuration.commandName == command }) else { return nil }
    let shown = value.flatMap { $0.hasPrefix("-") || $0.isEmpty ? nil : $0 }
    let isQuery = ([List.self, Search.self] as [any SlipCommand.Type]).contains {
      $0.configuration.commandName == command
    }
    if isQuery, shown == nil {
      let filters = SmartFilters.builtIn.map(\.name)
      if let term = MeantTerm.term(for: name, Schema.builtIn, filters: filters) { return term }
    }
    if ["tag", "tags", "label", "labels", "context", "project"].contains(name) {
      return ShellWord.quoted("+\(shown ?? "TAG")")
    }
    let fields = Schema.builtIn.kinds.flatMap { $0.fields.map(\.name) } + ["title", "created", "kind"]
    guard fields.contains(name) else { return nil }
    return ShellWord.quoted("\(name):\(shown ?? "VALUE")")
  }

  /// One letter is an option; the tag of that name needs another form.
  private static func letterHint(_ option: String, _ value: String?, _ command: String?) -> String? {
    let letter = option.dropFirst()
    let slip = command.map { "slip \($0)" } ?? "slip"
    switch command {
    case "rm" where "rf".contains(letter):
      return "slip rm asks only about notes that are not named; --yes answers yes"
    case "list", "search":
      let tag = Visible.escape(String(letter))
      return "\(slip) --help lists its options; to exclude the tag \(tag): tag:-\(tag)"
    case "set", "do": return "write a one-letter tag after --: -- \(Visible.escape(option))"
    case "append" where letter == "b": return "the text follows the note: slip append REF TEXT"
    case "append": return "write text that begins with a dash after --: -- \(Visible.escape(option))"
    case "new" where letter == "t": return "a tag is \(ShellWord.quoted("+" + (value ?? "TAG")))"
    case "new": return "\(slip) --help lists its options; write a title that begins with a dash after --"
    default: return nil
    }
  }
}

extension Misreading {
  private static let filterForm =
    "slip filter save NAME QUERY; slip filter rename NAME NEW; slip filter rm NAME"

  /// The names of the subcommands of a command.
  static func actions(of type: any ParsableCommand.Type) -> [String] {
    type.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The refusal of a word that is not a subcommand.
  static func unknownAction(
    _ word: String, of command: String, _ type: any ParsableCommand.Type
  ) -> SlipboxError {
    let names = actions(of: type)
    let near = nearAction(word, names).map { ["did you mean: slip \(command) \($0)"] } ?? []
    return SlipboxError(
      .usage,
      "there is no command slip \(command) \(Visible.escape(word)); use \(Sentence.list(names, "or"))",
      lines: near)
  }

  /// Whether the words after a command with several actions begin with none of them.
  private static func isNoAction(_ words: [String], of type: any ParsableCommand.Type) -> Bool {
    guard let word = words.first,
      !type.configuration.subcommands.contains(where: {
        $0.configuration.commandName == word || $0.configuration.aliases.contains(word)
      })
    else { return false }
    return words.count > 1 || type == ManageRemotes.self || type == Filter.self
  }

  /// The action that a word means.
  private static func nearAction(_ word: String, _ names: [String]) -> String? {
    let meant = UnknownCommand.meaning(of: word)
    if let meant, names.contains(meant) { return meant }
    if let near = Spelling.nearest(to: word, among: names) { return near }
    let making = names.first { ["save", "add"].contains($0) }
    return meant == "new" ? making : nil
  }

  /// The shells that are known, as they are typed.
  private static var shellHints: [String] {
    let command = "slip \(Completions.configuration.commandName ?? "")"
    let shells = Sentence.list(CompletionShell.allCases.map(\.rawValue), "or")
    return ["\(command) \(shells)", "\(command) --help shows the installation"]
  }

  /// The refusal of a command line in which the first argument is missing.
  private static func missing(_ argument: String, of command: String) -> SlipboxError {
    let slip = "slip \(command)"
    return switch (command, argument) {
    case ("merge", _): SlipboxError(.usage, "two notes are needed", hints: ["\(slip) FIRST SECOND"])
    case ("mv", _):
      SlipboxError(
        .usage, "the note and its destination are missing",
        hints: ["\(slip) REF PATH", "\(slip) REF... FOLDER/"])
    case (_, "ref"):
      SlipboxError(
        .usage, "which note?",
        hints: ["\(slip) \(command == "append" ? "REF TEXT" : "REF"); a REF is an id, a path or a title"])
    case (_, "action"):
      SlipboxError(
        .usage, "the action is missing",
        hints: [
          "\(slip) ACTION REF; the actions are: \(Schema.builtIn.actionNames.joined(separator: ", "))"
        ])
    case (_, Completions.shellName): SlipboxError(.usage, "the shell is missing", lines: shellHints)
    case (_, "export-format"):
      SlipboxError(
        .usage, "the format is missing",
        hints: ["\(slip) FORMAT QUERY: \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))"])
    case (_, "source"):
      SlipboxError(
        .usage, "the source is missing", hints: ["\(slip) FILE, a folder, or - for standard input"])
    case (_, "folder"): SlipboxError(.usage, "the folder is missing", hints: ["\(slip) FOLDER"])
    case ("view", _):
      SlipboxError(
        .usage, "the name of the view is missing",
        hints: ["slip view save NAME QUERY; slip view remove NAME; slip view rename NAME NEW"])
    case (_, "name"), (_, "query"): SlipboxError(.usage, "which \(argument)?", hints: ["\(filterForm)"])
    default:
      SlipboxError(.usage, "\(slip): the \(argument) is missing", hints: ["\(slip) --help shows an example"])
    }
  }
}
