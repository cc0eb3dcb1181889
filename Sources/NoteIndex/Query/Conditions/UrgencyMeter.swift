package import Notes

/// Works out how urgent records are: the sum of the weights of those terms of their kind that fit.
///
/// A record that is not open has no urgency, and neither has one of a kind that declares none.
package struct UrgencyMeter: Sendable {
  /// One term, ready to be asked.
  struct Test: Sendable {
    let term: UrgencyTerm
    let node: QueryNode
  }

  private let tests: [String: [Test]]
  private let open: ActiveTest
  /// The terms that can't be read; they count nothing.
  let problems: [KindQueryProblem]

  /// - Parameters:
  ///   - tests: those of each kind, by its name.
  ///   - open: tells which records are open.
  init(_ tests: [String: [Test]], open: ActiveTest, problems: [KindQueryProblem]) {
    self.tests = tests
    self.open = open
    self.problems = problems
  }

  /// The terms that fit a record, in the order of its kind; nil where it has no urgency.
  package func terms(of entry: Entry) -> [UrgencyTerm]? {
    guard let kind = open.schema.kind(named: entry.kind), let tests = tests[kind.name], open.isActive(entry)
    else { return nil }
    return tests.filter { $0.node.matches(entry, modified: nil) }.map(\.term)
  }

  /// How urgent a record is; nil where it has no urgency.
  package func urgency(of entry: Entry) -> Weight? { terms(of: entry).map(Self.sum) }

  /// What the weights of terms add up to.
  package static func sum(_ terms: [UrgencyTerm]) -> Weight {
    Weight(hundredths: terms.reduce(0) { $0 + $1.weight.hundredths })
  }

  /// Whether the records of a kind have an urgency.
  package func isKnown(ofKind name: String) -> Bool {
    open.schema.kind(named: name).map { !$0.urgency.isEmpty } ?? false
  }

  /// The same with the records that pass the tests of what blocks.
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
