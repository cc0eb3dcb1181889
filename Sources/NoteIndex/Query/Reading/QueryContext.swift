import Notes
import Text

/// The clock, the kinds and the filters by which the terms of a query are read.
///
/// Each filter is read once, however often it is named.
final class QueryContext {
  /// The maximum depth of filters that use one another.
  private static let deepestNesting = 8
  /// The most terms of the expanded filters; the terms of a filter that is used twice count twice.
  private static let mostTerms = 10_000

  let clock: ClockReading
  let schema: Schema
  private let filters: [String: String]
  /// The kind whose query is read; nil for a user's.
  private let purpose: (KindQuery.Purpose, kind: String)?
  /// The filters that are being read, outermost first.
  private var path: [String] = []
  private var known: [String: QueryNode] = [:]
  /// The queries of the filters that were read, by their names.
  private(set) var texts: [String: String] = [:]
  private var termCount = 0
  private var tests: [ActiveTest.Question: ActiveTest] = [:]

  init(
    clock: ClockReading, schema: Schema, filters: [String: String] = [:],
    purpose: (KindQuery.Purpose, kind: String)? = nil, ownKind: Kind? = nil,
    names: @escaping () -> KnownNames? = { nil }
  ) {
    self.ownKind = ownKind
    askNames = names
    self.clock = clock
    self.schema = schema
    self.filters = filters
    self.purpose = purpose
  }

  /// Whether the query of a kind is read.
  var isOfKind: Bool { purpose != nil }

  /// The kind whose own query is read, as it is declared.
  let ownKind: Kind?

  private let askNames: () -> KnownNames?

  /// The names and values of the box; nil if the query is parsed without its notes.
  private(set) lazy var names: KnownNames? = askNames()

  /// The test behind `is:active` and `is:waiting`.
  ///
  /// - Throws: a fault in a kind's own queries, which it would lead back to.
  func test(_ question: ActiveTest.Question, at range: Range<Int>) throws(QueryFault) -> ActiveTest {
    let term = question == .waiting ? "is:waiting" : "is:active"
    switch purpose {
    case (.active, let kind)?: throw circle("active: of \(kind)", term, at: range)
    case (.waiting, let kind)?: throw circle("waiting: of \(kind)", term, at: range)
    case (.match, _)?:
      throw QueryFault("\(term) can't be used here: it depends on the kind", at: range)
    case (.urgency, _)?, nil: break
    }
    let test = tests[question] ?? ActiveTest(question, schema: schema, clock: clock)
    tests[question] = test
    return test
  }

  private func circle(_ key: String, _ term: String, at range: Range<Int>) -> QueryFault {
    let steps = [key] + path.map { "@\($0)" } + [term, key]
    return QueryFault("\(term) refers to itself here: \(steps.joined(separator: ", "))", at: range)
  }

  /// Returns the test of `is:blocked` and `is:blocking`.
  ///
  /// - Throws: a fault in a query that defines a kind or a state, because such a query may depend only on the note
  ///   itself.
  func dependency(
    _ question: DependencyTest.Question, at range: Range<Int>
  ) throws(QueryFault) -> DependencyTest {
    if let purpose, purpose.0 != .urgency {
      throw QueryFault("is:\(question) can't be used here: it depends on other notes", at: range)
    }
    return DependencyTest(question, open: try test(.open, at: range))
  }
}

extension QueryContext {
  /// Reads `@name` as the query of that filter.
  func filter(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    let name = word.value.dropFirst().text
    guard let (name, query) = query(of: name) else { throw unknown(name, word) }
    if let start = path.firstIndex(where: name.hasSameBytes) {
      let circle = (path[start...] + [name]).map { "@\($0)" }
      throw QueryFault(
        "@\(name) refers to itself: \(circle.joined(separator: ", "))", at: word.range, filterName: name)
    }
    let node = if let node = known[name] { node } else { try read(query, of: name, at: word.range) }
    known[name] = node
    termCount += node.size
    guard termCount <= Self.mostTerms else {
      throw QueryFault(
        "@\(name) has too many terms: at most \(Self.mostTerms) are read", at: word.range, filterName: name)
    }
    return .filter(name, node)
  }

