import Bytes
package import Text

/// Holds a note against its kind.
struct RecordCheck {
  let kind: Kind
  let note: Note
  let resolve: (_ kind: String, _ typed: String) -> ReferenceAnswer

  /// Everything that breaks the kind: field by field, then the constraints.
  ///
  /// Front-matter that can't be read has faults of its own, and none of these.
  func problems() -> [RecordProblem] {
    guard note.frontMatter.isWritable else { return [] }
    return kind.allFields.flatMap(problems) + kind.constraints.flatMap(problems)
  }

  private func problems(with field: Field) -> [RecordProblem] {
    let raw = note.value(named: field.name)
    if raw?.text?.isPlaceholder == true { return [] }
    do throws(ValueRefusal) {
      let stored = try field.stored(raw ?? .empty)
      let effective = try kind.value(of: field, in: note)
      guard let value = stored ?? effective else {
        let message = "missing, and kind \(kind.name) requires it"
        return field.isRequired ? [problem(field, message, isMissing: true)] : []
      }
      return emptiness(of: field, value) + dangling(field, stored)
    } catch {
      let fix = raw.flatMap { field.obviousFix(for: $0) }
      return [problem(field, error.message, isWhole: true, fix: fix)]
    }
  }

  private func emptiness(of field: Field, _ value: TypedValue) -> [RecordProblem] {
    guard field.isNotEmpty, case .text(let text) = value, text.withoutBlanksAround.isEmpty else { return [] }
    return [problem(field, "empty, and kind \(kind.name) requires a text")]
  }

  private func dangling(_ field: Field, _ value: TypedValue?) -> [RecordProblem] {
    guard field.type == .reference, let target = field.target, let value else { return [] }
    return value.elements.compactMap { element in
      guard case .reference(let name) = element else { return nil }
      let answer = resolve(target, name)
      if case .found = answer { return nil }
      let fix: Change? = field.onDelete == .detach && answer == .none ? detaching(name, field) : nil
      return RecordProblem.reference(name, field, answer, line: line(of: field), fix: fix)
    }
  }

  private func detaching(_ name: String, _ field: Field) -> Change {
    field.isList ? .remove(name, field: field.name) : .clear(field: field.name)
  }

  private func problem(
    _ field: Field, _ message: String, isWhole: Bool = false, isMissing: Bool = false, fix: Change? = nil
  ) -> RecordProblem {
    let message = isWhole ? message : "\(Visible.escape(field.name)): \(message)"
    return RecordProblem(
      field: field.name, line: line(of: field), message: message, isMissing: isMissing, fix: fix,
      identity: message)
  }

  private func line(of field: Field) -> Int? { note.field(named: field.name)?.line }
}

extension RecordCheck {
  private func problems(with constraint: Constraint) -> [RecordProblem] {
    switch constraint {
    case .order(let names): disorder(of: names, constraint.sentence)
    case .only(let name, let other, let values): misplaced(name, other, values)
    }
  }

  private func disorder(of names: [String], _ sentence: String) -> [RecordProblem] {
    var problems: [RecordProblem] = []
    var last: (field: Field, value: TypedValue)?
    for field in names.compactMap({ kind.field($0) }) {
      guard let value = kind.value(of: field.name, in: note) else { continue }
      if let last, value.orderKey.lexicographicallyPrecedes(last.value.orderKey) {
        let (own, earlier) = (shown(value, field), shown(last.value, last.field))
        let word = field.isTime ? "before" : "below"
        var problem = RecordProblem(
          field: field.name, line: line(of: field),
          message: "\(field.name): \(own) is \(word) \(last.field.name) \(earlier)", hint: Phrase(sentence),
          identity: "\(sentence): \(own), \(earlier)")
        if field.isTime { problem.mover = .set(field: last.field.name, value: field.written(value)) }
        problems.append(problem)
      }
      // Of fields with one value the first is named: the others often follow from it.
      if let known = last, known.value.orderKey == value.orderKey { continue }
      last = (field, value)
    }
    return problems
  }

