internal import Text

/// A mistake in the file that declares a kind; the file then counts for nothing.
package struct KindProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file as it was given.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The fault, and the form that was expected.
  package let message: String

  /// The mistake on one line, safe for a terminal.
  package var description: String { "\(Visible.escape(file)):\(line): \(message)" }
}

extension KindFault {
  /// A mistake in a file; nil where its name is that of no kind.
  package init?(file: String, message: String) {
    guard let kind = Schema.kindName(ofFile: file) else { return nil }
    self.init(kind: kind, message: message)
  }
}