  private func read(_ query: String, of name: String, at range: Range<Int>) throws(QueryFault) -> QueryNode {
    guard path.count < Self.deepestNesting else {
      let steps = (path + [name]).map { "@\($0)" }.joined(separator: ", ")
      throw QueryFault("@\(name) is nested too deeply: \(steps)", at: range, filterName: name)
    }
    let arguments = QueryArguments([query])
    guard arguments.bytes.count <= QuerySyntax.longestQuery else {
      throw QueryFault("@\(name): the query is too long", at: range, filterName: name)
    }
    texts[name] = query
    path.append(name)
    defer { path.removeLast() }
    do throws(QueryFault) {
      let reader = QueryTermReader(self)
      var parser = QueryParser(arguments.bytes, try reader.tokens(of: arguments), reader, isFilter: true)
      return try parser.parse()
    } catch {
      // The innermost filter with the fault is named and shown.
      if error.filter != nil { throw error }
      throw QueryFault(
        error.filterName == nil ? "@\(name): \(error.message)" : error.message, at: error.range,
        hint: error.hint, filter: arguments.bytes, filterName: error.filterName ?? name)
    }
  }

  /// Whether a name is that of a filter.
  func hasFilter(_ name: String) -> Bool { query(of: name) != nil }

  private func query(of name: String) -> (name: String, query: String)? {
    let lower = name.lowercased()
    if let filter = SmartFilters.builtIn.first(where: { $0.name == lower }) { return filter }
    return Self.filter(of: name, among: Array(filters.keys)).flatMap { name in
      filters[name].map { (name, $0) }
    }
  }

  /// The filter of a box that a name means, by its exact name, else without regard to case; built-in ones go first.
  fileprivate static func filter(of name: String, among names: [String]) -> String? {
    let lower = name.lowercased()
    if SmartFilters.builtIn.contains(where: { $0.name == lower }) { return nil }
    if names.contains(name) { return name }
    return names.filter { $0.lowercased() == lower }.min()
  }

  private func unknown(_ name: String, _ word: QueryWord) -> QueryFault {
    if let outer = path.last {
      return QueryFault(
        "\(QueryValue.excerpt(word.value)) is not a filter", at: word.range,
        hint: "@\(outer) uses it", filterName: name)
    }
    let names = SmartFilters.builtIn.map(\.name) + filters.keys.sorted()
    let quoted = "to search for the text, quote it: '\(QueryValue.quoted(word.value.bytes))'"
    let near = Spelling.nearest(to: name, among: names).map { "did you mean @\($0)?" }
    return QueryFault(
      "\(QueryValue.excerpt(word.value)) is not a filter", at: word.range, hint: near ?? quoted,
      filterName: name)
  }
}

/// The names and values of the notes of a box. They decide whether a value in a query continues after a blank.
package struct KnownNames {
  /// Whether a note has a field of a name, in any case.
  let hasField: (_ name: String) -> Bool
  /// Whether a name means a record of a kind, or several.
  let meansRecord: (_ name: String, _ kind: Kind) -> Bool
  /// Whether a name means a note, or several.
  let meansNote: (_ name: String) -> Bool
  /// Whether a note passes a test.
  let isThere: (QueryNode) -> Bool
  /// Whether a note of a queried kind has a field of a name that passes a test.
  let isBorne: (QueryNode, _ field: String, _ isAsked: (_ kind: String) -> Bool) -> Bool
}

/// Queries with names, used as `@name`.
package enum SmartFilters {
  /// The filters that every box has, in the order in which they are shown.
  package static let builtIn: [(name: String, query: String)] = [
    ("all", ""),
    ("recent", "modified:7d"),
    ("issues", "kind:issue"),
    ("books", "kind:book"),
    ("tasks", "kind:task"),
    ("my-day", "kind:task my-day:today"),
    ("overdue", "is:active due:..yesterday"),
    ("leftover", "is:active my-day:..yesterday"),
    ("waiting", "is:waiting"),
  ]
}

extension Query {
  /// The text of a query with another name for a filter that it uses; all else stays as it is typed.
  ///
  /// - Parameter names: the names of all filters of the box.
  package static func renaming(
    filter old: String, to new: String, in text: String, among names: [String]
  ) -> String {
    var bytes = Array(text.utf8)
    guard let tokens = try? QueryArguments([text]).tokens(isField: { _ in false }) else { return text }
    for token in tokens.joined().reversed() {
      guard case .word(let word) = token.kind, word.sign == nil, word.name == nil,
        word.value.first?.isPlain("@") == true, let range = word.value.dropFirst().range,
        QueryContext.filter(of: word.value.dropFirst().text, among: names)?.hasSameBytes(as: old) == true
      else { continue }
      bytes.replaceSubrange(range, with: new.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
