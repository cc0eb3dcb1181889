import Notes
import Text

/// A query narrowed to an entry's key, path and stored facts, which are known before its note is made.
indirect enum EntryFilter: Sendable {
  /// Whether an entry is among those asked for.
  enum Answer: Sendable {
    case no, yes
    /// Only the note tells.
    case unknown

    init(_ isWanted: Bool) { self = isWanted ? .yes : .no }
  }

  case always(Answer)
  case created([DateInterval])
  case modified([DateInterval])
  case path([PathPattern])
  /// The answers by the numbers of kinds.
  case kind([Answer], StoredFacts)
  /// The filters by the numbers of kinds.
  case byKind([EntryFilter], StoredFacts)
  /// The answers by the numbers of lists of field names.
  case fields([Answer], StoredFacts)
  /// The answers by the values of a field.
  case values([Answer], FieldColumn)
  /// Whether one of the tags is wanted, by their numbers.
  case tags([Bool], StoredFacts)
  case hasTags(StoredFacts)
  case not(EntryFilter)
  case all([EntryFilter])
  case any([EntryFilter])

  /// The filter of a query on some entries.
  ///
  /// - Parameter executor: reads the values of fields that are kept, where they were not asked for yet.
  init(_ node: QueryNode, _ schema: Schema, of entries: Entries, executor: ParallelExecutor? = nil) {
    self.init(node, Known(schema: schema, entries: entries, facts: entries.facts, executor: executor))
  }

  /// The filter of active notes among some entries.
  init(active test: ActiveTest, of entries: Entries, executor: ParallelExecutor? = nil) {
    let known = Known(schema: test.schema, entries: entries, facts: entries.facts, executor: executor)
    self.init(.active(test), known)
  }

  /// What is known of all entries.
  private struct Known {
    let schema: Schema
    let entries: Entries
    /// Those of the stored entries; nil where there are none.
    let facts: StoredFacts?
    let executor: ParallelExecutor?
  }

  private init(_ node: QueryNode, _ known: Known) {
    switch node {
    case .everything: self = .always(.yes)
    case .not(let inner): self = .not(EntryFilter(inner, known))
    case .filter(_, let inner): self.init(inner, known)
    case .and(let parts): self = .all(parts.map { EntryFilter($0, known) })
    case .or(let parts): self = .any(parts.map { EntryFilter($0, known) })
    case .term(let term): self.init(term.condition, known)
    }
  }

  private init(_ condition: QueryCondition, _ known: Known) {
    switch condition {
    case .created(let intervals): self = .created(intervals)
    case .modified(let intervals): self = .modified(intervals)
    case .path(let patterns): self = .path(patterns)
    default: self = known.facts.map { EntryFilter(condition, known, $0) } ?? .always(.unknown)
    }
  }

  private init(_ condition: QueryCondition, _ known: Known, _ facts: StoredFacts) {
    switch condition {
    case .tag(let globs):
      self = .tags(facts.tags.map { tag in globs.contains { $0.covers(Self.folded(tag)) } }, facts)
    case .kind(let globs):
      self = .kind(facts.kinds.map { kind in Answer(globs.contains { $0.covers(Self.folded(kind)) }) }, facts)
    case .field(let name, _): self.init(known, facts, named: name, missing: .no, condition)
    case .has(let names):
      self = .any(names.map { .not(EntryFilter(known, facts, lacking: $0)) })
    case .lacks(let name): self.init(known, facts, lacking: name)
    case .declared(let test):
      self = .byKind(facts.kinds.map { EntryFilter(test.node(ofKind: $0), known) }, facts)
    case .active(let test):
      self = .byKind(facts.kinds.map { EntryFilter(test.node(ofKind: $0), known) }, facts)
    case .typed(let test):
      guard let missing = test.holdsWithoutField else {
        self = .always(.unknown)
        return
      }
      self.init(known, facts, named: test.field.name, missing: Answer(missing), condition)
    case .referring(let test):
      if test.kind.hasDefault(test.field.name) {
        self = .always(.unknown)
      } else {
        self.init(known, facts, named: test.field.name, missing: .no, condition)
      }
    case .conflicted:
      self.init(known, facts, named: ConflictEntry.fieldName, missing: .no, condition)
    default: self = .always(.unknown)
    }
  }

  /// The answers to a condition that depends on the fields of a name alone, compared without case and diacritics.
  ///
  /// - Parameter missing: the answer for notes without such a field.
  private init(
    _ known: Known, _ facts: StoredFacts, named name: String, missing: Answer, _ condition: QueryCondition
  ) {
    if let column = known.entries.column(of: name, facts, known.executor) {
      var answers = column.examples.map { Answer(condition.holds(for: Entry(undated: $0), modified: nil)) }
      answers[0] = missing
      self = .values(answers, column)
      return
    }
    self = .fields(
      facts.fieldLists.map { list in
        list.contains { $0.hasSameLetters(as: name) || $0.isSameName(as: name) } ? .unknown : missing
      }, facts)
  }

  /// Whether a field is absent or empty.
  private init(_ known: Known, _ facts: StoredFacts, lacking name: String) {
    switch name {
    case "tag", "tags": self = .not(.hasTags(facts))
    case "path", "modified": self = .always(.no)
    case "title", "body", "id", "created", "kind": self = .always(.unknown)
    default: self.init(known, facts, named: name, missing: .yes, .lacks(name))
    }
  }

  private static func folded(_ name: String) -> [UInt8] { Folding.fold(Array(name.utf8)[...]) }
}
