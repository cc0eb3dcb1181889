import ArgumentParser
import Foreign
import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Computes the completions of a command line.
struct Completer {
  /// The command that the words lead to.
  let command: String
  private let shape: CommandShape
  /// The arguments before the word being typed, without options.
  let before: [String]
  /// The word being typed.
  let word: String
  /// The option whose value is being typed.
  private let option: CommandShape.Option?
  private let isClosed: Bool
  let snapshot: CompletedBox

  /// The candidates for the last word.
  ///
  /// - Parameter words: the words after `slip`, the last one as far as it is typed.
  static func candidates(_ words: [String], open: @escaping (String?) throws -> BoxSnapshot) -> [Candidate] {
    var rest = words[...]
    var folder: String?
    while rest.count > 1, let first = rest.first, first.hasPrefix("-") {
      let snapshot = OptionName.box.typed
      if first.hasPrefix("\(snapshot)=") { folder = String(first.dropFirst(snapshot.count + 1)) }
      let takesValue = GlobalOptions.values.contains { first == $0.typed }
      if takesValue, rest.count == 2 { return values(ofGlobal: first, rest.last ?? "") }
      if first == snapshot { folder = rest.dropFirst().first }
      rest = rest.dropFirst(takesValue ? 2 : 1)
    }
    guard let name = rest.first else { return [] }
    if rest.count == 1 { return commands(name) }
    var arguments = Array(rest.dropFirst())
    if let index = arguments.firstIndex(of: OptionName.box.typed), index + 1 < arguments.count - 1 {
      folder = arguments[index + 1]
    }
    if Arguments.hasSubcommands(name) {
      let others = Arguments.splittingGlobals(arguments.dropLast()).rest
      let typed = arguments.last ?? ""
      if others.count == 1, GlobalOptions.values.contains(where: { $0.typed == others[0] }) {
        return values(ofGlobal: others[0], typed)
      }
      arguments = others + [typed]
    }
    if name == "help" { return arguments.count == 1 ? helpTopics(arguments[0]) : [] }
    let isAction = CommandName.actions.contains(name)
    guard let type = SlipboxCommand.command(named: isAction ? "do" : name) else { return [] }
    let chosen = folder
    let snapshot = CompletedBox { try open(chosen) }
    return Completer(isAction ? "do" : name, type, (isAction ? [name] : []) + arguments, snapshot)
      .candidates()
  }

  private init(
    _ command: String, _ type: any ParsableCommand.Type, _ arguments: [String], _ snapshot: CompletedBox
  ) {
    let shape = CommandShape(type)
    var before: [String] = []
    var option: CommandShape.Option?
    var isClosed = false
    for argument in arguments.dropLast() {
      if option != nil {
        option = nil
      } else if isClosed || !argument.hasPrefix("-") || (argument.utf8.count > 2 && !argument.hasPrefix("--"))
      {
        before.append(argument)
      } else if argument == "--" {
        isClosed = true
      } else {
        option = shape.valued(argument)
      }
    }
    self.command = command
    self.shape = shape
    self.before = before
    word = arguments.last ?? ""
    self.option = option
    self.isClosed = isClosed
    self.snapshot = snapshot
  }

  private func candidates() -> [Candidate] {
    if let option { return values(of: option.names.last ?? "", word) }
    if !isClosed, word.hasPrefix("--") { return optionCandidates() }
    guard !shape.arguments.isEmpty || ["filter", "remote", "view"].contains(command) else { return [] }
    let last = shape.arguments.indices.last ?? 0
    switch shape.arguments.isEmpty ? command : shape.arguments[min(before.count, last)] {
    case "ref": return references(word)
    case "query": return terms.query(word, before)
    case "ref-or-change":
      return before.contains { Change($0) != nil } ? changes() : references(word) + changes()
    case "source": return before.isEmpty ? [] : changes()
    case "title": return newNote()
    case "action": return command == "tags" ? tagAction() : actions()
    case "filter": return filter()
    case "remote": return remote()
    case "view": return view()
    case "key":
      return before.isEmpty ? Settings.keys.compactMap { fitting($0.name, $0.summary.description) } : []
    case "name": return command == "kinds" ? kinds() : []
    case "date": return days()
    case "export-format": return ExportFormat.allCases.compactMap { fitting($0.rawValue, $0.summary) }
    case "shell": return CompletionShell.allCases.compactMap { fitting($0.rawValue) }
    default: return []
    }
  }

  /// A candidate, if the word being typed is a prefix of it, without regard to case and accents.
  func fitting(_ text: String, _ note: String = "") -> Candidate? {
    CompletedBox.begins(text, with: word) ? Candidate(text, note) : nil
  }

  private func kinds() -> [Candidate] { snapshot.kinds.compactMap { fitting($0.name, $0.comment ?? "") } }

  private func days() -> [Candidate] {
    (["today", "yesterday", "tomorrow"] + DateInterval.weekdays).compactMap { fitting($0) }
  }

