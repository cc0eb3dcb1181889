/// Joins the terms of a query by its operators and parentheses.
struct QueryParser {
  private let query: [UInt8]
  private let tokens: [QueryToken]
  private let reader: QueryTermReader
  private var position = 0
  private let isFilter: Bool
  /// The order and the limit that the query asks for, with their places.
  private(set) var sort: (keys: [SortKey], range: Range<Int>)?
  private(set) var limit: (count: Int, range: Range<Int>)?

  /// - Parameter isFilter: whether the query is that of a filter and so a part of another, which alone has an order
  ///   and a limit.
  init(_ query: [UInt8], _ tokens: [QueryToken], _ reader: QueryTermReader, isFilter: Bool = false) {
    self.query = query
    self.tokens = tokens
    self.reader = reader
    self.isFilter = isFilter
  }

  /// Reads the whole query.
  ///
  /// - Complexity: O(n).
  mutating func parse() throws(QueryFault) -> QueryNode { try group(openedAt: nil, depth: isFilter ? 1 : 0) }

  /// Reads what stands side by side, up to the end or the parenthesis that closes it.
  private mutating func group(openedAt open: Range<Int>?, depth: Int) throws(QueryFault) -> QueryNode {
    var operands = QueryOperands(query: query)
    var end: Range<Int>?
    while end == nil, position < tokens.count {
      let token = tokens[position]
      position += 1
      switch token.kind {
      case .close:
        guard open != nil else { throw QueryFault("unmatched closing parenthesis", at: token.range) }
        end = token.range
      case .and, .or: try operands.join(token)
      case .not, .open, .word:
        position -= 1
        if let operand = try operand(depth: depth) { operands.append(operand) }
      }
    }
    if let open, end == nil { throw QueryFault("unmatched opening parenthesis", at: open) }
    let node = try operands.joined()
    if let open, let end, operands.isEmpty {
      throw QueryFault("empty parentheses", at: open.lowerBound..<end.upperBound)
    }
    return node
  }

  /// Reads a term or a group with the NOTs before it; nil for an order or a limit.
  private mutating func operand(depth: Int) throws(QueryFault) -> QueryOperands.Operand? {
    let start = position
    var isNegated = false
    while position < tokens.count, case .not = tokens[position].kind {
      isNegated.toggle()
      position += 1
    }
    guard position < tokens.count else { throw missing(after: tokens[position - 1]) }
    let token = tokens[position]
    position += 1
    let lower = tokens[start].range.lowerBound
    switch token.kind {
    case .word(let word):
      guard let node = try term(word, depth: depth, isBare: start == position - 1) else { return nil }
      return QueryOperands.Operand(
        node: isNegated ? node.negated : node, range: lower..<token.range.upperBound,
        source: word.isJoined ? (isNegated ? node.negated : node).described(within: true) : nil)
    case .open:
      guard depth < QuerySyntax.deepestNesting else {
        throw QueryFault(
          "parentheses are nested too deeply", at: token.range,
          hint: "the limit is \(QuerySyntax.deepestNesting) levels")
      }
      let node = try group(openedAt: token.range, depth: depth + 1)
      let upper = tokens[position - 1].range.upperBound
      return QueryOperands.Operand(node: isNegated ? node.negated : node, range: lower..<upper, source: nil)
    case .close, .and, .or, .not:
      throw missing(after: tokens[position - 2])
    }
  }

  private func missing(after token: QueryToken) -> QueryFault {
    let name = String(decoding: query[token.range], as: UTF8.self)
    return QueryFault("\(name) needs a term after it", at: token.range, hint: QueryOperands.quoteHint(name))
  }

  /// Reads a term; an order or a limit is kept apart.
  private mutating func term(
    _ word: QueryWord, depth: Int, isBare: Bool
  ) throws(QueryFault) -> QueryNode? {
    switch try reader.read(word) {
    case .node(let node): return node
    case .sort(let keys):
      try checkDirective("sort:", word.range, first: sort?.range, isAllowed: depth == 0 && isBare)
      sort = (keys, word.range)
    case .limit(let count):
      try checkDirective("limit:", word.range, first: limit?.range, isAllowed: depth == 0 && isBare)
      limit = (count, word.range)
    }
    return nil
  }

  private func checkDirective(
    _ name: String, _ range: Range<Int>, first: Range<Int>?, isAllowed: Bool
  ) throws(QueryFault) {
    if isFilter {
      throw QueryFault(
        "\(name) can't be used in a filter", at: range,
        hint: "write it next to the filter when you use it")
    }
    if !isAllowed {
      throw QueryFault(
        "\(name) applies to the whole query", at: range,
        hint: "move it out of the parentheses or the NOT")
    }
    if first != nil { throw QueryFault("\(name) occurs twice in this query", at: range) }
  }
}