  private func misplaced(_ name: String, _ other: String, _ allowed: [String]) -> [RecordProblem] {
    guard let field = kind.field(name), let condition = kind.field(other),
      let own = try? field.ownValue(in: note)
    else { return [] }
    let state = kind.value(of: condition.name, in: note)
    if let state, allowed.contains(where: { condition.matches($0, state) }) { return [] }
    let found = state.map { "is \(shown($0, condition))" } ?? "has no value"
    let value = shown(own, field)
    return [
      RecordProblem(
        field: field.name, line: line(of: field),
        message: "\(field.name): \(value) is not allowed while \(condition.name) \(found)",
        hint: "\(field.name) is allowed if \(condition.name) is \(allowed.joined(separator: " or "))",
        identity: "\(field.name) only where \(condition.name): \(value)")
    ]
  }

  private func shown(_ value: TypedValue, _ field: Field) -> String { Visible.escape(field.written(value)) }
}

extension String {
  /// Whether the text is `{{date}}` or the like: a template's, to be filled in later.
  fileprivate var isPlaceholder: Bool {
    utf8.starts(with: "{{".utf8) && utf8.suffix(2).elementsEqual("}}".utf8)
  }
}

extension TypedValue {
  /// The sort key, by which days and moments compare too.
  fileprivate var orderKey: [UInt8] { day.map { TypedValue.date($0).sortKey } ?? sortKey }
}

extension Field {
  /// Says whether a text of the declaration means a value.
  func matches(_ text: String, _ value: TypedValue) -> Bool { (try? single(text)) == value }

  /// The change that turns a wrong value into the one that was surely meant.
  fileprivate func obviousFix(for value: FieldValue) -> Change? {
    guard !isList, let text = value.text else { return nil }
    switch type {
    case .choice: return Spelling.nearest(to: text, among: values).map { .set(field: name, value: $0) }
    case .date: return Timestamp.adopted(text).map { .set(field: name, value: $0.civilDate.description) }
    default: return nil
    }
  }
}

extension RecordProblem {
  /// A reference that names no record, or several.
  static func reference(
    _ name: String, _ field: Field, _ answer: ReferenceAnswer, line: Int?, fix: Change? = nil
  ) -> RecordProblem {
    let (start, shown) = (Visible.escape(field.name), Visible.escape(name))
    let target = field.target ?? "note"
    if case .ambiguous(let candidates) = answer {
      let names = candidates.map { Visible.escape($0) }.joined(separator: ", ")
      let message = "\(start): \(shown) matches more than one \(target)"
      return RecordProblem(
        field: field.name, line: line, message: message, hint: "one of: \(names)", identity: message)
    }
    let message = "\(start): there is no \(target) \(shown)"
    var hint: Phrase = "\(slip: "list", .value("kind:\(target)")) shows them"
    if case .unknown(let near) = answer { hint = "did you mean: \(near.joined(separator: ", "))" }
    return RecordProblem(
      field: field.name, line: line, message: message, hint: hint, fix: fix, identity: message)
  }
}

/// A field of a record that breaks the record's kind.
package struct RecordProblem: Error, Equatable, Sendable {
  /// The field, as the kind names it.
  package let field: String
  /// The line of the field in the file, from 1; nil if it is missing.
  package let line: Int?
  /// The field, the value and the allowed values, on one line.
  package let message: String
  /// The command or value to type next.
  package let hint: Phrase?
  /// Whether the kind requires a field that is not there.
  package let isMissing: Bool
  /// The change that repairs it, if one is obvious.
  package let fix: Change?
  /// The change of another field that would bring the two into their order.
  var mover: Change?
  /// The same text for the same problem: rule, fields and the wrong values.
  let identity: String

  init(
    field: String, line: Int?, message: String, hint: Phrase? = nil, isMissing: Bool = false,
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
      hint: (hint.map { "\($0); " } ?? "" as Phrase) + "add \(name):\(value) to change \(name) too",
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
