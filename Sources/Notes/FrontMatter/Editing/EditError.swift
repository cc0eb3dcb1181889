/// Why a change of front-matter was refused; nothing was changed.
package enum EditError: Error, Equatable, Sendable {
  /// The front-matter can't be read as YAML, so it is never rewritten.
  case unreadable(Problem)
  /// The field is there in a form that can't be changed without harm to the rest.
  case opaque(field: String, line: Int, reason: String)
  /// The value or the name can't be written as a field.
  case unsettable(field: String, reason: String)
}
