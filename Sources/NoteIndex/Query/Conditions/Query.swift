import Bytes
package import Notes
import Text

/// A selection of notes with an order and a limit.
///
/// Parsed once from the text that a user typed, then applied to any number of notes. It contains no note and no file.
package struct Query: Sendable {
  /// The query as a tree, as it was typed.
  let root: QueryNode
  /// The same tree with the cheap tests first.
  let plan: QueryNode
  /// Whether a term tests the modification time of notes.
  let asksModified: Bool
  /// The order in the query, most important key first; empty for the default order.
  package var sort: [SortKey]
  /// The maximum number of notes.
  package var limit: Int?
  /// The kinds with which the query was parsed.
  let schema: Schema
  /// The source text of the query.
  let source: QuerySource
  /// The clock with which it was parsed; nil for a query that was not parsed from a text.
  let clock: ClockReading?
  /// Whether a term names records, a value that may be none or a field that no kind declares, and `binding(_:)` has not
  /// checked it yet.
  package let needsCatalogue: Bool

  init(
    root: QueryNode, sort: [SortKey] = [], limit: Int? = nil, schema: Schema = .builtIn,
    source: QuerySource = QuerySource(), clock: ClockReading? = nil, needsCatalogue: Bool? = nil
  ) {
    self.root = root
    plan = root.cheapestFirst
    asksModified = root.asksModified
    self.sort = sort
    self.limit = limit
    self.schema = schema
    self.source = source
    self.clock = clock
    self.needsCatalogue = needsCatalogue ?? root.needsCatalogue(schema)
  }

  /// Returns the same query with another tree.
  func replacing(_ root: QueryNode, needsCatalogue: Bool? = nil) -> Query {
    Query(
      root: root, sort: sort, limit: limit, schema: schema, source: source, clock: clock,
      needsCatalogue: needsCatalogue ?? self.needsCatalogue)
  }

  /// All notes, newest first.
  package static let all = Query(root: .everything)

  /// Whether the query matches a note.
  ///
  /// - Parameter modified: the time of the last change of the note; evaluated only if `usesModified`.
  /// - Complexity: O(n) in the length of the note at most.
  package func matches(_ entry: Entry, modified: @autoclosure () -> Timestamp) -> Bool {
    plan.matches(entry, modified: asksModified ? modified() : nil)
  }

  /// Whether the query matches a note; the time is given if the query needs it.
  func holds(for entry: Entry, modified: Timestamp?) -> Bool { plan.matches(entry, modified: modified) }
}

extension Query {
  /// Whether the answer depends on when notes were modified.
  package var usesModified: Bool {
    asksModified || order.contains { $0.field.utf8.elementsEqual("modified".utf8) }
  }

  /// The built-in names before a colon.
  package static var builtInNames: Set<String> { QueryNames.fields }

  /// The states that `is:` tests.
  package static var states: [String] { QueryNames.states }

  /// Whether the query has words, so that matches can be ranked.
  package var hasText: Bool { !textTerms.isEmpty }

  /// The names of fields in the query, each once, without the built-in names.
  ///
  /// A name that no kind declares and no note has is most likely a mistake.
  package var fieldNames: [String] {
    var names = termNames
    for key in sort where !names.contains(where: { $0.hasSameBytes(as: key.field) }) {
      if !QueryNames.fields.contains(key.field) { names.append(key.field) }
    }
    return names
  }

  /// The names of the fields that terms test.
  var termNames: [String] {
    var names: [String] = []
    var seen: Set<[UInt8]> = []
    let add = { (name: String) in
      guard !QueryNames.fields.contains(name), seen.insert(Array(name.utf8)).inserted else {
        return
      }
      names.append(name)
    }
    root.forEachTerm { term, _ in
      term.condition.fieldNames.forEach(add)
    }
    return names
  }

  /// Returns how the query was read, with its operators spelled out, in a form that reads the same again.
  package func described() -> String {
    var parts = [root.spelledOut.described()]
    if case .everything = root, !sort.isEmpty || limit != nil { parts = [] }
    if !sort.isEmpty { parts.append("sort:" + sort.map(\.described).joined(separator: ",")) }
    if let limit { parts.append("limit:\(limit)") }
    return parts.joined(separator: " ")
  }
}

