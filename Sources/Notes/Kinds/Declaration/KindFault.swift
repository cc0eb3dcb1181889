/// A kind that can't be used because of a mistake in its file.
package struct KindFault: Equatable, Sendable {
  /// The kind, as its file is named.
  package let kind: String
  /// The file, the line and what is wrong, on one line, safe for a terminal.
  package let message: String

  package init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}
