import Bytes
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

  /// Parts the arguments into tokens.
  ///
  /// - Parameters:
  ///   - areTerms: whether an argument may be a single term with blanks in it.
  ///   - schema: the kinds whose fields may stand before `<`, `>` and `=`.
  ///   - isDate: whether a text of several words is one date.
  func tokens(
    areTerms: Bool, _ schema: Schema, isDate: (String) -> Bool
  ) throws(QueryFault) -> [QueryToken] {
    let comparisons = QueryComparisons(schema)
    var lexer = QueryLexer(bytes, comparisons)
    for range in ranges {
      if areTerms, isOneTerm(range, isDate) || isOneEquality(trimmed(range), comparisons) {
        try lexer.readWhole(trimmed(range))
      } else {
        try lexer.readTerms(in: range)
      }
    }
    return lexer.tokens
  }

  /// The names whose values never hold blanks: what follows one is another term.
  private static let singleWordNames = ["has", "id", "is", "kind", "limit", "sort"]
  /// The names whose values hold blanks in dates alone.
  private static let dateNames = ["created", "modified"]

  /// Whether an argument with blanks is one term, such as `due:next week` or `+Tag 1`.
  ///
  /// It begins with a name and a colon or with a sign, and nothing after its first blank looks like the
  /// beginning of another term. Then the shell's quotes have done what quotes in the query would.
  private func isOneTerm(_ range: Range<Int>, _ isDate: (String) -> Bool) -> Bool {
    let range = trimmed(range)
    let parts = bytes[range].split(whereSeparator: ASCII.isBlank)
    guard parts.count > 1, let first = parts.first else { return false }
    if let colon = QuerySyntax.colon(afterNameIn: bytes, at: first.startIndex, before: first.endIndex) {
      let name = String(decoding: bytes[first.startIndex..<colon].map(ASCII.lowerCased), as: UTF8.self)
      if Self.singleWordNames.contains(name) { return false }
      if Self.dateNames.contains(name) {
        return isDate(String(decoding: bytes[colon + 1..<range.upperBound], as: UTF8.self))
      }
      if colon + 1 < range.upperBound, beginsSyntax(colon + 1, before: first.endIndex) { return false }
    } else {
      guard QuerySyntax.sign(in: bytes, at: first.startIndex, before: first.endIndex) != nil,
        !beginsSyntax(first.startIndex + 1, before: first.endIndex)
      else { return false }
    }
    return parts.dropFirst().allSatisfy { !looksLikeTerm($0) }
  }

  /// Whether an argument is a field, an equals sign and a value with blanks: `title = The Dispossessed`.
  private func isOneEquality(_ range: Range<Int>, _ comparisons: QueryComparisons) -> Bool {
    guard let head = comparisons.head(in: bytes, at: range.lowerBound, before: range.upperBound),
      bytes[head.sign].elementsEqual("=".utf8), !beginsSyntax(head.value, before: range.upperBound)
    else { return false }
    let name = String(decoding: bytes[head.name].map(ASCII.lowerCased), as: UTF8.self)
    if Self.singleWordNames.contains(name) || Self.dateNames.contains(name) { return false }
    return bytes[head.value..<range.upperBound].split(whereSeparator: ASCII.isBlank).allSatisfy { part in
      !looksLikeTerm(part)
        && !part.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "=") }
    }
  }

  private func beginsSyntax(_ offset: Int, before limit: Int) -> Bool {
    offset < limit && (bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "("))
  }

  /// Whether a part of an argument would be more than a plain word in a query.
  private func looksLikeTerm(_ part: ArraySlice<UInt8>) -> Bool {
    let (start, end) = (part.startIndex, part.endIndex)
    if QuerySyntax.sign(in: bytes, at: start, before: end) != nil { return true }
    if QuerySyntax.operatorName(in: bytes, at: start, before: end) != nil { return true }
    if QuerySyntax.colon(afterNameIn: bytes, at: start, before: end) != nil { return true }
    switch part.first {
    case UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "@"): return true
    default: return part.last == UInt8(ascii: ")") && !part.contains(UInt8(ascii: "("))
    }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
    while end > start, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }
}
