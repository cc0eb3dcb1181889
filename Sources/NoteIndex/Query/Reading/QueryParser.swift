package import Notes

/// Joins the terms of a query by its operators and parentheses.
struct QueryParser {
  private let query: [UInt8]
  private let tokens: [QueryToken]
  private let reader: QueryTermReader
  private var position = 0
  private let isFilter: Bool
  /// The order and the limit in the query, with their ranges.
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

  /// Reads adjacent terms and groups up to the end or the closing parenthesis.
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

  /// Reads a term; stores an order or a limit separately.
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

extension Query {
  /// Parses the arguments of a command: each is one term, or a query of several.
  ///
  /// A value continues after a blank if the longest run of plain words gives a value that the field, a record or a note
  /// has. Examples are `due:next week`, `group:The south wall` and `+Tag 1`. The position of the term does not matter.
  /// - Parameters:
  ///   - schema: the kinds that define the comparison of fields and the active records.
  ///   - filters: queries that may be used as `@name`; the built-in ones take precedence.
  ///   - names: returns the names and values of the box, called if a value may continue after a blank.
  /// - Throws: `QueryError` with the range of the first fault.
  /// - Complexity: O(n); more than 65,536 bytes are refused.
  package static func parse(
    _ arguments: [String], clock: ClockReading, schema: Schema = .builtIn, filters: [String: String] = [:],
    names: @escaping () -> KnownNames? = { nil }
  ) throws(QueryError) -> Query {
    let context = QueryContext(clock: clock, schema: schema, filters: filters, names: names)
    return try parse(QueryArguments(arguments), context)
  }

  /// Parses a query in one text, as in a filter.
  ///
  /// - Throws: `QueryError` with the range of the first fault.
  package static func parse(
    text: String, clock: ClockReading, schema: Schema = .builtIn, filters: [String: String] = [:],
    names: @escaping () -> KnownNames? = { nil }
  ) throws(QueryError) -> Query {
    try parse([text], clock: clock, schema: schema, filters: filters, names: names)
  }

  static func parse(_ arguments: QueryArguments, _ context: QueryContext) throws(QueryError) -> Query {
    let bytes = arguments.bytes
    guard bytes.count <= QuerySyntax.longestQuery else { throw tooLong(bytes) }
    do {
      let reader = QueryTermReader(context)
      var parser = QueryParser(bytes, try reader.tokens(of: arguments), reader)
      let root = try parser.parse()
      return Query(
        root: root, sort: parser.sort?.keys ?? [], limit: parser.limit?.count, schema: context.schema,
        source: QuerySource(text: bytes, filters: context.texts), clock: context.clock)
    } catch {
      throw QueryError(error, in: bytes)
    }
  }

  private static func tooLong(_ bytes: [UInt8]) -> QueryError {
    var end = 60
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return QueryError(
      "the query has \(bytes.count) bytes, at most \(QuerySyntax.longestQuery) are read",
      query: String(decoding: bytes[..<end], as: UTF8.self) + "…", range: 0..<end)
  }
}

/// Adjacent terms and groups, with the operators that join them.
struct QueryOperands {
  /// A term or a group.
  struct Operand {
    let node: QueryNode
    let range: Range<Int>
    /// Its source in a query, if it differs from the text at `range`.
    let source: String?
  }

  private let query: [UInt8]
  private var operands: [Operand] = []
  /// Between each two operands: whether it is OR.
  private var isAlternative: [Bool] = []
  /// An operator whose right operand is not read yet.
  private var pending: QueryToken?
  private var firstOr: Range<Int>?

  init(query: [UInt8]) { self.query = query }

  var isEmpty: Bool { operands.isEmpty }

  /// Appends the next operand.
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

  /// Joins all operands.
  ///
  /// - Throws: a fault if OR is next to terms that it does not join: either reading may be meant.
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
