import Bytes
import Notes

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

  /// Reads a range of the query as terms separated by blanks.
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

  /// Reads one term and returns its end.
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

  /// Reads the text after a sign or a colon, or a plain word.
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

/// One term as it was written.
struct QueryWord: Sendable {
  enum Sign: Sendable { case plus, minus }

  /// `+` or `-` before a tag.
  let sign: Sign?
  /// The name before the colon.
  let name: String?
  /// The value after the sign or the colon, without quotes.
  let value: ArraySlice<QueryLetter>
  let range: Range<Int>
  /// Whether blanks without quotes belong to the value.
  var isJoined = false
}

extension QueryWord {
  /// Returns the same term with another value.
  func with(_ value: ArraySlice<QueryLetter>, name: String? = nil) -> QueryWord {
    QueryWord(sign: sign, name: name ?? self.name, value: value, range: range, isJoined: isJoined)
  }
}

/// A part of a query.
struct QueryToken: Sendable {
  enum Kind: Sendable {
    case open, close, and, or, not
    case word(QueryWord)
  }

  let kind: Kind
  /// Offsets in the bytes of the query.
  let range: Range<Int>
}

/// Comparisons as people write them elsewhere: `rating >= 4` for `rating:>=4`.
///
/// They are read so only for fields that every note has, a kind declares or a note of the box has; `a -> b` is text.
struct QueryComparisons {
  /// A name and an operator in the bytes of a query.
  struct Head {
    /// The bytes of the name.
    let name: Range<Int>
    /// The operator as written after a colon.
    let sign: Range<Int>
    /// The start of the value.
    let value: Int
  }

  private static let dates: Set<String> = ["created", "modified", "todo-due"]
  private static let names: Set<String> = ["id", "kind", "path", "tag", "tags"]

  /// Whether a kind declares a field of a name or a note of the box has one.
  private let isField: (String) -> Bool

  init(isField: @escaping (String) -> Bool) { self.isField = isField }

  /// Reads a name, an operator and the blanks beside it; nil if the name, the operator or the value is missing.
  func head(in bytes: [UInt8], at start: Int, before limit: Int) -> Head? {
    guard let end = QuerySyntax.nameEnd(in: bytes, at: start, before: limit) else { return nil }
    var sign = Self.skippingBlanks(bytes, end, limit)..<limit
    var last = sign.lowerBound
    while last < limit, Self.isSign(bytes[last]) { last += 1 }
    let value = Self.skippingBlanks(bytes, last, limit)
    guard value < limit, bytes[value] != UInt8(ascii: ")") else { return nil }
    switch String(decoding: bytes[sign.lowerBound..<last], as: UTF8.self) {
    case "<", ">", "<=", ">=", "!=", "=": sign = sign.lowerBound..<last
    // Other languages write equality this way.
    case "==": sign = sign.lowerBound + 1..<last
    default: return nil
    }
    let name = String(decoding: bytes[start..<end].map(ASCII.lowerCased), as: UTF8.self)
    return compares(name, bytes[sign]) ? Head(name: start..<end, sign: sign, value: value) : nil
  }

  private func compares(_ name: String, _ sign: ArraySlice<UInt8>) -> Bool {
    let isEqual = sign.elementsEqual("=".utf8)
    if Self.names.contains(name) { return isEqual }
    if Self.dates.contains(name) { return sign.first != UInt8(ascii: "!") }
    return name == "title" || isField(name)
  }

  static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "!")
  }

  private static func skippingBlanks(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Int {
    var offset = start
    while offset < limit, ASCII.isBlank(bytes[offset]) { offset += 1 }
    return offset
  }
}

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
