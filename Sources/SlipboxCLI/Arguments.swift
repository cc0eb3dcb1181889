import ArgumentParser
import Notes
import SlipboxCore
import Text

/// What is done to the words of a command line before the parser sees them.
///
/// One letter after a dash is an option; two letters or more are a tag to take away (`-later`). Such words are marked
/// with a leading U+0001, which `Word` takes off again, so that the parser reads them as plain arguments.
enum Arguments {
  private static let mark: Character = "\u{1}"

  /// The words for the parser: options before the command moved behind it, tags marked, the command checked.
  /// - Throws: `.usage` for an unknown command and for `-NAME` where `--NAME` is an option.
  static func prepare(_ words: [String]) throws(SlipboxError) -> [String] {
    let (globals, rest) = splittingGlobals(words)
    guard let command = rest.first else { return ["overview"] + globals }
    if command.hasPrefix("-") { return words }
    guard commands.contains(command) else { throw unknown(command) }
    if command == "help", rest.count > 1, !rest[1].hasPrefix("-") { return try help(rest[1]) + globals }
    var prepared = actions.contains(command) ? ["do", command] : [command]
    var isOpen = true
    for word in rest.dropFirst() {
      if word == "--", isOpen {
        isOpen = false
        prepared += globals
      }
      // `doctor --fix` alone means all that can be mended.
      let isBareFix = isOpen && command == "doctor" && word == "--fix"
      prepared.append(isBareFix ? "--fix=all" : isOpen ? try marked(word) : word)
    }
    return isOpen ? prepared + globals : prepared
  }

  /// The word as it was typed.
  static func unmarked(_ word: String) -> String {
    word.first == mark ? String(word.dropFirst()) : word
  }

  private static func marked(_ word: String) throws(SlipboxError) -> String {
    guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 2, !word.hasPrefix("--") else {
      return word
    }
    let name = String(word.dropFirst())
    if LongOptions.names.contains(name) {
      throw SlipboxError(
        .usage, "\(Visible.escape(word)) takes two dashes: --\(name)",
        hints: [
          "one dash before two letters or more is a tag to leave out or take away; -- before it forces that"
        ])
    }
    return String(mark) + word
  }

  /// `slip --box DIR list` means what `slip list --box DIR` means.
  private static func splittingGlobals(_ words: [String]) -> (globals: [String], rest: [String]) {
    var globals: [String] = []
    var rest = words[...]
    while let word = rest.first {
      if LongOptions.globalFlags.contains(word) || word.hasPrefix("--box=") || word.hasPrefix("--color=") {
        globals.append(word)
        rest = rest.dropFirst()
      } else if LongOptions.globalValues.contains(word), rest.count > 1 {
        globals += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    return (globals, Array(rest))
  }

  /// The help of a command; an action's is that of `do`.
  private static func help(_ name: String) throws(SlipboxError) -> [String] {
    if actions.contains(name) { return ["help", "do"] }
    if commands.contains(name) { return ["help", name] }
    let names = commands.filter { $0 != "merge-driver" } + HelpTopic.all.map(\.name)
    throw SlipboxError(
      .usage, "there is no help on \(Visible.escape(name))",
      hints: [
        Spelling.nearest(to: name, among: names).map { "did you mean: slip help \($0)" }
          ?? "slip --help lists the commands"
      ])
  }

  private static func unknown(_ command: String) -> SlipboxError {
    if Schema.builtIn.kinds.contains(where: { $0.action(named: command) != nil }) {
      return SlipboxError(
        .usage, "there is no command \(Visible.escape(command))", hints: ["did you mean: slip do \(command)"])
    }
    let near = Spelling.nearest(to: command, among: commands.filter { $0 != "merge-driver" })
    return SlipboxError(
      .usage, "there is no command \(Visible.escape(command))",
      hints: [near.map { "did you mean: slip \($0)" } ?? "slip --help lists the commands"])
  }

  /// Actions of the built-in kinds that are commands too: `slip close X` is `slip do close X`.
  static let actions = ["close", "reopen", "start", "finish", "shelve", "today"]

  /// The names of all commands.
  static let commands =
    ["help"] + actions
    + SlipboxCommand.configuration.groupedSubcommands.flatMap { group in
      group.subcommands.compactMap { $0.configuration.commandName }
    }
}

/// The long options of all commands; a test holds the list against the parser's own.
enum LongOptions {
  static let globalFlags: Set<String> = ["--no-color", "--no-pager", "--quiet"]
  static let globalValues: Set<String> = ["--box", "--color"]
  static let names: Set<String> = [
    "all", "body", "box", "cascade", "color", "count", "csv", "detach", "dry-run", "each", "edit", "expect",
    "explain", "fix", "force", "format", "give-id", "help", "inline", "json", "jsonl", "limit", "message",
    "no-color", "no-pager", "paths", "quiet", "raw", "reverse", "seed", "sort", "template", "tree", "user",
    "version", "watch", "where", "with", "yes",
  ]
}

/// A word of the command line, as it was typed.
struct Word: ExpressibleByArgument, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  init?(argument: String) { text = Arguments.unmarked(argument) }

  var bytes: [UInt8] { Array(text.utf8) }
}

extension [Word] {
  var texts: [String] { map(\.text) }
}
