import Bytes
import Notes
import Text

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

  /// Returns the places of the dots of a range: exactly two without quotes.
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

  /// Returns the value in a form that parses to the same value, with quotes if it needs them.
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

  /// Returns the name of a field, with quotes if it needs them.
  static func shownName(_ name: String) -> String {
    let bytes = Array(name.utf8) + [UInt8(ascii: ":")]
    let isPlain = QuerySyntax.colon(afterNameIn: bytes, at: 0, before: bytes.count) == bytes.count - 1
    return isPlain ? name : quoted(Array(name.utf8))
  }

  /// Returns a text for a message, shortened if it is long.
  static func excerpt(_ value: ArraySlice<QueryLetter>) -> String {
    let characters = value.text
    return characters.utf8.count > 60 ? String(characters.prefix(40)) + "…" : characters
  }
}

/// A value in a query that is not a valid date, number, choice or record name of a field that a kind declares.
struct Misfit: Sendable {
  /// The forms of dates, as a hint.
  static let dateForms =
    "dates are 2026-11-21, 2026-11, 2026-W47, today, friday, dec 5, 11/30, 7d, 2w, eow, som; "
    + "in quotes: next week, in 3 days"

  /// The range of the value in the text that was read.
  let range: Range<Int>
  /// Whether it is an end of a range, follows a comparison or is a pattern; these are values of no plain note either.
  let isBound: Bool
  /// The test of the value as text.
  let plain: QueryNode
  private let value: ArraySlice<QueryLetter>
  /// The kinds in which the value is invalid.
  private let kinds: [String]
  private let schema: Schema
  private let clock: ClockReading

  init(
    _ value: ArraySlice<QueryLetter>, in word: QueryWord, _ unfit: [(kind: Kind, field: Field)],
    _ schema: Schema, _ clock: ClockReading, plain: QueryNode, isBound: Bool
  ) {
    self.value = value
    self.schema = schema
    self.clock = clock
    self.plain = plain
    self.isBound = isBound
    kinds = unfit.map(\.kind.name)
    range = value.range ?? word.range
  }

  /// Whether the value is invalid in a kind.
  func isUnfit(in kind: Kind) -> Bool { kinds.contains { $0.hasSameBytes(as: kind.name) } }

  /// The message and the hint about the value as one of some fields of one name.
  func fault(_ fields: [(kind: Kind, field: Field)]) -> (message: String, hint: String?) {
    let shown = QueryValue.excerpt(value)
    let name = fields.first?.field.name ?? ""
    if let target = fields.lazy.compactMap({ $0.field.target }).first, isBound {
      return (
        "\(name): \(shown) matches no \(target)",
        "references support no ranges or wildcards: write \(name):NAME, \(name):NAME,NAME or has:\(name)"
      )
    }
    let times = fields.lazy.compactMap { $0.field.dayAndTime(value.text, clock: clock) }
    if let (day, time) = times.first {
      return (
        "\(name): \(shown) has a time, but the field stores only a date",
        isBound ? "write the day alone: \(day)" : "write \(name):\(day) \(name)-time:\(time)"
      )
    }
    var choices: [String] = []
    var reasons: [String] = []
    for (kind, field) in fields {
      if field.type == .choice {
        choices.append(field.values.joined(separator: ", ") + (fields.count > 1 ? " (\(kind.name))" : ""))
      } else if !reasons.contains(field.reason) {
        reasons.append(field.reason)
      }
    }
    if !choices.isEmpty { reasons.append("not one of its values: \(choices.joined(separator: " or "))") }
    let message = "\(name): \(shown) is \(reasons.joined(separator: ", "))"
    let words = fields.flatMap { $0.field.type == .boolean ? ["true", "false"] : $0.field.values }
    if words.isEmpty {
      let isDate = fields.contains { $0.field.isTime }
      guard isDate else { return (message, "numbers are 4, 4.., 2..4, '>=4'") }
      return (message, Self.dateHint(name, value.text, clock, fields.first?.field.direction ?? .back))
    }
    let near = Spelling.nearest(to: value.text, among: words).map { "did you mean \(Self.term(name, $0))?" }
    return (message, Self.elsewhere(value.text, schema) ?? near)
  }

  /// A term as it is typed: its value is in quotes if it has a blank. In quotes as a whole the term is words to search.
  static func term(_ name: String, _ value: String) -> String {
    value.utf8.contains(0x20) ? "\(name):\"\(value)\"" : "\(name):\(value)"
  }

  /// A hint at a text that is not a date of a field: the date that it almost is, else the forms of dates.
  static func dateHint(
    _ name: String, _ text: String, _ clock: ClockReading, _ looking: DateInterval.Direction
  ) -> String {
    let meant = DateInterval.meant(text, clock: clock, looking: looking).map { term(name, $0) }
    return meant.isEmpty ? dateForms : "did you mean \(meant.joined(separator: " or "))?"
  }

  /// A hint at the term that a word is of: the choice of another field, or a field that is true or false.
  private static func elsewhere(_ text: String, _ schema: Schema) -> String? {
    let word = Folding.fold(text)
    if QueryNames.states.contains(word) { return "did you mean is:\(word)?" }
    for kind in schema.kinds {
      for field in kind.fields {
        if field.type == .boolean, Folding.fold(field.name) == word {
          return "for kind \(kind.name), write \(field.name):true"
        }
        if field.type == .choice, let value = field.values.first(where: { Folding.fold($0) == word }) {
          return "for kind \(kind.name), write \(field.name):\(value)"
        }
      }
    }
    return nil
  }
}

extension Field {
  /// The reason why a text is not a value of the field.
  fileprivate var reason: String {
    switch type {
    case .choice: "not one of its values: \(values.joined(separator: ", "))"
    case .boolean: "neither true nor false"
    case .date, .moment: "not a date"
    case .integer: "not a number"
    case .text, .tags, .reference, .recurrence: "not a value"
    }
  }
}
