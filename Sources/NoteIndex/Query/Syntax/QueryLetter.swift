import Bytes

/// One letter of a query's term, so that quoted commas, stars and dots are told from plain ones.
struct QueryLetter: Sendable {
  let byte: UInt8
  let isQuoted: Bool
  /// Where it stands in the bytes of the query.
  let offset: Int

  /// Says whether it is a sign with a meaning: written without quotes.
  func isPlain(_ sign: Unicode.Scalar) -> Bool { !isQuoted && byte == UInt8(ascii: sign) }
}

extension ArraySlice<QueryLetter> {
  /// The letters without their places.
  var bytes: [UInt8] { map(\.byte) }

  /// The letters as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Where the letters stand in the query; nil for none.
  var range: Range<Int>? {
    guard let first, let last else { return nil }
    return first.offset..<last.offset + 1
  }

  /// Whether there is nothing but blanks.
  var isBlank: Bool { allSatisfy { ASCII.isBlank($0.byte) } }

  /// The letters without the blanks around them, quoted ones excepted.
  var trimmed: ArraySlice<QueryLetter> {
    var rest = drop { !$0.isQuoted && ASCII.isBlank($0.byte) }
    while let last = rest.last, !last.isQuoted, ASCII.isBlank(last.byte) { rest.removeLast() }
    return rest
  }
}
