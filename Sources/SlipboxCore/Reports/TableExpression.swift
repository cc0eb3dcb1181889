package import Notes
import Text

/// The content of a column of a table: a field, a part of a date, arithmetic of these, or an aggregate of a group of notes.
///
///     expression = term { ("+" | "-") term }
///     term       = factor { ("*" | "/") factor }
///     factor     = number | date | "today" | name | "\"" name "\"" | name "(" arguments ")" | "(" expression ")" | "-" factor
package indirect enum TableExpression: Sendable, Equatable {
  /// A field, or a value that every note has, such as `title`.
  case field(String)
  case number(Double)
  case date(CivilDate)
  /// The day of the clock.
  case today
  /// The year, quarter, month, week or day that contains a date.
  case part(DatePart, TableExpression)
  /// The number of days from one date to another.
  case days(TableExpression, TableExpression)
  case arithmetic(Operator, TableExpression, TableExpression)
  case aggregate(Aggregate, TableExpression?)
  /// The percentage of the notes that match a query.
  case percent(query: String)

  package enum Operator: Character, Sendable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case by = "/"
  }

  package enum DatePart: String, Sendable, CaseIterable { case year, quarter, month, week, day }

  package enum Aggregate: String, Sendable, CaseIterable {
    case count, sum, avg, median, min, max, range, distinct, filled, empty
  }

  /// Whether the value is that of a group of notes.
  package var isAggregate: Bool {
    switch self {
    case .field, .number, .date, .today: false
    case .part(_, let inner): inner.isAggregate
    case .days(let one, let other), .arithmetic(_, let one, let other): one.isAggregate || other.isAggregate
    case .aggregate, .percent: true
    }
  }

  /// Whether the aggregates of groups add up to that of all notes.
  var addsUp: Bool {
    switch self {
    case .aggregate(let kind, _): [.count, .sum, .filled, .empty].contains(kind)
    default: false
    }
  }

  /// The fields that it names.
  package var fields: [String] {
    switch self {
    case .field(let name): [name]
    case .number, .date, .today, .percent, .aggregate(_, nil): []
    case .part(_, let inner), .aggregate(_, let inner?): inner.fields
    case .days(let one, let other), .arithmetic(_, let one, let other): one.fields + other.fields
    }
  }
}

/// A place in the value of an option, for errors with a caret.
package struct OptionPlace: Sendable {
  let option: String
  /// The value of the option.
  let text: String
  /// The characters before the place.
  let offset: Int

  /// Returns an error that shows the value of the option with a caret under the place.
  func refusal(_ message: Phrase, hints: [Phrase] = []) -> SlipboxError {
    let indent = CellWidth.of(Phrase(text.prefix(offset)).description)
    return SlipboxError(
      .usage, "\(option): \(message)",
      hints: [Phrase(text), Phrase(String(repeating: " ", count: indent) + "^")] + hints)
  }

  /// Returns a place further to the right.
  func adding(_ count: Int) -> OptionPlace { OptionPlace(option: option, text: text, offset: offset + count) }
}

