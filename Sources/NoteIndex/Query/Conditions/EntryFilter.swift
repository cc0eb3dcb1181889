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
  /// Whether one of the tags is wanted, by their numbers.
  case tags([Bool], StoredFacts)
  case hasTags(StoredFacts)
  case not(EntryFilter)
  case all([EntryFilter])
  case any([EntryFilter])

  /// The filter of a query.
  ///
  /// - Parameter facts: those of the stored entries; nil where there are none.
  init(_ node: QueryNode, _ schema: Schema, _ facts: StoredFacts?) {
    switch node {
    case .everything: self = .always(.yes)
    case .not(let inner): self = .not(EntryFilter(inner, schema, facts))
    case .filter(_, let inner): self.init(inner, schema, facts)
    case .and(let parts): self = .all(parts.map { EntryFilter($0, schema, facts) })
    case .or(let parts): self = .any(parts.map { EntryFilter($0, schema, facts) })
    case .term(let term): self.init(term.condition, schema, facts)
    }
  }

  /// The filter of active notes.
  init(active test: ActiveTest, _ facts: StoredFacts?) {
    self.init(.active(test), test.schema, facts)
  }

  private init(_ condition: QueryCondition, _ schema: Schema, _ facts: StoredFacts?) {
    switch condition {
    case .created(let intervals): self = .created(intervals)
    case .modified(let intervals): self = .modified(intervals)
    case .path(let patterns): self = .path(patterns)
    default: self = facts.map { EntryFilter(condition, schema, $0) } ?? .always(.unknown)
    }
  }

  private init(_ condition: QueryCondition, _ schema: Schema, _ facts: StoredFacts) {
    switch condition {
    case .tag(let globs):
      self = .tags(facts.tags.map { tag in globs.contains { $0.covers(Self.folded(tag)) } }, facts)
    case .kind(let globs):
      self = .kind(facts.kinds.map { kind in Answer(globs.contains { $0.covers(Self.folded(kind)) }) }, facts)
    case .field(let name, _): self.init(facts, named: name, missing: .no)
    case .has(let names): self = .any(names.map { .not(EntryFilter(facts, lacking: $0)) })
    case .lacks(let name): self.init(facts, lacking: name)
    case .declared(let test):
      self = .byKind(facts.kinds.map { EntryFilter(test.node(ofKind: $0), schema, facts) }, facts)
    case .active(let test):
      self = .byKind(
        facts.kinds.map { kind in
          EntryFilter(test.node(ofKind: kind), schema, facts)
        }, facts)
    case .typed(let test):
      guard let missing = test.holdsWithoutField else {
        self = .always(.unknown)
        return
      }
      self.init(facts, named: test.field.name, missing: Answer(missing))
    case .referring(let test):
      if test.kind.hasDefault(test.field.name) {
        self = .always(.unknown)
      } else {
        self.init(facts, named: test.field.name, missing: .no)
      }
    case .conflicted: self.init(facts, named: ConflictEntry.fieldName, missing: .no)
    default: self = .always(.unknown)
    }
  }

  /// The answer for notes without a field of a name, compared without case and diacritics.
  private init(_ facts: StoredFacts, named name: String, missing: Answer) {
    self = .fields(
      facts.fieldLists.map { list in
        list.contains { $0.hasSameLetters(as: name) || $0.isSameName(as: name) } ? .unknown : missing
      }, facts)
  }

  /// Whether a field is absent or empty.
  private init(_ facts: StoredFacts, lacking name: String) {
    switch name {
    case "tag", "tags": self = .not(.hasTags(facts))
    case "path", "modified": self = .always(.no)
    case "title", "body", "id", "created", "kind": self = .always(.unknown)
    default: self.init(facts, named: name, missing: .yes)
    }
  }

  private static func folded(_ name: String) -> [UInt8] { Folding.fold(Array(name.utf8)[...]) }
}

extension EntryFilter {
  /// Says whether the note at a place is asked for, without making it.
  ///
  /// - Parameter modified: when it was last changed, where the query asks for it.
  func answer(for place: Int, of entries: Entries, modified: Timestamp?) -> Answer {
    switch self {
    case .always(let answer): return answer
    case .created(let intervals):
      let created = entries.key(at: place).created
      return Answer(intervals.contains { $0.contains(created) })
    case .modified(let intervals):
      guard let modified else { return .no }
      return Answer(intervals.contains { $0.contains(modified) })
    case .path(let patterns):
      let path = entries.path(at: place)
      return Answer(patterns.contains { $0.covers(path) })
    case .not(let inner):
      switch inner.answer(for: place, of: entries, modified: modified) {
      case .yes: return .no
      case .no: return .yes
      case .unknown: return .unknown
      }
    case .all(let parts): return Self.joined(parts, .no, place, entries, modified)
    case .any(let parts): return Self.joined(parts, .yes, place, entries, modified)
    case .kind(let answers, let facts):
      return entries.kindNumber(at: place, facts).map { answers[$0] } ?? .unknown
    case .byKind(let filters, let facts):
      guard let kind = entries.kindNumber(at: place, facts) else { return .unknown }
      return filters[kind].answer(for: place, of: entries, modified: modified)
    case .fields(let answers, let facts):
      guard let number = entries.storedNumber(at: place) else { return .unknown }
      return facts.fieldsNumber(of: number).map { answers[$0] } ?? .unknown
    case .tags(let areWanted, let facts):
      guard let number = entries.storedNumber(at: place), let tags = facts.tagNumbers(of: number) else {
        return .unknown
      }
      return Answer(tags.contains { areWanted[$0] })
    case .hasTags(let facts):
      return entries.storedNumber(at: place).flatMap(facts.hasTags).map { Answer($0) } ?? .unknown
    }
  }

  /// The answer that settles the matter where one part gives it, else unknown where one part is.
  private static func joined(
    _ parts: [EntryFilter], _ settling: Answer, _ place: Int, _ entries: Entries, _ modified: Timestamp?
  ) -> Answer {
    var answer: Answer = settling == .no ? .yes : .no
    for part in parts {
      let next = part.answer(for: place, of: entries, modified: modified)
      if next == settling { return settling }
      if next == .unknown { answer = .unknown }
    }
    return answer
  }
}