  private func newNote() -> [Candidate] {
    if before.isEmpty { return kinds() }
    return word.isEmpty && before.count == 1 && snapshot.kind(before[0]) != nil ? [] : changes()
  }

  private func actions() -> [Candidate] {
    guard before.isEmpty else { return references(word) }
    var seen: Set<String> = []
    let actions = snapshot.kinds.flatMap { kind in kind.actions.map { (kind.name, $0) } }
    return actions.compactMap { kind, action in
      seen.insert(action.name).inserted ? fitting(action.name, action.words.joined(separator: " ")) : nil
    }
  }

  private func tagAction() -> [Candidate] {
    guard let action = before.first else { return TagAction.allCases.compactMap { fitting($0.rawValue) } }
    return action == TagAction.missing.rawValue ? references(word) : terms.tags("", word)
  }

  private func remote() -> [Candidate] {
    guard command == "remote" else { return remoteNames() }
    guard let action = before.first else { return subcommands(of: ManageRemotes.self) }
    return action == "rm" && before.count == 1 ? remoteNames() : []
  }

  private func remoteNames() -> [Candidate] {
    snapshot.remotes.compactMap { fitting($0.name, $0.address?.shown ?? "") }
  }

  private func subcommands(of command: any ParsableCommand.Type) -> [Candidate] {
    command.configuration.subcommands.compactMap { $0.configuration.commandName.flatMap { fitting($0) } }
  }

  private func filter() -> [Candidate] {
    switch (before.first, before.count) {
    case (nil, _): return subcommands(of: Filter.self)
    case ("save", 2...): return terms.query(word, Array(before.dropFirst(2)))
    case ("save", _), ("rename", 1), ("rm", 1):
      return snapshot.ownFilters.compactMap { fitting($0.name, $0.query) }
    default: return []
    }
  }
}

extension Completer {
  private func view() -> [Candidate] {
    let names = snapshot.views.compactMap { fitting($0.name, $0.line) }
    switch (before.first, before.count) {
    case (nil, _): return subcommands(of: SavedViews.self) + names
    case ("save", 2...): return terms.query(word, Array(before.dropFirst(2)))
    case ("save", _), ("remove", 1), ("rename", 1), ("show", 1): return names
    default: return []
    }
  }

  private static func commands(_ word: String) -> [Candidate] {
    if word.hasPrefix("-") {
      let shape = CommandShape(Overview.self)
      return shape.options.flatMap { option in
        option.names.filter { $0.hasPrefix(word) && $0.hasPrefix("--") }.compactMap {
          Candidate($0, option.summary)
        }
      }
    }
    let shown = SlipboxCommand.commands.map { $0.configuration }.filter(\.shouldDisplay).map {
      ($0.commandName ?? "", $0.abstract)
    }
    let others =
      [("help", "Explain a command or a topic.")] + CommandName.actions.map { ($0, "slip do \($0)") }
    return (shown + others).filter { $0.0.hasPrefix(word) }.compactMap { Candidate($0.0, $0.1) }
  }

  private static func helpTopics(_ word: String) -> [Candidate] {
    HelpTopic.all.map(\.name).filter { $0.hasPrefix(word) }.compactMap { Candidate($0, "a topic") }
      + commands(word).filter { !$0.text.hasPrefix("-") }
  }

  private static func values(ofGlobal name: String, _ word: String) -> [Candidate] {
    guard name == OptionName.color.typed else { return [] }
    return ColourRule.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }.compactMap { Candidate($0) }
  }

  private func optionCandidates() -> [Candidate] {
    if let equals = word.firstIndex(of: "=") {
      let name = String(word[..<equals])
      return values(of: name, String(word[word.index(after: equals)...])).compactMap {
        Candidate("\(name)=\($0.text)", $0.note)
      }
    }
    return shape.options.flatMap { option in
      option.names.filter { $0.hasPrefix("--") && $0.hasPrefix(word) }.compactMap {
        Candidate($0, option.summary)
      }
    }
  }

  private func values(of option: String, _ word: String) -> [Candidate] {
    switch OptionName(rawValue: String(option.dropFirst(2))) {
    case .where: return terms.query(word, [])
    case .as:
      return ForeignFormat.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }.compactMap { Candidate($0) }
    case .sort: return terms.sortKeys("", word)
    case .with: return parts(word)
    case .by: return terms.sortKeys("", word)
    case .every:
      return ChartStep.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }.compactMap { Candidate($0) }
    case .fix:
      return (["all"] + RepairScope.rules.map(\.rawValue)).filter { $0.hasPrefix(word) }.compactMap {
        Candidate($0)
      }
    case .folder: return snapshot.folders(from: word).compactMap { Candidate($0) }
    case .template: return snapshot.templates.filter { $0.hasPrefix(word) }.compactMap { Candidate($0) }
    case .from: return references(word)
    case .form:
      return View.Form.ofViews.map(\.rawValue).filter { $0.hasPrefix(word) }.compactMap { Candidate($0) }
    case .draft:
      return snapshot.drafts.filter { $0.name.hasPrefix(word) }.compactMap { Candidate($0.name, $0.title) }
    case .color: return Self.values(ofGlobal: option, word)
    default: return []
    }
  }

  /// The parts of `--with`: the last of several.
  private func parts(_ word: String) -> [Candidate] {
    let cut = word.lastIndex(of: ",").map { word.index(after: $0) } ?? word.startIndex
    return RequestedPart.allCases.map(\.rawValue).filter { $0.hasPrefix(word[cut...]) }
      .compactMap { Candidate(word[..<cut] + $0) }
  }
}

