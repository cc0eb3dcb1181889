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
  /// Whether it stood after `--`, and so is no option and, of an action, no term of a query; marked twice.
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

  /// What was typed, where it need not be UTF-8: the name of a file or folder.
  var bytes: [UInt8] { ByteText.bytes(of: text) }
}

extension [Word] {
  var texts: [String] { map(\.text) }
}
