import Bytes

/// The rules by which a query's letters have a meaning.
enum QuerySyntax {
  /// The most bytes that a query may have.
  static let longestQuery = 65_536
  /// The most bytes that one term's value may have.
  static let longestValue = 4_096
  /// The most parentheses that may be open at once.
  static let deepestNesting = 64

  /// Reads `AND`, `OR` or `NOT` if it is a word of its own.
  static func operatorName(
    in bytes: [UInt8], at start: Int, before limit: Int
  ) -> (kind: QueryToken.Kind, end: Int)? {
    var end = start
    while end < limit, end - start < 4, bytes[end] &- UInt8(ascii: "A") < 26 { end += 1 }
    guard end == limit || ASCII.isBlank(bytes[end]) || isParenthesis(bytes[end]) else { return nil }
    return switch String(decoding: bytes[start..<end], as: UTF8.self) {
    case "AND": (.and, end)
    case "OR": (.or, end)
    case "NOT": (.not, end)
    default: nil
    }
  }

  /// Reads `+` or `-` if a value follows it.
  static func sign(in bytes: [UInt8], at start: Int, before limit: Int) -> QueryWord.Sign? {
    guard start + 1 < limit, !ASCII.isBlank(bytes[start + 1]), bytes[start + 1] != UInt8(ascii: ")") else {
      return nil
    }
    return switch bytes[start] {
    case UInt8(ascii: "+"): .plus
    case UInt8(ascii: "-"): .minus
    default: nil
    }
  }

  /// Returns the offset of the colon after the name of a field.
  ///
  /// A name is a letter followed by letters, digits, `_`, `-` and `.`; `12:30`, `std::y` and `https://x` have no name.
  static func colon(afterNameIn bytes: [UInt8], at start: Int, before limit: Int) -> Int? {
    guard let end = nameEnd(in: bytes, at: start, before: limit) else { return nil }
    return isNameEnd(in: bytes, at: end, before: limit) ? end : nil
  }

  /// Returns the end of the name that begins at an offset; nil if no name begins there.
  static func nameEnd(in bytes: [UInt8], at start: Int, before limit: Int) -> Int? {
    guard start < limit, isLetter(bytes[start]) else { return nil }
    var offset = start + 1
    while offset < limit, isLetter(bytes[offset]) || isInsideName(bytes[offset]) { offset += 1 }
    return offset
  }

  /// Whether the byte at an offset is a colon that ends a name.
  static func isNameEnd(in bytes: [UInt8], at offset: Int, before limit: Int) -> Bool {
    guard offset < limit, bytes[offset] == UInt8(ascii: ":") else { return false }
    guard offset + 1 < limit else { return true }
    if bytes[offset + 1] == UInt8(ascii: ":") { return false }
    let isAddress =
      offset + 2 < limit && bytes[offset + 1] == UInt8(ascii: "/") && bytes[offset + 2] == UInt8(ascii: "/")
    return !isAddress
  }

  /// Whether a quote after these letters of a value begins a quoted text.
  ///
  /// It does at the beginning, after a comma or `..`, after a comparison, beside a wildcard, and after a
  /// dash at the beginning or after a comma; elsewhere it is a letter. In a plain word it does only after a
  /// star.
  static func mayQuote(after letters: [QueryLetter], isWord: Bool) -> Bool {
    guard let last = letters.last else { return true }
    if last.isPlain("*") { return true }
    if isWord { return false }
    if last.isPlain(",") || last.isPlain("?") { return true }
    if last.isPlain("-"), letters.count == 1 || letters[letters.count - 2].isPlain(",") { return true }
    if last.isPlain("."), letters.count >= 2, letters[letters.count - 2].isPlain(".") { return true }
    return letters.count <= 2 && letters.allSatisfy { $0.isPlain("<") || $0.isPlain(">") || $0.isPlain("=") }
  }

  /// Whether a value continues after a quoted text: with a wildcard, another alternative or the other end of a range.
  static func goesOn(in bytes: [UInt8], at offset: Int, before limit: Int, isWord: Bool) -> Bool {
    guard offset < limit else { return false }
    if bytes[offset] == UInt8(ascii: "*") { return true }
    if isWord { return false }
    if bytes[offset] == UInt8(ascii: ",") || bytes[offset] == UInt8(ascii: "?") { return true }
    return offset + 1 < limit && bytes[offset] == UInt8(ascii: ".") && bytes[offset + 1] == UInt8(ascii: ".")
  }

  /// Whether a backslash before a byte makes it plain inside quotes.
  static func isEscapable(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }

  static func isParenthesis(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (ASCII.isWord(byte) && !ASCII.isDigit(byte))
  }

