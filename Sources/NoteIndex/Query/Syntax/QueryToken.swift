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
  /// The same term with another value.
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
