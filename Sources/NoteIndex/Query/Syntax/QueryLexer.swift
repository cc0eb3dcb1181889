import Bytes

/// Parts a query into parentheses, operators and terms.
struct QueryLexer {
  private let bytes: [UInt8]
  private let comparisons: QueryComparisons
  private(set) var tokens: [QueryToken] = []
  /// The letters of the term at hand.
  private var letters: [QueryLetter] = []

  init(_ bytes: [UInt8], _ comparisons: QueryComparisons) {
    self.bytes = bytes
    self.comparisons = comparisons
  }

  /// Reads a stretch of the query as terms parted by blanks.
  ///
  /// - Complexity: O(n).
  mutating func readTerms(in range: Range<Int>) throws(QueryFault) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let byte = bytes[offset]
      if ASCII.isBlank(byte) {
        offset += 1
      } else if byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") {
        let kind: QueryToken.Kind = byte == UInt8(ascii: "(") ? .open : .close
        tokens.append(QueryToken(kind: kind, range: offset..<offset + 1))
        offset += 1
      } else {
        offset = try readTerm(from: offset, before: range.upperBound)
      }
    }
  }

  /// Reads one term and returns where it ends.
  private mutating func readTerm(from start: Int, before end: Int) throws(QueryFault) -> Int {
    letters = []
    if let name = QuerySyntax.operatorName(in: bytes, at: start, before: end) {
      tokens.append(QueryToken(kind: name.kind, range: start..<name.end))
      return name.end
    }
    let sign = QuerySyntax.sign(in: bytes, at: start, before: end)
    var offset = start + (sign == nil ? 0 : 1)
    var name: String?
    if sign == nil, bytes[start] == UInt8(ascii: "\"") {
      offset = try readQuoted(from: start, before: end)
      if QuerySyntax.isNameEnd(in: bytes, at: offset, before: end) {
        name = letters[...].text
        letters = []
        offset += 1
      } else if !QuerySyntax.goesOn(in: bytes, at: offset, before: end, isWord: true) {
        return finish(start..<offset, sign: nil, name: nil)
      }
    } else if sign == nil, let colon = QuerySyntax.colon(afterNameIn: bytes, at: start, before: end) {
      name = String(decoding: bytes[start..<colon], as: UTF8.self)
      offset = colon + 1
    } else if sign == nil, let head = comparisons.head(in: bytes, at: start, before: end) {
      name = String(decoding: bytes[head.name], as: UTF8.self)
      letters = head.sign.map { QueryLetter(byte: bytes[$0], isQuoted: false, offset: $0) }
      offset = head.value
    }
    let isWord = sign == nil && name == nil
    offset = try readValue(from: offset, before: end, isWord: isWord)
    return finish(start..<offset, sign: sign, name: name)
  }

  private mutating func finish(_ range: Range<Int>, sign: QueryWord.Sign?, name: String?) -> Int {
    let word = QueryWord(sign: sign, name: name, value: letters[...], range: range)
    tokens.append(QueryToken(kind: .word(word), range: range))
    return range.upperBound
  }

  /// Reads what follows a sign or a colon, or a plain word.
  private mutating func readValue(
    from start: Int, before end: Int, isWord: Bool
  ) throws(QueryFault) -> Int {
    var offset = start
    var depth = 0
    while offset < end {
      let byte = bytes[offset]
      if ASCII.isBlank(byte) { break }
      if byte == UInt8(ascii: "\""), offset > start || !isWord,
        QuerySyntax.mayQuote(after: letters, isWord: isWord)
      {
        offset = try readQuoted(from: offset, before: end)
        guard QuerySyntax.goesOn(in: bytes, at: offset, before: end, isWord: isWord) else { break }
        continue
      }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") {
        if depth == 0 { break }
        depth -= 1
      }
      letters.append(QueryLetter(byte: byte, isQuoted: false, offset: offset))
      offset += 1
    }
    return offset
  }

  /// Reads a quoted text and returns the offset after its closing quote.
  private mutating func readQuoted(from start: Int, before end: Int) throws(QueryFault) -> Int {
    var offset = start + 1
    while offset < end {
      var byte = bytes[offset]
      if byte == UInt8(ascii: "\"") { return offset + 1 }
      if byte == UInt8(ascii: "\\"), offset + 1 < end, QuerySyntax.isEscapable(bytes[offset + 1]) {
        offset += 1
        byte = bytes[offset]
      }
      letters.append(QueryLetter(byte: byte, isQuoted: true, offset: offset))
      offset += 1
    }
    throw QueryFault(
      "unmatched quote", at: start..<end,
      hint: "add a closing quote, or remove it: a single \" inside a word is text")
  }
}