  private static func isInsideName(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

/// One letter of a query's term, which distinguishes quoted commas, stars and dots from plain ones.
struct QueryLetter: Sendable {
  let byte: UInt8
  let isQuoted: Bool
  /// Its offset in the bytes of the query.
  let offset: Int

  /// Whether it is an operator character: written without quotes.
  func isPlain(_ sign: Unicode.Scalar) -> Bool { !isQuoted && byte == UInt8(ascii: sign) }
}

extension ArraySlice<QueryLetter> {
  /// The letters without their places.
  var bytes: [UInt8] { map(\.byte) }

  /// The letters as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The range of the letters in the query; nil if there are no letters.
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

/// The names that the language of queries itself knows.
enum QueryNames {
  /// The built-in names, regardless of the fields of notes.
  static let fields: Set<String> = [
    "body", "created", "has", "id", "is", "kind", "limit", "linked-by", "links", "modified", "path", "sort",
    "tag",
    "tags", "title", "todo", "todo-due",
  ]
  /// The fields whose relative dates look ahead; a list with a range of one is ordered by it.
  static let datesAhead: Set<String> = ["due", "my-day", "scheduled", "todo-due"]
  /// The states that `is:` tests.
  static let states = [
    "active", "blocked", "blocking", "conflicted", "orphan", "todo", "untitled", "waiting",
  ]
}

/// A field by which notes are sorted.
package struct SortKey: Sendable, Equatable {
  /// `title`, `created`, `modified`, `path`, `id`, `kind`, `urgency`, or any field of the front-matter.
  package let field: String
  /// Whether the greatest value comes first; notes without the field are last in either case.
  package let descending: Bool

  /// The key of the sum of a kind's urgency terms.
  static let urgency = "urgency"

  package init(field: String, descending: Bool) {
    self.field = field
    self.descending = descending
  }

  /// Reads the names of fields with commas between them, a dash before those that descend: `-modified,title`.
  ///
  /// - Throws: `QueryError` with the place of a name that is missing.
  package static func parse(_ text: String) throws(QueryError) -> [SortKey] {
    let letters = text.utf8.enumerated().map {
      QueryLetter(byte: $0.element, isQuoted: false, offset: $0.offset)
    }
    var keys: [SortKey] = []
    for part in QueryValue.alternatives(of: letters[...], isProse: false) {
      do {
        keys.append(try SortKey(part, in: 0..<letters.count))
      } catch {
        throw QueryError(error, in: Array(text.utf8))
      }
    }
    return keys
  }

  /// Reads one key. `whole` is the range that an error names if there are no letters.
  init(_ letters: ArraySlice<QueryLetter>, in whole: Range<Int>) throws(QueryFault) {
    let descends = letters.first?.isPlain("-") ?? false
    let name = descends ? letters.dropFirst() : letters
    guard !name.isBlank, name.first?.isPlain("-") != true else {
      throw QueryFault(
        "the name of a field to sort by is missing", at: letters.range ?? whole,
        hint: "as in sort:-modified,title")
    }
    self.init(field: name.text, descending: descends)
  }

  /// The key in the form it is read from.
  var described: String {
    let letters = field.utf8.map { QueryLetter(byte: $0, isQuoted: false, offset: 0) }
    return (descending ? "-" : "") + QueryValue.shown(letters[...])
  }
}

/// A fault in a query, with its place.
package struct QueryError: Error, Sendable, Equatable {
  /// One line, as a person would say it; it may quote the query, which is not made safe for a terminal.
  package let message: String
  /// The query as it was read: the arguments with a blank between them.
  package let query: String
  /// The range of the error, for the caret: UTF-8 offsets in `query`.
  package let range: Range<Int>
  /// A suggested replacement, if one is known.
  package let hint: String?
  /// The filter that the message names first; nil if it names no filter.
  package let filterName: String?

  init(
    _ message: String, query: String, range: Range<Int>, hint: String? = nil, filterName: String? = nil
  ) {
    self.message = message
    self.query = query
    self.range = range
    self.hint = hint
    self.filterName = filterName
  }

  init(_ fault: QueryFault, in query: [UInt8]) {
    self.init(
      fault.message, query: String(decoding: fault.filter ?? query, as: UTF8.self), range: fault.range,
      hint: fault.hint, filterName: fault.filterName)
  }
}

/// An error in a part of a query, without the query; the parts of the parser throw it.
struct QueryFault: Error {
  let message: String
  /// Offsets in the bytes of the query.
  let range: Range<Int>
  let hint: String?
  /// The query of the filter that the range lies in; nil for the query itself.
  let filter: [UInt8]?
  /// The filter that the message names first; nil if it names no filter.
  let filterName: String?

  init(
    _ message: String, at range: Range<Int>, hint: String? = nil, filter: [UInt8]? = nil,
    filterName: String? = nil
  ) {
    self.message = message
    self.range = range
    self.hint = hint
    self.filter = filter
    self.filterName = filterName
  }
}
