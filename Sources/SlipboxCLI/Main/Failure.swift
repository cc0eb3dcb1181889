import ArgumentParser
import Glibc
import NoteIndex
import Platform
import SlipboxCore

/// Help or the version, which the argument parser was asked for.
struct HelpAsked: Error {
  let underlying: any Error
}

/// The one place where an error becomes a message, hints and an exit code.
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
    case let error as EarlyExit: exit(error.code)
    case let error as HelpAsked: endParsing(error.underlying)
    case let error as QueryError: report(SlipboxError(error))
    case let error as SystemError: report(SlipboxError(error))
    // Help is printed by a command of the parser's own.
    case _ where SlipboxCommand.exitCode(for: error) != .failure: endParsing(error)
    default:
      report(SlipboxError(.bug, "unexpected: \(error)", hints: ["this is a bug in slip; please report it"]))
    }
  }

  /// Help and version asked for are no mistakes; mistakes are explained by `Misreading`.
  private func endParsing(_ error: any Error) -> Never {
    do {
      try showHelp { SlipboxCommand.fullMessage(for: error, columns: $0) }
    } catch let other {
      end(other)
    }
    exit(0)
  }

  private func report(_ error: SlipboxError) -> Never {
    for line in error.lines { console.complain(line) }
    if !error.unsavedText.isEmpty { console.complain(handingBack: error.unsavedText) }
    exit(error.kind.exitCode)
  }
}
