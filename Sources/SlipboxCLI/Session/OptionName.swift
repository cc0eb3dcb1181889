import ArgumentParser
import Bytes
import Text

/// The name of a long option. Commands declare their options by these names; the rules for arguments, completion and
/// messages read them here.
enum OptionName: String, CaseIterable {
  case acceptRewrite = "accept-rewrite"
  case again, all
  case `as`
  case asOf = "as-of"
  case append, at, author, body, box, by, cascade, check, color, columns, commit, count, css, csv, date, dates
  case days, deleted, depth, detach, dot
  case draft, drafts
  case dryRun = "dry-run"
  case each, edit, every, expect, explain, field, fix, folder, force, form, format, from
  case giveID = "give-id"
  case highlight, history, html, ical, inline, into, json, jsonl, keep, limit, list, map, markdown, message,
    month, mouse, name
  case noAlias = "no-alias"
  case noColor = "no-color"
  case newField = "new-field"
  case noMouse = "no-mouse"
  case noOpen = "no-open"
  case noPager = "no-pager"
  case noTemplate = "no-template"
  case readOnly = "read-only"
  case reverse
  case oneCommit = "one-commit"
  case op, output, partial, patch, path, paths, port, queries, quiet, raw, row, schema, seed, serve, since
  case skip, sort, status, strict, svg, template, ticked, title, total, tree
  case until, url, user, watch, week
  case `where`, with, yes

  /// The name with its dashes.
  var typed: String { "--\(rawValue)" }

  /// The letter with its dash, else the name with its dashes.
  var short: String { letter.map { "-\($0)" } ?? typed }

  /// The short form of the option in every command that has it.
  var letter: Character? {
    switch self {
    case .body: "b"
    case .edit: "e"
    case .limit: "n"
    case .message: "m"
    case .output: "o"
    case .quiet: "q"
    case .where: "w"
    case .yes: "y"
    default: nil
    }
  }

  /// The option of a letter.
  init?(letter: Character) {
    guard let name = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
    self = name
  }

  /// Whether the next word is its value in a command.
  func takesValue(in command: String) -> Bool {
    switch self {
    case .append, .as, .asOf, .at, .author, .body, .box, .by, .color, .columns, .commit, .css, .date, .days,
      .depth, .draft, .every, .expect, .field, .folder, .form, .format, .from, .into, .keep, .limit, .map,
      .message, .month,
      .name, .op,
      .output, .port, .schema, .seed, .since, .sort, .template, .title, .until, .url, .where, .with:
      true
    case .count: command == "sample"
    default: false
    }
  }

  /// Whether its value is a text of the user's.
  var takesText: Bool { [.append, .author, .body, .message, .title, .where].contains(self) }

  /// The names of all long options, with those that the parser adds by itself.
  static let known = Set(allCases.map(\.rawValue) + ["help", "version"])
}

extension NameSpecification {
  /// A long option, and its letter.
  static func option(_ name: OptionName) -> NameSpecification {
    let long = NameSpecification.Element.customLong(name.rawValue)
    return NameSpecification(name.letter.map { [long, .customShort($0)] } ?? [long])
  }
}

/// A word of the command line, as it was typed.
struct Word: ExpressibleByArgument, Sendable {
  /// The mark before a word that begins with a dash but holds no options; see `Arguments`.
  static let mark: Character = "\u{1}"

  let text: String
  /// Whether it followed `--`, and so is neither an option nor, after an action, a term of a query; marked twice.
  let isLiteral: Bool

  init(_ text: String) {
    self.text = text
    isLiteral = false
  }

  init?(argument: String) {
    let marks = argument.prefix(2).prefix { $0 == Self.mark }.count
    text = String(argument.dropFirst(marks))
    isLiteral = marks == 2
  }

  /// The typed bytes, for words that need not be UTF-8: names of files and folders.
  var bytes: [UInt8] { ByteText.bytes(of: text) }
}

extension [Word] {
  var texts: [String] { map(\.text) }
}

/// The name of a command, in the order of the help.
///
/// The rules for arguments read names here, so that a run reads the declaration of its own command alone.
enum CommandName: String, CaseIterable {
  case new, daily, capture, show, edit, set, append, retitle
  case move = "mv"
  case merge, split
  case remove = "rm"
  case restore, resolve
  case `do`
  case tick, untick, promote, bake

  case list, search, table, agenda, view, todos, outline, tags, filter, overview

  case links, backlinks, mentions, related, orphans, broken, graph

  case log, diff, undo, redo, review, chart, commit, status

  case language = "lsp"
  case page, browse

  case sync, heal, remote
  case `import`
  case export

  case initialise = "init"
  case config, kinds, doctor, tidy, sample, completions, manual

  case mergeDriver = "merge-driver"
  case foldCatalogue = "fold-catalogue"
  case guardTerminal = "guard-terminal"

  /// A group of commands with its heading in the help.
  enum Group: String, CaseIterable {
    case notes = "Notes"
    case finding = "Finding"
    case links = "Links"
    case history = "History"
    case interfaces = "Interfaces"
    case sharing = "Sharing"
    case box = "Box"
    case programs = "For git"

    /// The commands of the group.
    var commands: [CommandName] { CommandName.allCases.filter { $0.group == self } }
  }

  /// The group of the command.
  var group: Group {
    switch self {
    case .new, .daily, .capture, .show, .edit, .set, .append, .retitle, .move, .merge, .split, .remove,
      .restore, .resolve, .do, .tick, .untick, .promote, .bake:
      .notes
    case .list, .search, .table, .agenda, .view, .todos, .outline, .tags, .filter, .overview: .finding
    case .links, .backlinks, .mentions, .related, .orphans, .broken, .graph: .links
    case .log, .diff, .undo, .redo, .review, .chart, .commit, .status: .history
    case .language, .page, .browse: .interfaces
    case .sync, .heal, .remote, .import, .export: .sharing
    case .initialise, .config, .kinds, .doctor, .tidy, .sample, .completions, .manual: .box
    case .mergeDriver, .foldCatalogue, .guardTerminal: .programs
    }
  }

  /// The word for help on a command.
  static let help = "help"

  /// Actions of the built-in kinds that are commands too: `slip close X` is `slip do close X`.
  static let actions = ["close", "reopen", "start", "finish", "shelve", "today"]

  /// Whether a word may be the first: `help`, an action that is a command too, or a command.
  static func isFirstWord(_ word: String) -> Bool {
    word == help || CommandName(rawValue: word) != nil || actions.contains(word)
  }

  /// The words that people may type first.
  static var wordsForPeople: [String] {
    [help] + actions + allCases.filter { $0.group != .programs }.map(\.rawValue)
  }
}
