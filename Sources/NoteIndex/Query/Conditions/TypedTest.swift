import Notes

/// The test of a field by its declared type, for notes of one kind.
///
/// A missing field counts as its default. A value that is not of the type is compared as in a note without a
/// kind, so that it can be found and mended; but it lies in no range of choices. Values that a transition moved to a list
/// count too: a book that was read twice was completed on two days.
final class TypedTest: Sendable {
  /// The test of one value.
  enum Wanted: Sendable {
    /// One of these tests passes.
    case values([ValueTest])
    /// Whether each choice is wanted, by its place; false and true are two choices.
    case choices([Bool])
  }

  private let kind: Kind
  let field: Field
  private let wanted: Wanted
  private let wrong: [ValueTest]
  private let hasEarlierValues: Bool

  init(_ kind: Kind, _ field: Field, _ wanted: Wanted, wrong: [ValueTest]) {
    self.kind = kind
    self.field = field
    self.wanted = wanted
    self.wrong = wrong
    hasEarlierValues = kind.keepsEarlierValues(of: field.name)
  }

  func holds(for note: Note) -> Bool {
    if hasEarlierValues, kind.earlierValues(of: field, in: note).contains(where: passes) { return true }
    guard let value = kind.value(of: field.name, in: note) else {
      let texts = note.value(of: field.name) ?? []
      return texts.contains { text in wrong.contains { $0.passes(text) } }
    }
    if case .list(let elements) = value { return elements.contains(where: passes) }
    return passes(value)
  }

  /// Whether no value of the field's type can be what is asked for.
  var isUnfit: Bool {
    switch wanted {
    case .choices(let wanted): return !wanted.contains(true)
    case .values(let tests):
      switch field.type {
      case .integer: return tests.allSatisfy { !$0.asksNumber }
      case .date, .moment: return tests.allSatisfy { !$0.asksDate }
      default: return false
      }
    }
  }

  /// Whether the test passes for notes that lack the field; nil where that depends on more of the note.
  var holdsWithoutField: Bool? {
    hasEarlierValues || Self.derived.contains { $0.hasSameLetters(as: field.name) }
      ? nil : holds(for: Kind.emptyNote)
  }

  /// The fields that a note has from wherever.
  static let derived = ["title", "tags", "created", "id", "kind", "aliases"]

  private func passes(_ value: TypedValue) -> Bool {
    switch (wanted, value) {
    case (.values(let tests), _):
      let text = field.written(value)
      return tests.contains { $0.passes(text) }
    case (.choices(let wanted), .choice(let place)): return wanted.indices.contains(place) && wanted[place]
    case (.choices(let wanted), .boolean(let flag)): return wanted[flag ? 1 : 0]
    default: return false
    }
  }
}
