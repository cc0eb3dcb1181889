import Notes

/// The arguments of a command as one query, with a blank between them.
struct QueryArguments {
  /// The query, for messages and their carets.
  let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(_ arguments: [String]) {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for (index, argument) in arguments.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: " ")) }
      let start = bytes.count
      bytes.append(contentsOf: argument.utf8)
      ranges.append(start..<bytes.count)
    }
    self.bytes = bytes
    self.ranges = ranges
  }

  /// Parts each argument into tokens.
  ///
  /// - Parameter isField: whether a name is that of a field, which may precede `<`, `>` and `=`.
  func tokens(isField: @escaping (String) -> Bool) throws(QueryFault) -> [[QueryToken]] {
    let comparisons = QueryComparisons(isField: isField)
    var tokens: [[QueryToken]] = []
    for range in ranges {
      var lexer = QueryLexer(bytes, comparisons)
      try lexer.readTerms(in: range)
      tokens.append(lexer.tokens)
    }
    return tokens
  }
}
