import Bytes
import Notes
import Text

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

  /// Returns the fields of kinds that can't have any of the queried values; empty if the field of one kind can.
  ///
  /// - Parameter isWanted: whether a kind is in the scope of the query.
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

  /// Returns the same test with other tests of references.
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

/// The test of a field that refers to records: whether it means the record of a name.
final class ReferenceTest: Sendable {
  let kind: Kind
  let field: Field
  /// The name of the record, as it was typed.
  let name: String
  /// The range of the name in the text that was read.
  let range: Range<Int>
  /// The test of the value as text, for a name that means no record.
  let plain: QueryNode
  /// The record that the name means; nil before a catalogue has resolved the name, and if the name means no record.
  private let record: ReferredRecord?

  init(
    _ kind: Kind, _ field: Field, name: String, range: Range<Int>, plain: QueryNode,
    record: ReferredRecord? = nil
  ) {
    self.kind = kind
    self.field = field
    self.name = name
    self.range = range
    self.plain = plain
    self.record = record
  }

  /// Returns the same test with the record that the name means.
  func naming(_ record: ReferredRecord) -> ReferenceTest {
    ReferenceTest(kind, field, name: name, range: range, plain: plain, record: record)
  }

  func holds(for entry: Entry) -> Bool {
    guard let record else { return plain.matches(entry, modified: nil) }
    let names = kind.value(of: field.name, in: entry.note)?.names ?? []
    return names.contains { record.isMeant(by: $0) }
  }
}

/// The kinds to which other terms limit a term: those that `kind:` names, if there is one.
struct KindScope: Sendable {
  /// The names and patterns of each `kind:`; a kind in the scope matches one of each.
  private let choices: [[Glob]]

  /// The scope without a `kind:` beside the term.
  static let all = KindScope([])

  private init(_ choices: [[Glob]]) { self.choices = choices }

  var isNarrow: Bool { !choices.isEmpty }

  /// Whether records of a kind are in the scope.
  func covers(_ kind: String) -> Bool {
    let name = Folding.fold(Array(kind.utf8)[...])
    return choices.allSatisfy { globs in globs.contains { $0.covers(name) } }
  }

  /// Returns the scope of the parts of a conjunction.
  func within(_ nodes: [QueryNode]) -> KindScope { KindScope(choices + nodes.flatMap(\.kindChoices)) }
}

extension QueryNode {
  /// The kinds to which each `kind:` limits all matching notes.
  fileprivate var kindChoices: [[Glob]] {
    switch self {
    case .everything, .not: return []
    case .filter(_, let node): return node.kindChoices
    case .and(let nodes): return nodes.flatMap(\.kindChoices)
    case .or(let nodes):
      let choices = nodes.map { $0.kindChoices.first ?? [] }
      return choices.contains(where: \.isEmpty) ? [] : [choices.flatMap { $0 }]
    case .term(let term):
      guard case .kind(let globs) = term.condition else { return [] }
      return [globs]
    }
  }
}

extension Kind {
  /// An empty note, whose only values are defaults.
  static let emptyNote = Note(path: [], text: NoteText([]))

  /// The field of a name that the kind itself declares.
  func declaredField(_ name: String) -> Field? { fields.first { $0.name.hasSameLetters(as: name) } }

  /// Whether a missing field counts as a value.
  func hasDefault(_ name: String) -> Bool {
    declaredField(name)?.defaultValue != nil && value(of: name, in: Self.emptyNote) != nil
  }
}

extension Schema {
  /// Whether a kind declares a field of a name.
  func declares(_ name: String) -> Bool { kinds.contains { $0.declaredField(name) != nil } }
}

extension Entry {
  /// Whether a field is absent or empty; a kind that matches is not absent.
  func lacks(_ name: String) -> Bool {
    note.lacks(name) && (!name.hasSameBytes(as: "kind") || kind.hasSameBytes(as: note.kind))
  }
}

extension Note {
  /// Whether a merge left conflicts, which the field `conflicts` names.
  var isConflicted: Bool {
    switch frontMatter.field(ConflictEntry.fieldName)?.value {
    case nil, .empty: false
    case .text(let text): !text.utf8.allSatisfy(ASCII.isBlank)
    case .list(let elements): !elements.isEmpty
    case .map(let entries): !entries.isEmpty
    }
  }
}
