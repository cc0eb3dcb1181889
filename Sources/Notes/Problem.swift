/// A fault found in a note, with the place to look at.
package struct Problem: Error, Equatable, Sendable {
  /// How much a fault hinders.
  package enum Severity: Sendable {
    /// The front-matter can't be changed.
    case error
    /// Worth a word; changes are still possible.
    case warning
  }

  package let severity: Severity
  /// The line in the file, from 1.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int
  /// What is wrong, without the place.
  package let message: String

  package init(severity: Severity, line: Int, column: Int, message: String) {
    self.severity = severity
    self.line = line
    self.column = column
    self.message = message
  }
}

/// Why a change of front-matter was refused; nothing was changed.
package enum EditError: Error, Equatable, Sendable {
  /// The front-matter can't be read as YAML, so it is never rewritten.
  case unreadable(Problem)
  /// The field is there in a form that can't be changed without harm to the rest.
  case opaque(field: String, line: Int, reason: String)
  /// The value or the name can't be written as a field.
  case unsettable(field: String, reason: String)
}
