import Notes

/// What a term about a field asks of the notes of each kind that declares it, and of all others.
final class DeclaredTest: Sendable {
  /// The fields that the term names.
  let names: [String]
  private let kinds: [(kind: Kind, node: QueryNode)]
  private let otherwise: QueryNode

  init(_ names: [String], _ kinds: [(kind: Kind, node: QueryNode)], otherwise: QueryNode) {
    self.names = names
    self.kinds = kinds
    self.otherwise = otherwise
  }

  /// The fields of kinds that can't have any value that is asked for; empty where one can.
  ///
  /// - Parameter isWanted: the kinds that come into question.
  func unfitFields(_ isWanted: (Kind) -> Bool) -> [(kind: Kind, field: Field)] {
    var unfit: [(Kind, Field)] = []
    for (kind, node) in kinds where isWanted(kind) {
      var isUnfit = false
      node.forEachTerm { term, _ in
        guard case .typed(let test) = term.condition, test.isUnfit else { return }
        isUnfit = true
        unfit.append((kind, test.field))
      }
      guard isUnfit else { return [] }
    }
    return unfit
  }

  func holds(for entry: Entry) -> Bool {
    let reading = kinds.first { $0.kind.name.hasSameLetters(as: entry.kind) }
    return (reading?.node ?? otherwise).matches(entry, modified: nil)
  }

  /// What can be told before a note is made.
  func filter(_ schema: Schema) -> EntryFilter {
    let nodes = kinds.map(\.node) + [otherwise]
    let filters = nodes.compactMap { node in node.isNothing ? nil : EntryFilter(node, schema) }
    return filters.contains { $0.isOpen } ? .open : .any(filters)
  }
}

/// What a term asks of a field by its type, for notes of one kind.
///
/// A missing field counts as its default. A value that is not of the type is compared as in a note without a
/// kind, so that it can be found and mended; but it lies in no range of choices.
final class TypedTest: Sendable {
  /// What is asked of one value.
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

  init(_ kind: Kind, _ field: Field, _ wanted: Wanted, wrong: [ValueTest]) {
    self.kind = kind
    self.field = field
    self.wanted = wanted
    self.wrong = wrong
  }

  func holds(for note: Note) -> Bool {
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

  /// What can be told before a note is made: without a default, a field has to be there.
  var filter: EntryFilter {
    kind.hasDefault(field.name) || Self.derived.contains(field.name) ? .open : .words(HeadWords([field.name]))
  }

  /// The fields that a note has from wherever.
  private static let derived: Set<String> = ["title", "tags", "created", "id", "kind", "aliases"]

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