/// A column, as it was typed and as it was parsed.
package struct TableColumn: Sendable, Equatable {
  /// The heading.
  package let text: String
  package let expression: TableExpression
  let place: OptionPlace

  /// The name of the notes without a value: `no status`, and `no completed` for `year(completed)`.
  var absentName: String {
    let fields = Set(expression.fields)
    return "no \(fields.count == 1 ? fields.first ?? text : text)"
  }

  package static func == (one: TableColumn, other: TableColumn) -> Bool {
    one.text == other.text && one.expression == other.expression
  }

  /// Parses columns separated by commas, such as `title,avg(pages),pages / days(started, completed)`.
  /// - Parameter option: the option that has them, for errors.
  /// - Throws: `.usage` with a caret at the mistake.
  package static func read(_ text: String, option: String = "--columns") throws(SlipboxError) -> [TableColumn]
  {
    var reader = TableReader(text, option: option)
    var columns: [TableColumn] = []
    repeat {
      let start = reader.placeAfterBlanks()
      let expression = try reader.expression()
      let place = OptionPlace(option: option, text: text, offset: start)
      let heading = TableColumn.heading(reader.text(from: start))
      columns.append(TableColumn(text: heading, expression: expression, place: place))
    } while reader.skip(",")
    try reader.expectEnd()
    return columns
  }

  /// Returns the heading of a column as it is typed: a field alone has no quotes.
  static func heading(_ text: String) -> String {
    guard text.count > 2, text.first == "\"", text.last == "\"", text.count(where: { $0 == "\"" }) == 2 else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  /// Parses the one field of a grouped list.
  /// - Throws: `.usage` with a caret.
  package static func readGroup(_ text: String, option: String = "--by") throws(SlipboxError) -> TableColumn {
    let columns = try read(text, option: option)
    if columns.count > 1 {
      throw columns[1].place.refusal(
        "a list is grouped by one field", hints: ["\(slip: "table") groups by several"])
    }
    return columns[0]
  }

  /// Parses the one aggregate of a chart.
  /// - Parameter isGrouped: whether the aggregates of groups are stacked.
  /// - Throws: `.usage` with a caret for anything that can't be drawn.
  package static func readAggregate(
    _ text: String, isGrouped: Bool, option: String = "--columns"
  ) throws(SlipboxError) -> TableColumn {
    let columns = try read(text, option: option)
    if columns.count > 1 { throw columns[1].place.refusal("a chart draws one aggregate") }
    let column = columns[0]
    let name = Phrase(column.text)
    guard column.expression.isAggregate else {
      throw column.place.refusal(
        "\(name) has a value for each note", hints: ["aggregate it, as in sum(\(name))"])
    }
    if isGrouped, !column.expression.addsUp {
      throw column.place.refusal(
        "\(name) of groups does not add up to that of all notes",
        hints: ["leave out \(option: "--by"), or use \(slip: "table", "--every month")"])
    }
    return column
  }

  /// Returns whether every note has a value of the name, whatever its fields.
  package static func isKnown(_ name: String) -> Bool {
    ["title", "path", "id", "kind", "tags", "tag", "created", "modified", "urgency"].contains(name)
  }
}

/// The parser of column expressions.
private struct TableReader {
  private let characters: [Character]
  private(set) var place = 0
  /// The number of open parentheses, signs and calls, and the number of parts: the parser recurses as deep as the
  /// expression.
  private var depth = 0
  private var parts = 0
  private static let deepest = 50
  private static let most = 500

  private static let functions =
    TableExpression.Aggregate.allCases.map(\.rawValue) + TableExpression.DatePart.allCases.map(\.rawValue)
    + ["days", "percent"]

  private let option: String

  init(_ text: String, option: String) {
    characters = Array(text)
    self.option = option
  }

  /// Returns the text from a place on, without surrounding spaces.
  func text(from start: Int) -> String {
    let part = characters[start..<place].drop { $0 == " " }
    return String(part.prefix(part.count - part.reversed().prefix { $0 == " " }.count))
  }

  mutating func placeAfterBlanks() -> Int {
    skipBlanks()
    return place
  }

  private mutating func skipBlanks() {
    while place < characters.count, characters[place] == " " { place += 1 }
  }

  mutating func skip(_ character: Character) -> Bool {
    skipBlanks()
    guard place < characters.count, characters[place] == character else { return false }
    place += 1
    return true
  }

  mutating func expression() throws(SlipboxError) -> TableExpression {
    try operation([.plus, .minus]) { (reader) throws(SlipboxError) in
      try reader.operation([.times, .by]) { (reader) throws(SlipboxError) in try reader.factor() }
    }
  }

  private mutating func operation(
    _ operators: [TableExpression.Operator],
    _ operand: (inout TableReader) throws(SlipboxError) -> TableExpression
  ) throws(SlipboxError) -> TableExpression {
    var result = try operand(&self)
    while true {
      skipBlanks()
      // A dash in a name, such as my-day, has no spaces around it.
      guard place < characters.count, let sign = TableExpression.Operator(rawValue: characters[place]),
        operators.contains(sign)
      else { return result }
      place += 1
      result = .arithmetic(sign, result, try operand(&self))
    }
  }

  private mutating func factor() throws(SlipboxError) -> TableExpression {
    skipBlanks()
    let start = place
    (depth, parts) = (depth + 1, parts + 1)
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw refusal("more than \(Self.deepest) levels", at: start) }
    guard parts <= Self.most else { throw refusal("more than \(Self.most) parts", at: start) }
    if skip("(") {
      let inner = try expression()
      guard skip(")") else { throw refusal("a closing parenthesis is missing", at: place) }
      return inner
    }
    if skip("\"") { return .field(try quoted(from: start)) }
    if skip("-") { return .arithmetic(.minus, .number(0), try factor()) }
    let word = word()
    guard !word.isEmpty else { throw refusal("a column is missing", at: start) }
    if let number = Double(word), number.isFinite { return .number(number) }
    if let date = CivilDate(word) { return .date(date) }
    guard place < characters.count, characters[place] == "(" else {
      switch word {
      case "count": return .aggregate(.count, nil)
      case "today": return .today
      default: return .field(word)
      }
    }
    place += 1
    return try call(word, at: start)
  }

  /// Parses a name up to the quote that ends it.
  private mutating func quoted(from start: Int) throws(SlipboxError) -> String {
    guard let end = characters[place...].firstIndex(of: "\"") else {
      throw refusal("a quote has no end", at: start)
    }
    defer { place = end + 1 }
    return String(characters[place..<end])
  }

  /// Parses a name or a number: letters, digits, dots, underscores, and dashes between these.
  private mutating func word() -> String {
    let start = place
    while place < characters.count {
      let character = characters[place]
      let isInside = place > start && place + 1 < characters.count && Self.isLetter(characters[place + 1])
      guard Self.isLetter(character) || character == "-" && isInside else { break }
      place += 1
    }
    return String(characters[start..<place])
  }

  private static func isLetter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "."
  }

  /// Parses the arguments of a function and its closing parenthesis.
  private mutating func call(_ name: String, at start: Int) throws(SlipboxError) -> TableExpression {
    if name == "percent" {
      let end = characters[place...].lastIndex(of: ")") ?? characters.count
      var depth = 1
      let begin = place
      while place < end {
        if characters[place] == "(" { depth += 1 }
        if characters[place] == ")" { depth -= 1 }
        if depth == 0 { break }
        place += 1
      }
      let query = String(characters[begin..<place])
      guard skip(")") else { throw refusal("a closing parenthesis is missing", at: place) }
      return .percent(query: query == "active" ? "is:active" : query)
    }
    var arguments: [TableExpression] = []
    if !skip(")") {
      repeat { arguments.append(try expression()) } while skip(",")
      guard skip(")") else { throw refusal("a closing parenthesis is missing", at: place) }
    }
    if name == "days" {
      guard arguments.count == 2 else {
        throw refusal("days takes two dates: days(started, completed)", at: start)
      }
      return .days(arguments[0], arguments[1])
    }
    if let part = TableExpression.DatePart(rawValue: name) {
      guard arguments.count == 1 else { throw refusal("\(name) takes a date: \(name)(completed)", at: start) }
      return .part(part, arguments[0])
    }
    guard let aggregate = TableExpression.Aggregate(rawValue: name) else {
      let near = Spelling.nearest(to: name, among: Self.functions).map { "; did you mean \($0)?" } ?? ""
      throw refusal("there is no function \(name)\(near)", at: start)
    }
    guard arguments.count == (aggregate == .count ? 0 : 1) else {
      throw refusal(
        aggregate == .count ? "count takes no field" : "\(name) takes a field: \(name)(pages)", at: start)
    }
    if arguments.first?.isAggregate == true {
      throw refusal("\(name) takes a value of a note, not an aggregate", at: start)
    }
    return .aggregate(aggregate, arguments.first)
  }

  mutating func expectEnd() throws(SlipboxError) {
    skipBlanks()
    guard place == characters.count else { throw refusal("unexpected \(characters[place])", at: place) }
  }

  private func refusal(_ message: Phrase, at place: Int) -> SlipboxError {
    OptionPlace(option: option, text: String(characters), offset: place).refusal(message)
  }
}

/// A column by whose values the rows of a table are sorted.
package struct TableSort: Sendable {
  package let heading: String
  let isDescending: Bool
  let place: OptionPlace

  /// Parses headings separated by commas, with a dash for descending order; commas inside of parentheses do not separate.
  package static func read(_ text: String, option: String = "--sort") -> [TableSort] {
    var parts: [(text: String, start: Int)] = [("", 0)]
    var depth = 0
    for (number, character) in text.enumerated() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append(("", number + 1))
      } else if character != " " || !parts[parts.count - 1].text.isEmpty {
        if parts[parts.count - 1].text.isEmpty { parts[parts.count - 1].start = number }
        parts[parts.count - 1].text.append(character)
      }
    }
    return parts.map { part in
      let trimmed = String(part.text.reversed().drop { $0 == " " }.reversed())
      let isDescending = trimmed.hasPrefix("-")
      return TableSort(
        heading: isDescending ? String(trimmed.dropFirst()) : trimmed, isDescending: isDescending,
        place: OptionPlace(option: option, text: text, offset: part.start))
    }
  }
}
