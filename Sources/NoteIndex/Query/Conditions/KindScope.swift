import Text

/// The kinds that the terms beside a term leave: those that `kind:` names, where it does.
struct KindScope: Sendable {
  /// The names and patterns of each `kind:`; a kind is left that fits one of each.
  private let choices: [[Glob]]

  /// No `kind:` stands beside the term.
  static let all = KindScope([])

  private init(_ choices: [[Glob]]) { self.choices = choices }

  var isNarrow: Bool { !choices.isEmpty }

  /// Whether records of a kind come into question.
  func covers(_ kind: String) -> Bool {
    let name = Folding.fold(Array(kind.utf8)[...])
    return choices.allSatisfy { globs in globs.contains { $0.covers(name) } }
  }

  /// The scope of the parts of a node that asks for all of them.
  func within(_ nodes: [QueryNode]) -> KindScope { KindScope(choices + nodes.flatMap(\.kindChoices)) }
}

extension QueryNode {
  /// The kinds that all notes asked for are of, by each `kind:` that says so.
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
