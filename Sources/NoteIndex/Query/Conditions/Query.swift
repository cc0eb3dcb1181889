package import Notes

/// Which notes are asked for, in which order, and how many.
///
/// Read once from what a user typed, and then asked for any number of notes; it holds no note and no file.
package struct Query: Sendable {
  /// The query as a tree, as it was typed.
  let root: QueryNode
  /// The same with what is cheap first.
  let plan: QueryNode
  /// Whether a term asks when notes were modified.
  let asksModified: Bool
  /// The order asked for, most important first; empty for the usual one.
  package var sort: [SortKey]
  /// The most notes that are wanted.
  package var limit: Int?
  /// The kinds that the query was read by.
  let schema: Schema
  /// The text that the query was read from.
  let source: QuerySource
  /// The clock by which it was read; nil for a query that was not read from a text.
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

  /// The same with another tree.
  func replacing(_ root: QueryNode, needsCatalogue: Bool? = nil) -> Query {
    Query(
      root: root, sort: sort, limit: limit, schema: schema, source: source, clock: clock,
      needsCatalogue: needsCatalogue ?? self.needsCatalogue)
  }

  /// All notes, newest first.
  package static let all = Query(root: .everything)

  /// Says whether a note is asked for.
  ///
  /// - Parameter modified: when the note was last changed; asked for only if `usesModified`.
  /// - Complexity: O(n) in the length of the note at most.
  package func matches(_ entry: Entry, modified: @autoclosure () -> Timestamp) -> Bool {
    plan.matches(entry, modified: asksModified ? modified() : nil)
  }

  /// Says whether a note is asked for, with a time that is there where the query needs it.
  func holds(for entry: Entry, modified: Timestamp?) -> Bool { plan.matches(entry, modified: modified) }
}

extension Query {
  /// Whether the answer depends on when notes were modified.
  package var usesModified: Bool {
    asksModified || order.contains { $0.field.utf8.elementsEqual("modified".utf8) }
  }

  /// The names that have a meaning of their own before a colon.
  package static var builtInNames: Set<String> { QueryNames.fields }

  /// The states that `is:` asks for.
  package static var states: [String] { QueryNames.states }

  /// Whether words are looked for, so that matches can be ranked.
  package var hasText: Bool { !textTerms.isEmpty }

  /// The names of fields that the query speaks of, each once, without those that have a meaning of their own.
  ///
  /// A name that no kind declares and no note has is most likely a mistake.
  package var fieldNames: [String] {
    var names = termNames
    for key in sort where !names.contains(where: { $0.hasSameBytes(as: key.field) }) {
      if !QueryNames.fields.contains(key.field) { names.append(key.field) }
    }
    return names
  }

  /// The names of the fields that terms ask for.
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
  /// The names of the fields that the term asks for.
  var fieldNames: [String] {
    switch self {
    case .field(let name, _), .lacks(let name): [name]
    case .has(let names): names
    case .declared(let test): test.names
    default: []
    }
  }
}
