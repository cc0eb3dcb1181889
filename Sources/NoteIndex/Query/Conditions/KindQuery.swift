package import Notes

/// A query that a kind declares.
struct KindQuery: Sendable {
  /// Which of its queries it is.
  enum Purpose: String, Sendable { case active, waiting, match, urgency }

  let kind: String
  let node: QueryNode

  init(_ kind: String, _ node: QueryNode) {
    self.kind = kind
    self.node = node
  }

  /// Whether the query matches a note.
  func holds(for entry: Entry) -> Bool { node.matches(entry, modified: nil) }
}

/// A fault in a query that a kind declares.
package struct KindQueryProblem: Sendable {
  package let kind: String
  /// The key in the declaration: `match`, `active`, `waiting` or `urgency`.
  package let key: String
  /// The place of the query in the list under that key; nil if the key has a single query.
  package let index: Int?
  package let error: QueryError

  package init(kind: String, key: String, index: Int? = nil, error: QueryError) {
    self.kind = kind
    self.key = key
    self.index = index
    self.error = error
  }
}

/// The test for active, open or waiting records, by the `active:` and `waiting:` queries of their kind.
package struct ActiveTest: Sendable {
  /// A question about the state of records.
  package enum Question: Sendable {
    /// Whether they are open, and put off to no later day.
    case active
    /// Whether they are open, put off or not.
    case open
    /// Whether they are open and put off.
    case waiting
  }

  /// The tests by the names of kinds that have one; others have the usual answer.
  private let nodes: [String: QueryNode]
  private let usual: Bool
  let schema: Schema
  /// Queries that can't be read; they count as if they were not there.
  let problems: [KindQueryProblem]

  init(
    _ question: Question, open: [KindQuery], waiting: [KindQuery], _ schema: Schema,
    problems: [KindQueryProblem]
  ) {
    // No two kinds of a schema have one name.
    var nodes = Dictionary(open.map { ($0.kind, $0.node) }, uniquingKeysWith: { first, _ in first })
    if question != .open {
      for query in waiting {
        let later = question == .active ? query.node.negated : query.node
        nodes[query.kind] = .all([nodes[query.kind] ?? .everything, later].filter { !$0.isEverything })
      }
    }
    if question == .waiting {
      let kinds = Set(waiting.map(\.kind))
      nodes = nodes.filter { kinds.contains($0.key) }
    }
    usual = question != .waiting
    self.nodes = nodes
    self.schema = schema
    self.problems = problems
  }

  /// Whether the answer is yes for a record. A plain note, and a record whose kind declares nothing, is always active.
  package func isActive(_ entry: Entry) -> Bool { node(ofKind: entry.kind).matches(entry, modified: nil) }

  /// The test of the records of a kind.
  func node(ofKind name: String) -> QueryNode {
    let known = schema.kind(named: name).flatMap { nodes[$0.name] }
    return known ?? (usual ? .everything : .not(.everything))
  }
}

extension QueryNode {
  var isEverything: Bool { if case .everything = self { true } else { false } }
}

/// Computes the urgency of records: the sum of the weights of the matching terms of their kind.
///
/// A record that is not open has no urgency. Neither has a record of a kind that declares none.
package struct UrgencyMeter: Sendable {
  /// One term with its parsed query.
  struct Test: Sendable {
    let term: UrgencyTerm
    let node: QueryNode
  }

  private let tests: [String: [Test]]
  private let open: ActiveTest
  /// The terms that can't be read; they count nothing.
  let problems: [KindQueryProblem]

  /// - Parameters:
  ///   - tests: the tests of each kind, by its name.
  ///   - open: the test for open records.
  init(_ tests: [String: [Test]], open: ActiveTest, problems: [KindQueryProblem]) {
    self.tests = tests
    self.open = open
    self.problems = problems
  }

  /// Returns the terms that match a record, in the order of its kind; nil if the record has no urgency.
  package func terms(of entry: Entry) -> [UrgencyTerm]? {
    guard let kind = open.schema.kind(named: entry.kind), let tests = tests[kind.name], open.isActive(entry)
    else { return nil }
    return tests.filter { $0.node.matches(entry, modified: nil) }.map(\.term)
  }

  /// Returns the urgency of a record; nil if it has none.
  package func urgency(of entry: Entry) -> Weight? { terms(of: entry).map(Self.sum) }

  /// Returns the sum of the weights of terms.
  package static func sum(_ terms: [UrgencyTerm]) -> Weight {
    Weight(hundredths: terms.reduce(0) { $0 + $1.weight.hundredths })
  }

  /// Whether the records of a kind have an urgency.
  package func isKnown(ofKind name: String) -> Bool {
    open.schema.kind(named: name).map { !$0.urgency.isEmpty } ?? false
  }

  /// Returns the same with its dependency tests replaced by the records that pass them.
  func answering(_ answer: (QueryNode) -> QueryNode) -> UrgencyMeter {
    let asked = QueryNode.or(tests.values.flatMap { $0.map(\.node) })
    guard asked.asksDependencies else { return self }
    return UrgencyMeter(
      tests.mapValues { tests in
        guard case .or(let nodes) = answer(.or(tests.map(\.node))) else { return tests }
        return zip(tests, nodes).map { Test(term: $0.term, node: $1) }
      }, open: open, problems: problems)
  }
}
