/// The terms and groups that stand side by side, and what joins them.
struct QueryOperands {
  /// A term or a group.
  struct Operand {
    let node: QueryNode
    let range: Range<Int>
    /// How it is written in a query, where that is not as it stands there.
    let source: String?
  }

  private let query: [UInt8]
  private var operands: [Operand] = []
  /// Between each two operands: whether it is OR.
  private var isAlternative: [Bool] = []
  /// An operator that waits for what follows it.
  private var pending: QueryToken?
  private var firstOr: Range<Int>?

  init(query: [UInt8]) { self.query = query }

  var isEmpty: Bool { operands.isEmpty }

  /// Takes what comes next.
  mutating func append(_ operand: Operand) {
    if !operands.isEmpty {
      if case .or = pending?.kind { isAlternative.append(true) } else { isAlternative.append(false) }
    }
    pending = nil
    operands.append(operand)
  }

  /// Takes an AND or OR.
  mutating func join(_ token: QueryToken) throws(QueryFault) {
    let name = text(token.range)
    if let pending {
      throw QueryFault("there is no term between \(text(pending.range)) and \(name)", at: token.range)
    }
    if operands.isEmpty {
      throw QueryFault("\(name) needs a term before it", at: token.range, hint: Self.quoteHint(name))
    }
    pending = token
    if case .or = token.kind, firstOr == nil { firstOr = token.range }
  }

  /// Joins all.
  ///
  /// - Throws: a fault where OR stands beside terms that it does not join: either reading may be meant.
  func joined() throws(QueryFault) -> QueryNode {
    if let pending {
      let name = text(pending.range)
      throw QueryFault("\(name) needs a term after it", at: pending.range, hint: Self.quoteHint(name))
    }
    guard isAlternative.contains(true) else { return .all(operands.map(\.node)) }
    if isAlternative.allSatisfy({ $0 }) { return .any(operands.map(\.node)) }
    throw QueryFault(
      "OR next to other terms is ambiguous", at: firstOr ?? 0..<0, hint: "write \(readings)")
  }

  static func quoteHint(_ name: String) -> String {
    "to search for the word, write it in lower case or in quotes: '\"\(name)\"'"
  }

  /// The query with parentheses as either reading has them.
  private var readings: String {
    let sources = operands.map { $0.source ?? text($0.range) }
    guard sources.reduce(0, { $0 + $1.utf8.count }) <= 200 else {
      return "group the terms with parentheses"
    }
    let narrow = grouped(sources, by: false, inner: " ", outer: " OR ")
    let wide = grouped(sources, by: true, inner: " OR ", outer: " ")
    return "\(narrow)  or  \(wide)"
  }

  /// Puts parentheses around runs that are joined in one way, and joins them in the other.
  private func grouped(_ sources: [String], by kind: Bool, inner: String, outer: String) -> String {
    var runs: [[String]] = []
    for (index, source) in sources.enumerated() {
      if index > 0, isAlternative[index - 1] == kind {
        runs[runs.count - 1].append(source)
      } else {
        runs.append([source])
      }
    }
    return runs.map { $0.count > 1 ? "(\($0.joined(separator: inner)))" : $0[0] }.joined(separator: outer)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: query[range], as: UTF8.self) }
}
