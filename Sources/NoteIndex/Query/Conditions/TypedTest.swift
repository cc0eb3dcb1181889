import Notes

/// The test of a field by its declared type, for notes of one kind.
///
/// A missing field counts as its default. A value that is not of the type is compared as in a note without a
/// kind, so that it can be found and repaired; but it lies in no range of choices. Values that a transition moved to a list
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

  /// Whether no value of the field's type can match.
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

  /// Whether the test passes for notes that lack the field; nil if the answer depends on more of the note.
  var holdsWithoutField: Bool? {
    hasEarlierValues || Self.derived.contains { $0.hasSameLetters(as: field.name) }
      ? nil : holds(for: Kind.emptyNote)
  }

  /// The fields that a note may derive from other sources than the field.
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

extension QueryNode {
  /// No note at all.
  static var nothing: QueryNode { .not(.everything) }

  /// Whether the node matches no note.
  var isNothing: Bool {
    if case .not(.everything) = self { return true }
    return false
  }

  /// The same with the names of filters replaced by their queries, unless these match everything.
  var spelledOut: QueryNode {
    switch self {
    case .everything, .term, .filter(_, .everything): self
    case .filter(_, let node): node.spelledOut
    case .not(let node): node.spelledOut.negated
    case .and(let nodes): .all(nodes.map(\.spelledOut))
    case .or(let nodes): .any(nodes.map(\.spelledOut))
    }
  }

  /// The maximum number of nodes to test.
  var size: Int {
    switch self {
    case .everything, .term: 1
    case .not(let node), .filter(_, let node): 1 + node.size
    case .and(let nodes), .or(let nodes): nodes.reduce(1) { $0 + $1.size }
    }
  }

  /// Returns the same node for a field that a kind declares: each test of a value becomes one for its type.
  func typed(_ kind: Kind, _ field: Field, _ adapt: (ValueTest) -> ValueTest) -> QueryNode {
    switch self {
    case .everything: return self
    case .not(let node): return .not(node.typed(kind, field, adapt))
    case .and(let nodes): return .and(nodes.map { $0.typed(kind, field, adapt) })
    case .or(let nodes): return .or(nodes.map { $0.typed(kind, field, adapt) })
    case .filter(let name, let node): return .filter(name, node.typed(kind, field, adapt))
    case .term(let term):
      guard case .field(_, let tests) = term.condition else { return self }
      let test = TypedTest(kind, field, .values(tests.map(adapt)), wrong: tests)
      return .term(QueryTerm(condition: .typed(test), range: term.range, reading: term.reading))
    }
  }

  /// The tests of the values of fields.
  var fieldTests: [ValueTest] {
    var found: [ValueTest] = []
    forEachTerm { term, _ in
      if case .field(_, let tests) = term.condition { found += tests }
    }
    return found
  }

  /// Whether values are compared as text alone.
  var comparesText: Bool { fieldTests.allSatisfy(\.comparesText) }
}

extension ValueTest {
  var isRange: Bool { if case .within = self { true } else { false } }

  fileprivate var comparesText: Bool {
    switch self {
    case .like(_, let number, let dates): number == nil && dates == nil
    case .exactly, .present: true
    case .within: false
    }
  }

  /// The test of a value as text, whatever it resembles.
  var asText: ValueTest {
    switch self {
    case .like(let pattern, _, _): .like(pattern, number: nil, dates: nil)
    case .within(let range): .within(range.asText)
    case .exactly, .present: self
    }
  }

  /// The test of a value that names a record: by its text, but in ranges of numbers by size.
  var asReference: ValueTest { isRange ? withoutDates : asText }

  /// The test of a value as a number, whatever else it resembles.
  var withoutDates: ValueTest {
    switch self {
    case .like(let pattern, let number, _): .like(pattern, number: number, dates: nil)
    case .within(let range): .within(ValueRange(lower: range.lower, upper: range.upper, dates: nil))
    case .exactly, .present: self
    }
  }
}

extension ValueRange {
  fileprivate var asText: ValueRange {
    ValueRange(lower: lower?.asText, upper: upper?.asText, dates: nil)
  }
}

extension ValueRange.Bound {
  fileprivate var asText: ValueRange.Bound {
    ValueRange.Bound(number: nil, folded: folded, isInside: isInside)
  }

  private init(number: DecimalNumber?, folded: [UInt8], isInside: Bool) {
    self.number = number
    self.folded = folded
    self.isInside = isInside
  }
}