/// The text of a query, for the carets of faults that only a catalogue shows.
struct QuerySource: Sendable {
  /// The query: the arguments with a blank between them.
  var text: [UInt8] = []
  /// The queries of the filters that it uses, by their names.
  var filters: [String: String] = [:]
}

extension QueryNode {
  fileprivate func needsCatalogue(_ schema: Schema) -> Bool {
    var needsCatalogue = false
    forEachTerm { term, _ in
      switch term.condition {
      case .declared(let test):
        if !test.references.isEmpty || !test.misfits.isEmpty { needsCatalogue = true }
      case .field, .has, .lacks:
        if term.condition.fieldNames.contains(where: { !schema.declares($0) }) { needsCatalogue = true }
      default: break
      }
    }
    return needsCatalogue
  }
}

extension QueryCondition {
  /// The names of the fields that the term tests.
  var fieldNames: [String] {
    switch self {
    case .field(let name, _), .lacks(let name): [name]
    case .has(let names): names
    case .declared(let test): test.names
    default: []
    }
  }
}

extension Query {
  /// The kind that the query is about: the one name, without wildcards, of its one `kind:` term that is not
  /// behind NOT or among alternatives, filters spelled out; nil for none or several.
  ///
  /// - Returns: the name as the schema spells it, or folded for an undeclared kind.
  package var kindName: String? {
    let names = root.spelledOut.topKindNames
    guard names.count == 1, let name = names[0] else { return nil }
    let kind = schema.kinds.first { Folding.fold(Array($0.name.utf8)[...]) == name }
    return kind?.name ?? String(decoding: name, as: UTF8.self)
  }

  /// The kinds that terms require or exclude by their full names, folded, each once.
  package var namedKinds: [String] {
    literals { condition, _ in
      if case .kind(let globs) = condition { globs.map(\.literal) } else { [] }
    }
  }

  /// The tags that terms require by their full names, folded, each once; not those that terms exclude.
  package var namedTags: [String] {
    literals { condition, isWanted in
      if case .tag(let globs) = condition, isWanted { globs.map(\.letters) } else { [] }
    }
  }

  /// The tags that terms exclude by their full names, folded, each once.
  package var excludedTags: [String] {
    literals { condition, isWanted in
      if case .tag(let globs) = condition, !isWanted { globs.map(\.letters) } else { [] }
    }
  }

  private func literals(_ names: (QueryCondition, _ isWanted: Bool) -> [[UInt8]?]) -> [String] {
    var seen: Set<[UInt8]> = []
    var literals: [String] = []
    root.forEachTerm { term, isWanted in
      for case let name? in names(term.condition, isWanted) where seen.insert(name).inserted {
        literals.append(String(decoding: name, as: UTF8.self))
      }
    }
    return literals
  }

  /// The order in which notes are listed: the query's own, else that of its one kind with the creation date after the kind's
  /// keys, else by the date ahead of which the query has a range; empty for newest first.
  var order: [SortKey] {
    if sort.isEmpty, let field = fieldAhead { return [SortKey(field: field, descending: false)] }
    guard sort.isEmpty, let name = kindName, let text = schema.kind(named: name)?.sort,
      let keys = try? SortKey.parse(text)
    else { return sort }
    let namesCreated = keys.contains { $0.field.hasSameBytes(as: "created") }
    return namesCreated ? keys : keys + [SortKey(field: "created", descending: false)]
  }
}

extension Query {
  /// The field of the first top range on a date that lies ahead; nil if the query names kinds.
  private var fieldAhead: String? {
    guard root.spelledOut.topKindNames.isEmpty else { return nil }
    return root.spelledOut.topRangeNames.first { QueryNames.datesAhead.contains($0) }
  }
}

extension QueryNode {
  /// The names of the fields of which top terms ask a range.
  fileprivate var topRangeNames: [String] {
    switch self {
    case .everything, .not, .or, .filter: return []
    case .and(let nodes): return nodes.flatMap(\.topRangeNames)
    case .term(let term):
      switch term.condition {
      case .declared(let test): return test.otherwise.topRangeNames
      case .field(let name, let tests): return tests.contains(where: \.asksSpan) ? [name.lowercased()] : []
      default: return []
      }
    }
  }

  /// The literal names, folded, of the top `kind:` terms; nil for one with wildcards or several names.
  fileprivate var topKindNames: [[UInt8]?] {
    switch self {
    case .everything, .not, .or, .filter: return []
    case .and(let nodes): return nodes.flatMap(\.topKindNames)
    case .term(let term):
      guard case .kind(let globs) = term.condition else { return [] }
      return [globs.count == 1 ? globs[0].literal : nil]
    }
  }
}

