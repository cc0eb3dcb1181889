/// Changes one field of a note's front-matter and makes sure that nothing else changed.
struct FrontMatterEditor {
  let text: NoteText
  let reading: FrontMatterReading
  /// Whether a decimal fraction is written without quotes, as whole numbers are.
  let writesFractions: Bool

  /// - Throws: `EditError.unreadable` where the front-matter has an error.
  init(_ text: NoteText, writesFractions: Bool = false) throws(EditError) {
    self.text = text
    self.writesFractions = writesFractions
    reading = FrontMatterReading(text, keepsShapes: true)
    if let problem = reading.problems.first(where: { $0.severity == .error }) { throw .unreadable(problem) }
  }

  func index(of name: String) -> Int? {
    reading.fields.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  /// Returns how a field is written.
  /// - Throws: `EditError.opaque` where it can't be changed.
  func form(of index: Int) throws(EditError) -> FieldShape.Form {
    let form = reading.shapes[index].form
    if case .opaque(let reason) = form { throw opaque(index, reason) }
    return form
  }

  func opaque(_ index: Int, _ reason: String) -> EditError {
    .opaque(field: reading.fields[index].name, line: reading.fields[index].line, reason: reason)
  }

  /// Makes changes and reads the result again by libyaml.
  ///
  /// - Parameter expected: The value that the field must have then, nil where it must be gone.
  /// - Throws: `EditError.opaque` where another field or the body would change.
  func finish(
    _ splices: Splices, _ name: String, expecting expected: FieldValue?
  ) throws(EditError) -> NoteText {
    let result = NoteText(splices.applied(to: text.bytes))
    let after = FrontMatterReading(libyaml: result)
    let sees = after.fields.first { $0.name.hasSameBytes(as: name) }?.value
    let isSound =
      after.problems.allSatisfy { $0.severity != .error } && sees == expected
      && result.bytes.isSame(in: result.body, as: text.bytes, in: text.body)
      && after.hasSameFields(as: reading, except: name)
    guard isSound else {
      let line = index(of: name).map { reading.fields[$0].line } ?? 1
      throw .opaque(field: name, line: line, reason: "the change would alter other parts of the note")
    }
    return result
  }
}

extension FrontMatterReading {
  /// Says whether all fields but one have the same names and values in the same order.
  fileprivate func hasSameFields(as other: FrontMatterReading, except name: String) -> Bool {
    let mine = fields.filter { !$0.name.hasSameBytes(as: name) }
    let theirs = other.fields.filter { !$0.name.hasSameBytes(as: name) }
    return mine.count == theirs.count
      && zip(mine, theirs).allSatisfy { $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value }
  }
}
