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
  /// The fault, without the place.
  package let message: String

  package init(severity: Severity, line: Int, column: Int, message: String) {
    self.severity = severity
    self.line = line
    self.column = column
    self.message = message
  }
}