extension Glob {
  /// The whole name that alone is covered; nil for a pattern.
  fileprivate var literal: [UInt8]? { reach == .whole ? letters : nil }

  /// The letters that a name has to begin with or to be; nil for a pattern.
  fileprivate var letters: [UInt8]? {
    var bytes: [UInt8] = []
    for step in steps {
      guard case .byte(let byte) = step else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

extension Query {
  /// Whether a term tests links or dependencies between notes. The answers require all notes of a box.
  package var asksOthers: Bool {
    var asksOthers = false
    root.forEachTerm { term, _ in
      switch term.condition {
      case .links, .dependency: asksOthers = true
      default: break
      }
    }
    return asksOthers
  }

  /// The texts that name notes in terms about links.
  package var references: [String] {
    var references: [String] = []
    root.forEachTerm { term, _ in
      if case .links(let test) = term.condition { references += test.references }
    }
    return references
  }

  /// Replaces the texts that name notes in terms about links by the notes.
  package func naming<Failure: Error>(
    _ note: (String) throws(Failure) -> Note?
  ) throws(Failure) -> Query {
    let root = try root.mappingLinks { (test) throws(Failure) in try test.naming(note) }
    return replacing(root)
  }
}

extension Query {
  /// Whether the answer may be another one on another day, although no note has changed.
  ///
  /// Wide rather than wrong: a term with dates counts, whether they are relative to today or not.
  package var mayDependOnTime: Bool {
    var mayDepend = false
    root.forEachTerm { term, _ in
      switch term.condition {
      case .text, .title, .body, .kind, .tag, .path, .id, .has, .lacks, .untitled, .conflicted, .links: break
      case .todo(let test): if case .due = test.question { mayDepend = true }
      case .created, .modified, .field, .declared, .typed, .referring, .active, .dependency: mayDepend = true
      }
    }
    return mayDepend
  }
}

extension Query {
  /// A field that a query compares with values which no record can have.
  package struct UnfitField: Sendable {
    /// The kinds that declare the field, and how each does.
    package let declarations: [(kind: Kind, field: Field)]
  }

  /// Returns the fields whose queried values are all invalid for the kinds that declare them: no choice, number or date
  /// of the field.
  ///
  /// - Parameter isWanted: whether a kind counts: whether it has records.
  package func unfitFields(_ isWanted: (Kind) -> Bool) -> [UnfitField] {
    var unfit: [UnfitField] = []
    root.forEachTerm { term, isAskedFor in
      guard isAskedFor, case .declared(let test) = term.condition else { return }
      let declarations = test.unfitFields(isWanted)
      if !declarations.isEmpty { unfit.append(UnfitField(declarations: declarations)) }
    }
    return unfit
  }

  /// The words of the query that look like a comparison and are text, because no note has such a field: `yaer<1995` and
  /// `yaer < 1995`, each with the word before its sign; nil for a sign by itself.
  var comparisonsAsText: [(name: String?, range: Range<Int>)] {
    var comparisons: [(name: String?, range: Range<Int>)] = []
    var last: (name: String, range: Range<Int>)?
    root.forEachTerm { term, isAskedFor in
      guard isAskedFor, case .text = term.condition else { return last = nil }
      let letters = term.reading.filter { $0 != "\"" }
      let signs = letters.utf8.filter { QueryComparisons.isSign($0) }
      let name = String(letters.prefix { !$0.utf8.contains(where: QueryComparisons.isSign) })
      let isComparison = ["<", ">", "<=", ">=", "=", "=="].contains(String(decoding: signs, as: UTF8.self))
      if isComparison, signs.count == letters.utf8.count {
        comparisons.append((last?.name, last?.range ?? term.range))
      } else if isComparison, name.utf8.first.map(ASCII.isWord) == true {
        comparisons.append((name, term.range))
      }
      last = isComparison ? nil : (name, term.range)
    }
    return comparisons
  }

  /// Whether a word of the query looks like a comparison, which it is not: `year>=1990`, or `>=` by itself.
  package var hasComparisonAsText: Bool { !comparisonsAsText.isEmpty }

  /// The names before the signs of such comparisons.
  package var namesComparedAsText: [String] { comparisonsAsText.compactMap(\.name) }
}