/// CHANGEs, and the notes that commands are about.
extension Completer {
  /// Completes terms of queries.
  var terms: TermCompletion { TermCompletion(snapshot) }

  /// Notes by id, and by the beginning of their titles; after an action those that it would change.
  func references(_ word: String) -> [Candidate] {
    guard command == CommandName.do.rawValue, let action = before.first else {
      return snapshot.references(from: word)
    }
    return snapshot.references(from: word, of: snapshot.subjects(of: action))
  }

  /// The kind of the notes that are changed: of a new note the one that is named, else that of the first note, or of the
  /// records that have the action.
  private var changedKind: Kind? {
    switch command {
    case CommandName.new.rawValue: return before.first.flatMap { snapshot.kind($0) }
    case CommandName.do.rawValue where before.count < 2:
      let kinds = before.first.map { snapshot.subjects(of: $0).kinds } ?? []
      return kinds.count == 1 ? snapshot.kind(kinds[0]) : nil
    case CommandName.do.rawValue: return snapshot.kind(ofNote: before[1])
    default:
      let isNote = before.first.map { Change($0) == nil } ?? false
      return isNote ? snapshot.kind(ofNote: before[0]) : nil
    }
  }

  /// CHANGEs: tags after a sign, names of fields, and the values that they may have.
  func changes() -> [Candidate] {
    if let sign = word.first, sign == "+" || sign == "-" {
      return terms.tags(String(sign), String(word.dropFirst()))
    }
    let kind = changedKind
    guard let colon = word.firstIndex(of: ":") else {
      var seen: Set<String> = []
      let own = kind.flatMap { $0.isOfRecords ? $0.fields.map(\.name) : nil } ?? snapshot.fieldNames
      return (own + ["title", "created", "kind"]).filter { seen.insert($0).inserted }.compactMap {
        fitting($0 + ":")
      }
    }
    let name = String(word[..<colon])
    let (head, value) = (word[...colon], String(word[word.index(after: colon)...]))
    switch name {
    case "kind": return snapshot.kinds.compactMap { fitting("kind:" + $0.name) }
    case "tags": return terms.tags(String(head), value)
    case "title", "id": return []
    default:
      // A field that the kind does not declare may be one that it is changed to.
      let declaring = kind?.field(name) == nil ? nil : kind
      return terms.declared(name, declaring, String(head), value, isQuery: false)
    }
  }
}

/// The options and arguments of a command, read from its help so that they are declared once.
struct CommandShape {
  struct Option: Equatable {
    /// `--limit`, and `-n` if there is one.
    let names: [String]
    let takesValue: Bool
    let summary: String
  }

  /// The names of its arguments in their order; the last one may occur again.
  private(set) var arguments: [String] = []
  private(set) var options: [Option] = []

  init(_ command: any ParsableCommand.Type) {
    let help = SlipboxCommand.helpMessage(for: command, columns: 1_000)
    var isOptions = false
    for line in help.split(separator: "\n") {
      if !line.hasPrefix(" ") { isOptions = line == "OPTIONS:" || line.hasPrefix("OPTIONS OF ") }
      guard line.hasPrefix("  "), let cut = line.dropFirst(2).firstIndex(of: " ") else { continue }
      if isOptions, line.dropFirst(2).hasPrefix("-") {
        options.append(Self.option(line))
      } else if line.dropFirst(2).hasPrefix("<"), line[..<cut].hasSuffix(">") {
        arguments.append(String(line[..<cut].dropFirst(3).dropLast()))
      }
    }
  }

  private static func option(_ line: Substring) -> Option {
    var words = line.split(separator: " ")[...]
    var names: [String] = []
    while let word = words.first, word.hasPrefix("-") {
      names.append(String(word.last == "," ? word.dropLast() : word))
      words = words.dropFirst()
    }
    let takesValue = words.first?.hasPrefix("<") ?? false
    return Option(
      names: names, takesValue: takesValue,
      summary: words.dropFirst(takesValue ? 1 : 0).joined(separator: " "))
  }

  /// The option of a name that takes a value.
  func valued(_ name: String) -> Option? { options.first { $0.takesValue && $0.names.contains(name) } }
}
