import ArgumentParser
import Bytes
import Platform
import Presentation
import SlipboxCore
import SlipboxHost
import SlipboxScreen
import Text

struct Browse: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Browse the box on the full terminal screen.",
    discussion: """
      Shows filters, the list and the note side by side if the terminal is wide enough. QUERY selects the \
      notes of the first list; see slip help query. Changes by other programs appear immediately. A change \
      here runs a slip command and makes one commit. The key : runs any command; @ in a command means the \
      marked notes, or else the note under the cursor.

      Keys:
      \(ScreenHelp.lines.map { "  " + $0 }.joined(separator: "\n"))

      The keys 1 to 9 run the actions of the note's kind, in their order. slip config --user \
      browse.keys \
      "delete=X retitle=R" changes the keys of actions. The actions are \
      \(ScreenHelp.names.joined(separator: ", ")).

      Examples:
        slip browse
        slip browse @my-day
        slip browse kind:issue is:active
      """)

  @Argument(help: ArgumentHelp("The notes of the first list; all by default.", valueName: "query"))
  var query: [Word] = []

  @Flag(
    name: .option(.mouse), inversion: .prefixedNo,
    help:
      "Use the mouse. Most terminals then select text only with Shift; --no-mouse leaves the mouse to the terminal."
  )
  var mouse = true

  @OptionGroup var global: GlobalOptions

  /// Commands that open a program on the terminal, ask on it, or go on until Ctrl-C.
  private static let onTerminal: Set<String> = ["edit", "daily", "sync", "page", "browse", "lsp"]

  /// Commands of many notes that can show their patch and be run without a question.
  static let patching: Set<CommandName> = [.do, .set, .move, .remove]

  func run(in session: Session) throws {
    guard environment("TERM") != "dumb" else {
      throw SlipboxError(
        .usage, "slip browse needs a terminal that can move the cursor, and TERM is dumb",
        hints: ["in scripts, use slip list and slip show"])
    }
    let snapshot = try session.openBox(fetchesHistory: false)
    // A query that can't be read is said before the screen is taken.
    _ = try snapshot.query(query.texts)
    let root = snapshot.box.root
    let slip = Files.ownProgram ?? CommandEnvironment.thisProgram
    let colour: [[UInt8]] = session.style.colour ? [] : [Array(OptionName.noColor.typed.utf8)]
    let make = session.contextOfEachChange
    let context = { @Sendable in make(root, Reporter { _ in }) }
    let circumstances = ScreenCircumstances(
      slip: { words in
        [Array("env".utf8), Array("\(CommandEnvironment.faceVariable)=browse".utf8), slip]
          + [Array(OptionName.box.typed.utf8), root] + colour + words.map { ByteText.bytes(of: $0) }
      },
      style: session.style.withoutLinks, usesMouse: mouse,
      keys: Settings.user(session.context)["browse.keys"] ?? "",
      context: context,
      complete: { Self.candidates($0, slip, root) },
      needsTerminal: { words in
        Self.onTerminal.contains(words.first ?? "") || words.contains(OptionName.edit.typed)
          || words.contains("-e")
      },
      showsPatch: Self.showsPatch)
    let name = ByteText.text(of: BytePath.name(of: root))
    let screen = try ScreenProgram(snapshot, named: name, circumstances)
    throw EarlyExit(code: screen.run(query.texts.map(Self.term).joined(separator: " ")))
  }

  /// The completions of a line of words, as for a shell.
  private static func candidates(_ words: [String], _ slip: [UInt8], _ box: [UInt8]) -> [Candidate] {
    let asking = [slip] + ["_complete", "zsh", OptionName.box.typed].map { Array($0.utf8) }
    // Without an answer nothing is offered.
    let answer = try? ChildProcess.capture(asking + [box] + words.map { ByteText.bytes(of: $0) })
    return (answer?.output ?? []).split(separator: UInt8(ascii: "\n")).compactMap { line in
      let parts = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 1)
      return parts.first.flatMap { Candidate(String($0), parts.count > 1 ? String(parts[1]) : "") }
    }
  }

  /// An argument as a term of a query on one line: quoted if it contains blanks.
  private static func term(_ argument: String) -> String {
    guard argument.contains(" "), !argument.contains("\""), let colon = argument.firstIndex(of: ":") else {
      return argument
    }
    return "\(argument[...colon])\"\(argument[argument.index(after: colon)...])\""
  }

  /// Whether a command can show its patch and be run without a question.
  private static func showsPatch(_ words: [String]) -> Bool {
    guard let first = words.first else { return false }
    return CommandName(rawValue: first).map(patching.contains) ?? CommandName.actions.contains(first)
  }
}

/// Gives the terminal back where slip browse is killed; started by it.
struct GuardTerminal: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: TerminalGuard.command, abstract: "Restore the terminal if slip browse is killed.",
    shouldDisplay: false)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws { TerminalGuard.run() }
}
