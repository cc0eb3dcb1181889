import ArgumentParser
import Glibc
import Platform
import SlipboxCore
package import SlipboxHost

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
    if arguments.first == CompletionAnswer.command {
      exit(CompletionAnswer(makeSession).run(Array(arguments.dropFirst())))
    }
    do {
      if arguments == ["--version"] { return try console.print(Version.line(revision: revision) + "\n") }
      if Set(arguments) == ["--version", "--verbose"], arguments.count == 2 {
        return try console.print(Version.details(revision: revision))
      }
      if HelpScreen.isAsked(by: arguments) {
        return try makeSession(options(of: arguments)).showHelp { _ in HelpScreen.text }
      }
      if let topic = HelpTopic.asked(by: arguments) {
        return try makeSession(options(of: arguments)).showHelp { _ in topic.text }
      }
      if let program = OwnProgram(arguments) { exit(try program.run(makeSession)) }
      let (line, parsed) = try givingBack(arguments, console) {
        let line = try Arguments(arguments)
        do {
          return (line, try parse(line.words))
        } catch let error as SlipboxError where error.message.hasPrefix("unexpected argument") {
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
          try command.run(in: session)
        }
      }
      // The parser's own command, which prints help.
      try command.run()
    } catch {
      let failure = Failure(console) { try makeSession(options(of: arguments)).showHelp($0) }
      failure.end(error)
    }
  }

  /// Runs a body that may refuse words. Where these say that a text comes from standard input, it is given back with the
  /// refusal: nobody has read it yet, and it can't be typed again.
  private static func givingBack<Result>(
    _ words: [String], _ console: Console, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let refusal as SlipboxError {
      let options = [OptionName.body.typed, OptionName.body.letter.map { "-\($0)" }]
      let isPiped = zip(words, words.dropFirst()).contains { options.contains($0) && $1 == "-" }
      guard isPiped, !console.inputIsTerminal, let text = try? console.readInput() else { throw refusal }
      throw SlipboxError(refusal.kind, refusal.message, hints: refusal.hints, unsavedText: text)
    }
  }

  /// The options of every command among words that ask for help.
  private static func options(of words: [String]) throws -> GlobalOptions {
    try GlobalOptions.parse(words.contains(OptionName.noPager.typed) ? [OptionName.noPager.typed] : [])
  }

  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    // Help and messages name the command itself.
    let asksHelp = arguments.first == "help" || arguments.contains { $0 == "-h" || $0.hasPrefix("--help") }
    // A mistake is parsed again below, by the command whose name stands in the message.
    if !asksHelp, let command = try? QuickCommand.parseAsRoot(arguments) { return command }
    do {
      return try SlipboxCommand.parseAsRoot(arguments)
    } catch {
      throw Misreading(of: arguments, error)?.error ?? HelpAsked(underlying: error)
    }
  }
}

/// The same command for parsing alone, without the parser's look for a request for its own completion script: that
/// takes three quarters of a start.
private struct QuickCommand: ParsableCommand {
  static let configuration: CommandConfiguration = {
    var configuration = SlipboxCommand.configuration
    configuration._superCommandName = "slip"
    return configuration
  }()
}
