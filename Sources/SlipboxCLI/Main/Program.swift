import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore
package import SlipboxHost
import Text

/// The whole program: runs `slip` with the command line of the process.
package enum Program {
  /// Runs the command that the process was started with.
  /// - Parameter revision: the commit that the program was built from; empty if unknown.
  package static func main(in environment: CommandEnvironment = .system, revision: String = "") {
    Signals.failWritesBeyondLimit()
    let progress = ProgressLine(patienceMilliseconds: environment.patienceMilliseconds)
    let console = Console(progress)
    let arguments = Array(Arguments.typed.dropFirst())
    let makeSession = { Session($0, environment, progress, console) }
    if arguments.first == ShellCompletion.command {
      CurrentProcess.exit(ShellCompletion(makeSession).run(Array(arguments.dropFirst())))
    }
    do {
      if arguments == ["--version"] { return try console.print(Version.line(revision: revision) + "\n") }
      if Set(arguments) == ["--version", "--verbose"], arguments.count == 2 {
        return try console.print(Version.details(revision: revision))
      }
      if arguments.contains(CommandName.help), let text = helpPage(arguments) {
        return try makeSession(options(of: arguments)).showHelp { _ in text }
      }
      if let program = OwnProgram(arguments) { CurrentProcess.exit(try program.run(makeSession)) }
      let (line, parsed) = try givingBack(arguments, console) {
        let line: Arguments
        do { line = try Arguments(arguments) } catch {
          throw UnknownCommand.action(in: arguments) { try makeSession(options(of: arguments)).openBox() }
            ?? error
        }
        do {
          return (line, try parse(line.words))
        } catch let error as SlipboxError where error.fact == .unexpectedArgument {
          throw line.doubtful.first?.unread ?? error
        }
      }
      var command = parsed
      if let command = command as? any SlipCommand {
        let session = makeSession(command.global)
        return try session.givingWarnings {
          try givingBack(arguments, console) {
            for word in line.doubtful { try word.refuse(in: { try session.openBox() }) }
          }
          do { try command.run(in: session) } catch let error as SlipboxError {
            throw UnquotedTitle(error, arguments) { try session.openBox() }?.error
              ?? ReferenceHints.refusal(error, arguments, session) ?? error.namingDeletion(arguments, session)
          }
          session.context.reporter.giveRemarks()
        }
      }
      // The parser's own command, which prints help.
      try command.run()
    } catch {
      let failure = Failure(console) { try makeSession(options(of: arguments)).showHelp($0) }
      failure.end(error)
    }
  }

  /// Runs a body that may refuse words. If the words say that a text comes from standard input, the text is printed with
  /// the refusal: it is unread, and can't be typed again.
  private static func givingBack<Result>(
    _ words: [String], _ console: Console, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let refusal as SlipboxError {
      let options = [OptionName.body.typed, OptionName.body.letter.map { "-\($0)" }]
      let isNamed = zip(words, words.dropFirst()).contains { options.contains($0) && $1 == "-" }
      guard isNamed || mayReadInput(words), !console.inputIsTerminal, let text = try? console.readInput()
      else { throw refusal }
      throw SlipboxError(refusal.kind, refusal.message, hints: refusal.hints, unsavedText: text)
    }
  }

  /// Whether invalid words may be those of a command that reads its text from standard input, and a text is there. Without
  /// this check, a command that needs no text would block while its input stays open.
  private static func mayReadInput(_ words: [String]) -> Bool {
    let commands = [CommandName.append, .capture, .daily].map(\.rawValue)
    return words.contains { commands.contains($0) }
      && Files.hasInput(descriptor: StandardStream.input, withinMilliseconds: 200)
  }

  /// The overview of all commands, or the topic, that words request; nil for the help of a command.
  private static func helpPage(_ words: [String]) -> String? {
    if HelpScreen.isAsked(by: words) { return HelpScreen.text }
    return HelpTopic.asked(by: words).map { $0.page(isCommand: CommandName.isFirstWord($0.name)) }
  }

  /// The global options among words that request help.
  private static func options(of words: [String]) throws -> GlobalOptions {
    try GlobalOptions.parse(words.contains(OptionName.noPager.typed) ? [OptionName.noPager.typed] : [])
  }

  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    // Help and messages name the command itself.
    let asksHelp = arguments.contains { $0 == "-h" || $0.hasPrefix("--help") }
    // A mistake is parsed again below, with all commands, for its message.
    if !asksHelp, let type = arguments.first.flatMap(SlipboxCommand.command(named:)),
      let command = try? type.parsedAlone(arguments)
    {
      return command
    }
    do {
      return try SlipboxCommand.parseAsRoot(arguments)
    } catch {
      throw Misreading(of: arguments, error)?.error ?? HelpAsked(underlying: error)
    }
  }
}

