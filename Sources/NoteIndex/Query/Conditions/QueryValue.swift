import Bytes

/// Pieces of a term's value, and how they are shown.
enum QueryValue {
  /// Parts a value at commas without quotes.
  ///
  /// - Parameter isProse: whether a comma before a blank is one of the text, as in `Le Guin, Ursula`.
  static func alternatives(
    of value: ArraySlice<QueryLetter>, isProse: Bool
  ) -> [ArraySlice<QueryLetter>] {
    var parts: [ArraySlice<QueryLetter>] = []
    var start = value.startIndex
    for index in value.indices where value[index].isPlain(",") {
      if isProse, index + 1 < value.endIndex, ASCII.isBlank(value[index + 1].byte) { continue }
      parts.append(value[start..<index].trimmed)
      start = index + 1
    }
    parts.append(value[start...].trimmed)
    return parts
  }

  /// Returns where the dots of a range are: exactly two without quotes.
  static func rangeDots(in value: ArraySlice<QueryLetter>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = value.startIndex
    while index < value.endIndex {
      guard value[index].isPlain(".") else {
        index += 1
        continue
      }
      var end = index + 1
      while end < value.endIndex, value[end].isPlain(".") { end += 1 }
      if end - index == 2 { found.append(index..<end) }
      index = end
    }
    return found
  }

  /// Parts a value at blanks without quotes.
  static func words(of value: ArraySlice<QueryLetter>) -> [ArraySlice<QueryLetter>] {
    value.split { !$0.isQuoted && ASCII.isBlank($0.byte) }
  }

  /// Returns the value in a form that reads the same again: in quotes where it needs them.
  ///
  /// - Parameter isName: whether `?` has a meaning beside `*`.
  static func shown(
    _ value: ArraySlice<QueryLetter>, alwaysQuoted: Bool = false, isName: Bool = false
  ) -> String {
    var result = ""
    var start = value.startIndex
    for index in value.indices where value[index].isPlain("*") || (isName && value[index].isPlain("?")) {
      result += shownPiece(value[start..<index]) + value[index...index].text
      start = index + 1
    }
    let isWhole = start == value.startIndex
    return result + (isWhole && alwaysQuoted ? quoted(value.bytes) : shownPiece(value[start...]))
  }

  private static func shownPiece(_ piece: ArraySlice<QueryLetter>) -> String {
    let needsQuotes = piece.contains { letter in
      letter.isQuoted || ASCII.isBlank(letter.byte) || letter.isPlain("\"") || letter.isPlain(",")
        || letter.isPlain("(") || letter.isPlain(")")
    }
    return needsQuotes || unnamesAtStart(piece) ? quoted(piece.bytes) : piece.text
  }

  /// Whether a value right after a colon would make the name before it no name: `a::b`, `a://b`.
  private static func unnamesAtStart(_ value: ArraySlice<QueryLetter>) -> Bool {
    value.first?.byte == UInt8(ascii: ":") || value.bytes.starts(with: "//".utf8)
  }

  /// Returns a value in which nothing has a meaning, in quotes unless it is plain letters and digits.
  static func shownLiteral(_ value: ArraySlice<QueryLetter>) -> String {
    let isPlain = value.allSatisfy { letter in
      letter.byte >= 0x80 || ASCII.isWord(letter.byte) || letter.byte == UInt8(ascii: "-")
        || letter.byte == UInt8(ascii: ".") || letter.byte == UInt8(ascii: ":")
    }
    return isPlain && !unnamesAtStart(value) ? value.text : quoted(value.bytes)
  }

  /// Returns a text in quotes.
  static func quoted(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    for byte in bytes {
      if QuerySyntax.isEscapable(byte) { result.append(UInt8(ascii: "\\")) }
      result.append(byte)
    }
    result.append(UInt8(ascii: "\""))
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the name of a field, in quotes where it needs them.
  static func shownName(_ name: String) -> String {
    let bytes = Array(name.utf8) + [UInt8(ascii: ":")]
    let isPlain = QuerySyntax.colon(afterNameIn: bytes, at: 0, before: bytes.count) == bytes.count - 1
    return isPlain ? name : quoted(Array(name.utf8))
  }

  /// Returns a text for a message, cut where it is long.
  static func excerpt(_ value: ArraySlice<QueryLetter>) -> String {
    let characters = value.text
    return characters.utf8.count > 60 ? String(characters.prefix(40)) + "…" : characters
  }
}
