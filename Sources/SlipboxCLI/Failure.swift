import ArgumentParser
import Glibc
import NoteIndex
import Platform
import SlipboxCore
import Text

/// A mistake that the argument parser found.
struct ParsingFailure: Error {
  let underlying: any Error
}

/// Ends a command with an exit code and nothing more to say.
struct Silent: Error {
  let code: Int32
}

/// The one place where an error becomes a message, hints and an exit code.
enum Failure {
  /// Prints what an error has to say and ends the process with its code.
  static func end(_ error: any Error) -> Never {
    switch error {
    case let error as SlipboxError: report(error)
    case let error as Silent: leave(error.code)
    case let error as ParsingFailure: endParsing(error.underlying)
    case let error as QueryError: report(SlipboxError(error))
    case let error as SystemError: report(SlipboxError(error))
    // Help is printed by a command of the parser's own.
    case _ where SlipboxCommand.exitCode(for: error) != .failure: endParsing(error)
    default:
      report(SlipboxError(.bug, "unexpected: \(error)", hints: ["this is a bug of slip; please report it"]))
    }
  }

  /// Help and version asked for are no mistakes; the rest is one, with the parser's own words.
  private static func endParsing(_ error: any Error) -> Never {
    let text = SlipboxCommand.fullMessage(for: error)
    if SlipboxCommand.exitCode(for: error) == .success {
      do { try Console.print(text + "\n") } catch { end(error) }
      leave(0)
    }
    let unmarked = String(text.map { $0 == "\u{1}" ? "" : String($0) }.joined())
    var lines = unmarked.split(separator: "\n").map(String.init)
    let first = lines.isEmpty ? "what was typed can't be read" : lines.removeFirst()
    let message = first.hasPrefix("Error: ") ? String(first.dropFirst("Error: ".count)) : first
    Console.complain("slip: \(lowercasedFirst(message))")
    for line in lines where !line.isEmpty { Console.complain(line) }
    leave(ExitCodes.code(.usage))
  }

  private static func report(_ error: SlipboxError) -> Never {
    for line in lines(of: error) { Console.complain(line) }
    leave(ExitCodes.code(error.kind))
  }

  /// An error in words: what it is, then the hints.
  static func lines(of error: SlipboxError) -> [String] {
    ["slip: \(error.message)"] + error.hints.map { "  \($0)" }
  }

  private static func leave(_ code: Int32) -> Never { exit(code) }

  private static func lowercasedFirst(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// The exit codes, by sysexits.h.
enum ExitCodes {
  static let nothingFound: Int32 = 1

  static func code(_ kind: SlipboxError.Kind) -> Int32 {
    switch kind {
    case .usage: 64
    case .badData: 65
    case .notFound: 66
    case .unavailable: 69
    case .bug: 70
    case .cannotCreate: 73
    case .inputOutput: 74
    case .busy: 75
    case .notPermitted: 77
    case .configuration: 78
    }
  }
}

extension SlipboxError {
  /// A query that can't be read: the query with a caret under the fault.
  init(_ error: QueryError) {
    let bytes = Array(error.query.utf8)
    let before = Visible.escape(bytes[..<min(error.range.lowerBound, bytes.count)])
    let fault = Visible.escape(
      bytes[min(error.range.lowerBound, bytes.count)..<min(error.range.upperBound, bytes.count)])
    let carets = String(repeating: "^", count: max(1, CellWidth.of(fault)))
    let indent = String(repeating: " ", count: CellWidth.of(before))
    self.init(
      .usage, error.message,
      hints: [Visible.escape(bytes), indent + carets] + (error.hint.map { [$0] } ?? []))
  }
}
