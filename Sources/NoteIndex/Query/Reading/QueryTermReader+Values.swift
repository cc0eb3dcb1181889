import Notes
import Text

/// Values of fields: words, ranges, comparisons.
extension QueryTermReader {
  /// How a value is compared.
  enum Comparison: String {
    case equal = "="
    case below = "<"
    case atMost = "<="
    case above = ">"
    case atLeast = ">="
  }

  private func direction(_ name: String) -> DateInterval.Direction {
    looking ?? (QueryNames.datesAhead.contains(name) ? .ahead : .back)
  }

  /// Returns a comparison at the beginning of a value, and the rest; nil if the value has no comparison.
  func comparison(
    _ value: ArraySlice<QueryLetter>
  ) -> (sign: Comparison, rest: ArraySlice<QueryLetter>)? {
    for sign in [Comparison.atMost, .atLeast, .below, .above, .equal] {
      let letters = Array(sign.rawValue.utf8)
      guard value.count >= letters.count, value.prefix(letters.count).allSatisfy({ !$0.isQuoted }),
        value.prefix(letters.count).bytes == letters
      else { continue }
      return (sign, value.dropFirst(letters.count).trimmed)
    }
    return nil
  }

  /// `created:`, `modified:` and `todo-due:`, which are always dates.
  func date(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryNode {
    if word.value.trimmed.isEmpty {
      if name == "modified" { throw QueryFault("a date must follow modified:", at: word.range) }
      return node(name == "created" ? .lacks(name) : .todo(TodoTest(.undated)), word, "\(name):")
    }
    var intervals: [DateInterval] = []
    var shown: [String] = []
    for part in try filledAlternatives(word, isProse: false) {
      let (sign, rest) = comparison(part) ?? (.equal, part)
      if rest.isEmpty { throw QueryFault("a date must follow \(sign.rawValue)", at: word.range) }
      intervals.append(try interval(sign, rest, word))
      let isBare = comparison(part) == nil || sign == .equal
      shown.append((isBare ? "" : sign.rawValue) + (try shownDate(rest, word)))
    }
    let condition: QueryCondition =
      switch name {
      case "created": .created(intervals)
      case "modified": .modified(intervals)
      default: .todo(TodoTest(.due(intervals)))
      }
    return node(condition, word, "\(name):" + shown.joined(separator: ","))
  }

  private func shownDate(_ value: ArraySlice<QueryLetter>, _ word: QueryWord) throws(QueryFault) -> String {
    guard let ends = try rangeEnds(value, word) else { return QueryValue.shownLiteral(value) }
    return Self.shownRange(ends.lower, ends.upper)
  }

  private static func shownRange(_ lower: ArraySlice<QueryLetter>?, _ upper: ArraySlice<QueryLetter>?)
    -> String
  {
    [lower, upper].map { $0.map { QueryValue.shownLiteral($0) } ?? "" }.joined(separator: "..")
  }

  private func interval(
    _ sign: Comparison, _ value: ArraySlice<QueryLetter>, _ word: QueryWord
  ) throws(QueryFault) -> DateInterval {
    let looking = direction(word.name?.lowercased() ?? "created")
    if sign == .equal, let ends = try rangeEnds(value, word) {
      for end in [ends.lower, ends.upper].compactMap({ $0 }) { _ = try wholeDate(end, word) }
      let (lower, upper) = (ends.lower?.text, ends.upper?.text)
      return DateInterval.range(lower, upper, clock: clock, looking: looking) ?? .all
    }
    let date = try wholeDate(value, word)
    return compared(sign, date, value.text, looking: looking)
  }

  private func wholeDate(_ value: ArraySlice<QueryLetter>, _ word: QueryWord) throws(QueryFault)
    -> DateInterval
  {
    let direction = direction(word.name?.lowercased() ?? "created")
    if let date = DateInterval.parse(value.text, clock: clock, looking: direction) { return date }
    throw QueryFault(
      "\(QueryValue.excerpt(value)) is not a date", at: value.range ?? word.range,
      hint: Misfit.dateHint(word.name ?? "created", value.text, clock, direction))
  }

  /// Both ends of a comparison's stretch of time are whole, as in a range.
  private func compared(
    _ sign: Comparison, _ date: DateInterval, _ text: String, looking: DateInterval.Direction
  ) -> DateInterval {
    // A value beyond a duration is beyond the day at that distance.
    let point = DateInterval.point(text, clock: clock, looking: looking)
    return switch sign {
    case .equal: date
    case .below: looking == .back ? date.before : (point ?? date).before
    case .above: (point ?? date).after
    case .atMost: DateInterval.range(nil, text, clock: clock, looking: looking) ?? date
    case .atLeast: DateInterval.range(text, nil, clock: clock, looking: looking) ?? date
    }
  }

  /// Returns the ends of a range; nil if the value is not a range.
  func rangeEnds(
    _ value: ArraySlice<QueryLetter>, _ word: QueryWord
  ) throws(QueryFault) -> (lower: ArraySlice<QueryLetter>?, upper: ArraySlice<QueryLetter>?)? {
    let dots = QueryValue.rangeDots(in: value)
    guard let first = dots.first else { return nil }
    if dots.count > 1 {
      let second = dots[1]
      throw QueryFault(
        "a range has at most two ends",
        at: value[second.lowerBound].offset..<value[second.upperBound - 1].offset + 1,
        hint: "if the value is text, quote it")
    }
    let (lower, upper) = (value[..<first.lowerBound].trimmed, value[first.upperBound...].trimmed)
    if lower.isEmpty && upper.isEmpty {
      throw QueryFault("a range needs an end: 4.. or ..9 or 4..9", at: word.range)
    }
    return (lower.isEmpty ? nil : lower, upper.isEmpty ? nil : upper)
  }

  /// Any other field, `title:` and `body:`.
  ///
  /// - Parameter isProse: whether a comma before a blank is one of the text.
  func values(_ name: String, _ word: QueryWord, isProse: Bool = true) throws(QueryFault) -> QueryNode {
    let value = word.value.trimmed
    let shownName = QueryValue.shownName(name)
    guard !value.isEmpty else { return node(.lacks(name), word, "\(shownName):") }
    if let (sign, rest) = comparison(value) {
      if rest.isEmpty, sign == .equal { return node(.lacks(name), word, "\(shownName):") }
      let test = try compared(name, sign, rest, word)
      let shown = QueryValue.shownLiteral(rest)
      return node(Self.condition(name, [test]), word, "\(shownName):\(sign.rawValue)\(shown)")
    }
    var alternatives: [[(test: ValueTest, shown: String)]] = []
    for part in try filledAlternatives(word, isProse: isProse) {
      alternatives.append(try tests(name, part, word))
    }
    if alternatives.allSatisfy({ $0.count == 1 }) {
      let tests = alternatives.joined()
      let shown = tests.map(\.shown).joined(separator: ",")
      return node(Self.condition(name, tests.map(\.test)), word, "\(shownName):\(shown)")
    }
    return .any(
      alternatives.map { tests in
        .all(tests.map { node(Self.condition(name, [$0.test]), word, "\(shownName):\($0.shown)") })
      })
  }

  private static func condition(_ name: String, _ tests: [ValueTest]) -> QueryCondition {
    switch name {
    case "title": .title(tests)
    case "body": .body(tests.compactMap(\.pattern))
    default: .field(name, tests)
    }
  }

  private func compared(
    _ name: String, _ sign: Comparison, _ value: ArraySlice<QueryLetter>, _ word: QueryWord
  ) throws(QueryFault) -> ValueTest {
    if name == "body" {
      throw QueryFault("body: takes words and phrases", at: word.range, hint: "if it is text, quote it")
    }
    if sign == .equal { return .exactly(Folding.fold(value.bytes[...])) }
    guard !value.isEmpty else {
      throw QueryFault("a value must follow \(sign.rawValue)", at: word.range)
    }
    let text = value.text
    let looking = direction(name)
    let date = name == "title" ? nil : DateInterval.parse(text, clock: clock, looking: looking)
    let bound = ValueRange.Bound(text, isInside: sign == .atMost || sign == .atLeast)
    let isUpper = sign == .below || sign == .atMost
    return .within(
      ValueRange(
        lower: isUpper ? nil : bound, upper: isUpper ? bound : nil,
        dates: date.map { compared(sign, $0, text, looking: looking) }))
  }

  /// The tests of one alternative: a range, a date or number, or words that must all occur.
  private func tests(
    _ name: String, _ value: ArraySlice<QueryLetter>, _ word: QueryWord
  ) throws(QueryFault) -> [(test: ValueTest, shown: String)] {
    if name != "body", let ends = try rangeEnds(value, word) {
      let shown = Self.shownRange(ends.lower, ends.upper)
      return [(.within(range(name, ends.lower?.text, ends.upper?.text)), shown)]
    }
    if name != "body", value.allSatisfy({ $0.isPlain("*") }) { return [(.present, "*")] }
    let isTyped = name != "title" && name != "body"
    let dates = isTyped ? DateInterval.parse(value.text, clock: clock, looking: direction(name)) : nil
    let parts = dates == nil ? QueryValue.words(of: value) : [value]
    var tests: [(test: ValueTest, shown: String)] = []
    for part in parts {
      guard let pattern = TextPattern(part) else {
        throw QueryFault("* needs letters next to it", at: part.range ?? word.range)
      }
      let number = isTyped && parts.count == 1 ? DecimalNumber(part.text) : nil
      tests.append((.like(pattern, number: number, dates: dates), QueryValue.shown(part)))
    }
    return tests
  }

  private func range(_ name: String, _ lower: String?, _ upper: String?) -> ValueRange {
    let dates =
      name == "title"
      ? nil : DateInterval.range(lower, upper, clock: clock, looking: direction(name))
    return ValueRange(
      lower: lower.map { ValueRange.Bound($0, isInside: true) },
      upper: upper.map { ValueRange.Bound($0, isInside: true) },
      dates: dates)
  }
}

/// The terms about check boxes.
extension QueryTermReader {
  /// Whether a name means check boxes: a field of that name in a kind takes precedence.
  func readsBoxes(_ name: String) -> Bool { !context.schema.declares(name) }

  /// `todo:milk`, `todo:"two eggs",bread`.
  func todo(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    let value = word.value.trimmed
    guard !value.isEmpty else { return node(.todo(TodoTest(.none)), word, "todo:") }
    if let (sign, _) = comparison(value) {
      throw QueryFault(
        "todo: takes words and phrases, not \(sign.rawValue)", at: word.range, hint: "if it is text, quote it"
      )
    }
    let parts = try filledAlternatives(word, isProse: true)
    var patterns: [TextPattern] = []
    for part in parts {
      guard let pattern = TextPattern(part) else {
        throw QueryFault("* needs letters next to it", at: part.range ?? word.range)
      }
      patterns.append(pattern)
    }
    let shown = parts.map { QueryValue.shown($0) }.joined(separator: ",")
    return node(.todo(TodoTest(.text(patterns))), word, "todo:" + shown)
  }
}
