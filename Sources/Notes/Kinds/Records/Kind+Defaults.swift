/// The defaults of fields that a note leaves out.
extension Kind {
  /// The declared fields that a note leaves out, each with its default as a note would store it.
  ///
  /// Omits fields without a default, fields whose default is `today`, and the fields that every note has.
  package func missingDefaults(in note: Note) -> [FrontMatterField] {
    fields.compactMap { field in
      guard let value = field.missingDefault(in: note) else { return nil }
      return FrontMatterField(name: field.name, value: value, line: 0, span: 0..<0, isEditable: false)
    }
  }

  /// Returns the default of a field as a note would store it; nil if the note has a value or the field has no default.
  package func missingDefault(of name: String, in note: Note) -> FieldValue? {
    field(name)?.missingDefault(in: note)
  }
}

extension Field {
  /// The value of the field in a note that leaves it out; nil if the field has no lasting default.
  package var standardValue: TypedValue? {
    guard !Self.common.contains(where: { $0.name.isSameName(as: name) }) else { return nil }
    return lastingDefault.flatMap { defaultReading($0) }
  }

  fileprivate func missingDefault(in note: Note) -> FieldValue? {
    guard let value = standardValue, note.lacks(name) else { return nil }
    if case .list(let elements) = value { return .list(elements.map { .text(written($0)) }) }
    return .text(written(value))
  }
}

extension Note {
  /// Whether the note has no field of a name, or one without a value.
  package func lacks(_ name: String) -> Bool {
    guard let value = value(named: name) else { return true }
    return value == .empty
  }
}
