import Notes

/// Turns the terms of a query into what they ask.
struct QueryTermReader {
  let context: QueryContext
  /// Which way relative dates lie; nil: by the name of the field.
  let looking: DateInterval.Direction?

  init(_ context: QueryContext, looking: DateInterval.Direction? = nil) {
    self.context = context
    self.looking = looking
  }

  var clock: ClockReading { context.clock }

  /// Reads one term.
  func read(_ word: QueryWord) throws(QueryFault) -> QueryReading {
    guard word.value.count <= QuerySyntax.longestValue else {
      throw QueryFault(
        "this term is too long", at: word.range, hint: "a term has at most \(QuerySyntax.longestValue) bytes")
    }
    if let sign = word.sign { return .node(try tag(word, sign)) }
    guard let name = word.name else { return .node(try text(word)) }
    return try field(name, word)
  }

  /// A word or a phrase, looked for everywhere.
  private func text(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    guard !word.value.isEmpty else {
      throw QueryFault("empty quotes", at: word.range)
    }
    if word.value[0].isPlain("@"), word.value.count > 1 { return try context.filter(word) }
    try refuseNegation(word)
    guard let pattern = TextPattern(word.value) else {
      throw QueryFault(
        "* needs letters next to it", at: word.range, hint: "to list all notes, give no terms")
    }
    return node(.text(pattern), word, QueryValue.shown(word.value, alwaysQuoted: true))
  }

  /// Refuses `!status:open` and `!@filter`, which people write for NOT.
  private func refuseNegation(_ word: QueryWord) throws(QueryFault) {
    guard word.value[0].isPlain("!"), word.value.count > 1 else { return }
    let rest = word.value.dropFirst()
    let bytes = rest.bytes
    let isTerm =
      bytes[0] == UInt8(ascii: "@") || QuerySyntax.sign(in: bytes, at: 0, before: bytes.count) != nil
      || QuerySyntax.colon(afterNameIn: bytes, at: 0, before: bytes.count) != nil
    guard isTerm, rest.allSatisfy({ !$0.isQuoted }) else { return }
    throw QueryFault(
      "! does not mean NOT here", at: word.range, hint: "write NOT \(QueryValue.excerpt(rest))")
  }

  private func tag(_ word: QueryWord, _ sign: QueryWord.Sign) throws(QueryFault) -> QueryNode {
    let mark = sign == .plus ? "+" : "-"
    let value = withoutHash(word.value.trimmed)
    guard let range = value.range else {
      throw QueryFault("a tag's name is missing here", at: word.range)
    }
    if value[value.startIndex].isPlain("(") {
      throw QueryFault(
        "\(mark) takes one tag, no parentheses", at: word.range,
        hint: sign == .minus ? "exclude a group with NOT ( )" : "write +one +two, or (+one OR +two)")
    }
    try refuseField(value, word, sign)
    try refuseFilter(value, word, sign)
    let tag = node(
      .tag([Glob(value, folding: true, reach: .wholeOrBelow)]), word,
      "+" + QueryValue.shown(value, isName: true),
      range)
    return sign == .plus ? tag : .not(tag)
  }

  /// Refuses `-kind:book`, which people write for `NOT kind:book`.
  private func refuseField(
    _ value: ArraySlice<QueryLetter>, _ word: QueryWord, _ sign: QueryWord.Sign
  ) throws(QueryFault) {
    let bytes = value.bytes
    guard value.allSatisfy({ !$0.isQuoted }),
      QuerySyntax.colon(afterNameIn: bytes, at: 0, before: bytes.count) != nil
    else { return }
    let (mark, plain) = sign == .plus ? ("+", "") : ("-", "NOT ")
    let text = QueryValue.excerpt(value)
    throw QueryFault(
      "\(mark) is for tags, not for fields", at: word.range,
      hint: "write \(plain)\(text), or for a tag of that name '\(mark)\"\(text)\"'")
  }

  /// Refuses `-@overdue`, which people write for `NOT @overdue`.
  private func refuseFilter(
    _ value: ArraySlice<QueryLetter>, _ word: QueryWord, _ sign: QueryWord.Sign
  ) throws(QueryFault) {
    let text = QueryValue.excerpt(value)
    guard value.allSatisfy({ !$0.isQuoted }), text.hasPrefix("@"), context.hasFilter(String(text.dropFirst()))
    else { return }
    let (mark, plain) = sign == .plus ? ("+", "") : ("-", "NOT ")
    throw QueryFault(
      "\(mark) is for tags, not for filters", at: word.range,
      hint: "write \(plain)\(text), or for a tag of that name '\(mark)\"\(text)\"'")
  }

  func withoutHash(_ value: ArraySlice<QueryLetter>) -> ArraySlice<QueryLetter> {
    let name = value.drop { $0.isPlain("#") }
    return name.isEmpty ? value : name
  }

  func node(
    _ condition: QueryCondition, _ word: QueryWord, _ reading: String, _ range: Range<Int>? = nil
  ) -> QueryNode {
    .term(QueryTerm(condition: condition, range: range ?? word.range, reading: reading))
  }
}
