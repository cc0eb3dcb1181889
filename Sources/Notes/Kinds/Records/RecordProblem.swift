/// A field of a record that breaks the record's kind.
package struct RecordProblem: Error, Equatable, Sendable {
  /// The field, as the kind names it.
  package let field: String
  /// The line of the field in the file, from 1; nil where it is missing.
  package let line: Int?
  /// Field, value and what is allowed, on one line.
  package let message: String
  /// The command or value to type next.
  package let hint: String?
  /// Whether the kind requires a field that is not there.
  package let isMissing: Bool
  /// The change that would mend it, where one is obvious.
  package let fix: Change?
  /// The change of another field that would bring the two into their order.
  var mover: Change?
  /// The same text for the same problem: rule, fields and the wrong values.
  let identity: String

  init(
    field: String, line: Int?, message: String, hint: String? = nil, isMissing: Bool = false,
    fix: Change? = nil, identity: String
  ) {
    self.field = field
    self.line = line
    self.message = message
    self.hint = hint
    self.isMissing = isMissing
    self.fix = fix
    self.identity = identity
  }

  /// The problem with a hint at the change of the other field, unless that field is among those that were made.
  func advising(beside changes: [Change]) -> RecordProblem {
    guard case .set(let name, let value)? = mover,
      !changes.contains(where: { $0.fieldName.isSameName(as: name) })
    else { return self }
    return RecordProblem(
      field: field, line: line, message: message,
      hint: (hint.map { "\($0); " } ?? "") + "\(name):\(value) beside it moves \(name) too",
      isMissing: isMissing, fix: fix, identity: identity)
  }
}

/// Why changes of a record were refused; nothing was changed.
package enum RecordError: Error, Equatable, Sendable {
  /// They make a record that breaks its kind: never empty.
  case refused([RecordProblem])
  case edit(EditError)
}

/// The record that a reference names, as the box knows it.
package enum ReferenceAnswer: Equatable, Sendable {
  /// The key of the record.
  case found(String)
  /// The names of the records that it may be.
  case ambiguous([String])
  case none
  /// No record; the titles of those that come near.
  case unknown(near: [String])
}
