import NoteIndex
import SlipboxCore
import Text

/// Exit statuses that are an answer, not an error.
enum ExitCode {
  /// Nothing was found.
  static let nothingFound: Int32 = 1
  /// The user left a question, as by Ctrl-C.
  static let interrupted: Int32 = 130
}

extension SlipboxError.Kind {
  /// The exit code of the command, by sysexits.h.
  var exitCode: Int32 {
    switch self {
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
  /// The error in words: the message, then the hints.
  var lines: [String] { ["slip: \(message)"] + hints.map { "  \($0)" } }

  /// A query that can't be read: the query with a caret under the fault.
  init(_ error: QueryError) {
    let bytes = Array(error.query.utf8)
    let before = Visible.escape(bytes[..<min(error.range.lowerBound, bytes.count)])
    let fault = Visible.escape(
      bytes[min(error.range.lowerBound, bytes.count)..<min(error.range.upperBound, bytes.count)])
    let carets = String(repeating: "^", count: max(1, CellWidth.of(fault)))
    let indent = String(repeating: " ", count: CellWidth.of(before))
    self.init(
      .usage, Phrase(error.message),
      hints: [Phrase(bytes), Phrase(indent + carets)] + (error.hint.map { [Phrase($0)] } ?? []))
  }
}

extension SlipboxError {
  /// A refusal whose hints are lines of the command.
  init(_ kind: Kind, _ message: Phrase, lines: [String]) {
    self.init(kind, message, hints: lines.map { Phrase($0) })
  }

  /// The refusal of `-` if standard input has no lines.
  /// - Parameter form: the command lines that work.
  static func emptyInput(_ form: Phrase) -> SlipboxError {
    SlipboxError(.usage, "- reads the notes from standard input, which is empty", hints: [form])
  }
}
