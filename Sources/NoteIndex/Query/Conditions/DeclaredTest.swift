import Notes

/// The test of a field: one for the notes of each kind that declares it, and one for all others.
final class DeclaredTest: Sendable {
  /// The fields that the term names.
  let names: [String]
  private let kinds: [(kind: Kind, node: QueryNode)]
  /// The test for notes whose kind does not declare the fields.
  let otherwise: QueryNode
  /// The kinds that declare the one field, and how each does; empty for a term that compares no value.
  let fields: [(kind: Kind, field: Field)]
  /// The parts of the value that a kind which declares the field could not hold.
  let misfits: [Misfit]

  init(
    _ names: [String], _ kinds: [(kind: Kind, node: QueryNode)], otherwise: QueryNode,
    fields: [(kind: Kind, field: Field)] = [], misfits: [Misfit] = []
  ) {
    self.names = names
    self.kinds = kinds
    self.otherwise = otherwise
    self.fields = fields
    self.misfits = misfits
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

  /// The tests of references to records, of all kinds that declare the field.
  var references: [ReferenceTest] {
    var references: [ReferenceTest] = []
    for (_, node) in kinds {
      node.forEachTerm { term, _ in
        if case .referring(let test) = term.condition { references.append(test) }
      }
    }
    return references
  }

  /// The same with other tests of references.
  func mappingReferences(_ transform: (ReferenceTest) -> ReferenceTest) -> DeclaredTest {
    let mapped = kinds.map { kind, node in
      let node = node.mappingTerms { term, _ in
        if case .referring(let test) = term.condition { .referring(transform(test)) } else { term.condition }
      }
      return (kind: kind, node: node)
    }
    return DeclaredTest(names, mapped, otherwise: otherwise, fields: fields, misfits: misfits)
  }

  /// Whether a note is of a kind that does not declare the field, so that the term compares its text.
  func isAskedAsText(of entry: Entry) -> Bool {
    !fields.contains { $0.kind.name.hasSameLetters(as: entry.kind) }
  }

  func holds(for entry: Entry) -> Bool { node(ofKind: entry.kind).matches(entry, modified: nil) }

  /// The test for the notes of a kind.
  func node(ofKind name: String) -> QueryNode {
    kinds.first { $0.kind.name.hasSameLetters(as: name) }?.node ?? otherwise
  }
}