/// `slip` with a single command, for parsing alone: the parser then reads the declaration of no other command.
///
/// It has the parser's mark of a subordinate command, so that the parser does not look for a request for its own
/// completion script: that takes three quarters of a start.
private struct QuickCommand<Command: ParsableCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "slip", _superCommandName: "slip", version: Version.line, subcommands: [Command.self])
  }
}

extension ParsableCommand {
  /// Parses the words of a command line that begins with this command.
  static func parsedAlone(_ words: [String]) throws -> any ParsableCommand {
    try QuickCommand<Self>.parseAsRoot(words)
  }
}

/// A program of the user's own that is run as a command: `slip NAME` runs `slip-NAME` from the PATH.
struct OwnProgram {
  private let path: [UInt8]
  private let words: [String]
  private let globals: [String]

  /// The program that words name; nil if the first is a command of slip's, or there is no such program.
  ///
  /// Folders of the PATH that are not absolute are left out, for they may be in a box: nothing of a box is run.
  init?(_ typed: [String]) {
    let (globals, rest) = Arguments.splittingGlobals(typed)
    guard let name = rest.first, Self.isName(name), !CommandName.isFirstWord(name) else { return nil }
    let file = Array("slip-\(name)".utf8)
    let folders = (environment("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    let paths = folders.map { BytePath.join(Array($0.utf8), file) }
    guard let path = paths.first(where: { Files.isAccessible($0, for: .running) && !Files.isFolder($0) })
    else {
      return nil
    }
    self.path = path
    words = Array(rest.dropFirst())
    self.globals = globals
  }

  /// Letters, digits and dashes, and no dash before them.
  private static func isName(_ word: String) -> Bool {
    let isPlain = { (byte: UInt8) in
      (byte | 0x20) &- UInt8(ascii: "a") < 26 || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
    }
    return !word.isEmpty && !word.hasPrefix("-") && word.utf8.allSatisfy(isPlain)
  }

  /// Runs the program on this terminal, with the box in `SLIPBOX` if there is one.
  ///
  /// - Returns: its exit status, or 128 plus the number of the signal that ended it.
  /// - Throws: if the named folder is not a box, or the program is in the box.
  func run(_ makeSession: (GlobalOptions) -> Session) throws -> Int32 {
    let options = try GlobalOptions.parse(globals)
    let session = makeSession(options)
    var box: [UInt8]?
    do {
      box = try session.openBox().box.root
    } catch {
      if options.box != nil { throw error }
    }
    if let box, (Files.realPath(path) ?? path).starts(with: box + [UInt8(ascii: "/")]) {
      throw SlipboxError(
        .notPermitted,
        "\(String(decoding: path, as: UTF8.self)) is in the box: slip runs no programs from a box",
        hints: ["move it to a folder of your PATH outside the box"])
    }
    let variable = box.map { [Array("env".utf8), Array("SLIPBOX=".utf8) + $0] } ?? []
    do throws(SystemError) {
      switch try ChildProcess.run(variable + [path] + words.map { ByteText.bytes(of: $0) }) {
      case .code(let code): return code
      case .signal(let number): return 128 + number
      }
    } catch {
      throw SlipboxError(error)
    }
  }
}

/// A request for help or the version, found by the argument parser.
struct HelpAsked: Error {
  let underlying: any Error
}

/// The only conversion of an error to a message, hints and an exit status.
struct Failure {
  private let console: Console
  private let showHelp: (_ text: (_ columns: Int?) -> String) throws -> Void

  /// - Parameter showHelp: shows a text of help that is made for the width of the screen.
  init(_ console: Console, showHelp: @escaping (_ text: (_ columns: Int?) -> String) throws -> Void) {
    self.console = console
    self.showHelp = showHelp
  }

  /// Prints an error in words and ends the process with its code.
  func end(_ error: any Error) -> Never {
    switch error {
    case let error as SlipboxError: report(error)
    case let error as EarlyExit: CurrentProcess.exit(error.code)
    case let error as HelpAsked: endParsing(error.underlying)
    case let error as QueryError: report(SlipboxError(error))
    case let error as SystemError: report(SlipboxError(error))
    // Help is printed by a command of the parser's own.
    case _ where SlipboxCommand.exitCode(for: error) != .failure: endParsing(error)
    default:
      report(
        SlipboxError(
          .bug, "unexpected: \(String(describing: error))", hints: ["this is a bug in slip; please report it"]
        ))
    }
  }

  /// Requests for help and version are not errors; errors are explained by `Misreading`.
  private func endParsing(_ error: any Error) -> Never {
    do {
      try showHelp { SlipboxCommand.fullMessage(for: error, columns: $0) }
    } catch let other {
      end(other)
    }
    CurrentProcess.exit(0)
  }

  private func report(_ error: SlipboxError) -> Never {
    for line in error.lines { console.complain(line) }
    if !error.unsavedText.isEmpty { console.complain(handingBack: error.unsavedText) }
    CurrentProcess.exit(error.kind.exitCode)
  }
}

/// Other commands for a REF that names no note: a day, the text of a check box, a new note for a part.
enum ReferenceHints {
  /// Returns the refusal with the command that was meant; nil if none is known.
  ///
  /// - Parameter words: the words after `slip`.
  static func refusal(_ error: SlipboxError, _ words: [String], _ session: Session) -> SlipboxError? {
    guard case .noNote(let reference, isNear: false)? = error.fact, let snapshot = try? session.openBox(),
      let command = Arguments.splittingGlobals(words).rest.first,
      let hint = day(reference, command, session) ?? box(reference, command, snapshot)
        ?? part(reference, command, words)
    else { return nil }
    return SlipboxError(
      error.kind, error.message, hints: [hint], fact: error.fact, unsavedText: error.unsavedText)
  }

  /// The daily note of a day.
  private static func day(_ reference: String, _ command: String, _ session: Session) -> Phrase? {
    guard let day = try? PastDay.only(reference, clock: session.context.clock) else { return nil }
    let shown = Visible.escape(ShellWord.quoted(reference))
    switch command {
    case TodayWords.command:
      let days = day.dayNumber - session.context.clock.today.dayNumber
      return days > 0 ? "the days up to then: slip agenda --days \(days)" : nil
    case "append": return "the note of that day: slip daily \(shown) --append TEXT"
    case "show", "edit": return "the note of that day: slip daily \(shown)"
    default: return "the note of that day has the title \(day); slip daily \(shown) creates it"
    }
  }

  /// The list of the boxes whose text has a word that was typed in place of the note.
  private static func box(_ reference: String, _ command: String, _ snapshot: BoxSnapshot) -> Phrase? {
    guard ["tick", "untick", "promote"].contains(command) else { return nil }
    let isPlain = reference.allSatisfy { $0.isLetter || $0.isNumber }
    let term = "todo:" + (isPlain ? reference : "\"\(reference)\"")
    guard let query = try? snapshot.query([term]), let found = try? snapshot.matches(query), !found.isEmpty
    else { return nil }
    return "name the note first; to list the boxes: slip todos \(Visible.escape(ShellWord.quoted(term)))"
  }

  /// The command that makes a note of a part that was to be moved to a note.
  private static func part(_ reference: String, _ command: String, _ words: [String]) -> Phrase? {
    guard command == "mv", words.last == reference,
      let part = words.dropFirst().first(where: { $0 != reference && !NotePart.readings(of: $0).isEmpty })
    else { return nil }
    return "to make a note of the part: slip split \(Visible.escape(ShellWord.quoted(part)))"
  }
}
