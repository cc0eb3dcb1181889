import Notes
import Text

/// The functions of `.base` files that depend on their arguments alone.
enum BaseFunctions {
  /// The minimum and maximum number of arguments of each.
  private static let functions: [String: ClosedRange<Int>] = [
    "if": 2...3, "today": 0...0, "now": 0...0, "date": 1...1, "duration": 1...1, "number": 1...1,
    "list": 1...1, "min": 1...64, "max": 1...64, "link": 1...2,
  ]
  private static let methods: [String: ClosedRange<Int>] = [
    "isTruthy": 0...0, "isType": 1...1, "toString": 0...0, "isEmpty": 0...0, "date": 0...0, "format": 1...1,
    "time": 0...0, "contains": 1...1, "containsAll": 1...64, "containsAny": 1...64, "endsWith": 1...1,
    "startsWith": 1...1, "lower": 0...0, "upper": 0...0, "title": 0...0, "trim": 0...0, "replace": 2...2,
    "repeat": 1...1, "reverse": 0...0, "slice": 1...2, "split": 1...2, "abs": 0...0, "ceil": 0...0,
    "floor": 0...0, "round": 0...1, "toFixed": 1...1, "flat": 0...0, "join": 1...1, "sort": 0...0,
    "unique": 0...0, "map": 1...1, "filter": 1...1, "reduce": 2...2, "mean": 0...0, "linksTo": 1...1,
  ]
  private static let fileMethods: [String: ClosedRange<Int>] = [
    "hasTag": 1...64, "inFolder": 1...1, "hasProperty": 1...1, "hasLink": 1...1, "asLink": 0...1,
  ]
  /// The properties of texts, lists and dates, and of durations.
  static let fields =
    ["length", "year", "month", "day", "hour", "minute", "second"]
    + ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"]

  private static func check(
    _ name: String, _ arguments: [BaseExpression], _ known: [String: ClosedRange<Int>]
  ) throws(BaseFault) {
    guard let counts = known[name] else {
      throw BaseFault(message: "the function \(name)() isn't supported")
    }
    guard counts.contains(arguments.count) else {
      throw BaseFault(message: "\(name)() has \(arguments.count) arguments")
    }
  }

  static func checkFunction(_ name: String, _ arguments: [BaseExpression]) throws(BaseFault) {
    try check(name, arguments, functions)
  }

  static func checkMethod(_ name: String, _ arguments: [BaseExpression]) throws(BaseFault) {
    try check(name, arguments, methods)
    guard name == "format", case .literal(.text(let pattern)) = arguments[0] else { return }
    guard BaseDate(CivilDate(dayNumber: 0)).format(pattern) != nil else {
      throw BaseFault(message: "the format \(pattern) isn't supported")
    }
  }

  static func checkFileMethod(_ name: String, _ arguments: [BaseExpression]) throws(BaseFault) {
    try check(name, arguments, fileMethods)
  }
}

// MARK: Methods of values

extension BaseFunctions {
  /// Returns the value of a method; empty if the value has no method of that name.
  static func call(_ name: String, on value: BaseValue, _ arguments: [BaseValue]) -> BaseValue {
    switch (name, value) {
    case ("isTruthy", _): return .boolean(value.isTrue)
    case ("isEmpty", _): return .boolean(value.isEmpty)
    case ("toString", _): return .text(value.text)
    case ("isType", _): return .boolean(typeName(value) == arguments[0].text)
    case (_, .text(let text)): return call(name, text: text, arguments)
    // Another method of a link is that of its text.
    case (_, .link(let link)): return call(name, text: link.text, arguments)
    case (_, .number(let number)): return call(name, number: number, arguments)
    case (_, .list(let elements)): return call(name, list: elements, arguments)
    case (_, .date(let date)): return call(name, date: date, arguments)
    // A missing value contains nothing.
    case ("contains", .empty), ("containsAny", .empty), ("containsAll", .empty), ("startsWith", .empty),
      ("endsWith", .empty):
      return .boolean(false)
    default: return .empty
    }
  }

  private static func typeName(_ value: BaseValue) -> String {
    switch value {
    case .empty: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .text: "string"
    case .date: "date"
    case .duration: "duration"
    case .list: "list"
    case .link: "link"
    }
  }

  private static func call(_ name: String, text: String, _ arguments: [BaseValue]) -> BaseValue {
    let texts = arguments.map(\.text)
    switch name {
    case "contains": return .boolean(text.contains(texts[0]))
    case "containsAll": return .boolean(texts.allSatisfy { text.contains($0) })
    case "containsAny": return .boolean(texts.contains { text.contains($0) })
    case "startsWith": return .boolean(text.hasPrefix(texts[0]))
    case "endsWith": return .boolean(text.hasSuffix(texts[0]))
    case "lower": return .text(text.lowercased())
    case "upper": return .text(text.uppercased())
    case "title":
      let words = text.split(separator: " ", omittingEmptySubsequences: false)
      return .text(words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " "))
    case "trim":
      let start = text.drop { $0.isWhitespace }
      return .text(String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count)))
    case "replace":
      guard !texts[0].isEmpty else { return .text(text) }
      return limited(parts(of: text, by: texts[0]).joined(separator: texts[1]))
    case "repeat":
      guard let count = arguments[0].number, (0...Double(BaseValue.longestText)).contains(count),
        text.utf8.count * Int(count) <= BaseValue.longestText
      else { return .empty }
      return .text(String(repeating: text, count: Int(count)))
    case "reverse": return .text(String(text.reversed()))
    case "slice":
      let characters = Array(text)
      return .text(String(characters[range(arguments, characters.count)]))
    case "split":
      guard !texts[0].isEmpty else {
        return .list(text.prefix(BaseValue.longestList).map { .text(String($0)) })
      }
      let parts = parts(of: text, by: texts[0]).prefix(BaseValue.longestList).map { BaseValue.text($0) }
      return .list(arguments.count > 1 ? Array(parts.prefix(max(0, integer(arguments[1]) ?? 0))) : parts)
    default: return .empty
    }
  }

  /// Splits a text at the occurrences of another.
  private static func parts(of text: String, by separator: String) -> [String] {
    var (parts, rest): ([String], Substring) = ([], text[...])
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  static func limited(_ text: String) -> BaseValue {
    text.utf8.count <= BaseValue.longestText ? .text(text) : .empty
  }

  private static func integer(_ value: BaseValue) -> Int? {
    value.number.flatMap { $0.magnitude < 1e9 ? Int($0) : nil }
  }

  /// Returns the range from a start to an end, which count from the end if they are negative.
  private static func range(_ arguments: [BaseValue], _ count: Int) -> Range<Int> {
    let places = arguments.map { value in
      let place = integer(value) ?? 0
      return min(max(place < 0 ? count + place : place, 0), count)
    }
    let end = places.count > 1 ? places[1] : count
    return min(places[0], end)..<end
  }

  private static func call(_ name: String, number: Double, _ arguments: [BaseValue]) -> BaseValue {
    let digits = arguments.first.map { integer($0) ?? -1 } ?? 0
    guard (0...15).contains(digits) else { return .empty }
    let scale = (0..<digits).reduce(1.0) { value, _ in value * 10 }
    switch name {
    case "abs": return .number(number.magnitude)
    case "ceil": return .number(number.rounded(.up))
    case "floor": return .number(number.rounded(.down))
    // Halves are rounded up, even below zero.
    case "round": return .number((number * scale + 0.5).rounded(.down) / scale)
    case "toFixed": return fixed(number, digits, scale).map { .text($0) } ?? .empty
    default: return .empty
    }
  }

  private static func fixed(_ number: Double, _ digits: Int, _ scale: Double) -> String? {
    let scaled = (number.magnitude * scale).rounded()
    guard scaled < 1e15 else { return nil }
    let (whole, part) = (Int(scaled) / Int(scale), Int(scaled) % Int(scale))
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return digits == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(CivilDate.padded(part, to: digits))"
  }

  private static func call(_ name: String, list: [BaseValue], _ arguments: [BaseValue]) -> BaseValue {
    switch name {
    case "contains": return .boolean(list.contains { isEqual($0, arguments[0]) })
    case "containsAll":
      return .boolean(arguments.allSatisfy { wanted in list.contains { isEqual($0, wanted) } })
    case "containsAny":
      return .boolean(arguments.contains { wanted in list.contains { isEqual($0, wanted) } })
    case "join": return limited(list.map(\.text).joined(separator: arguments[0].text))
    case "reverse": return .list(list.reversed())
    case "sort": return .list(list.sorted { precedes($0, $1) })
    case "unique":
      var seen: Set<BaseValue> = []
      return .list(list.filter { seen.insert($0).inserted })
    case "flat":
      let flat = list.flatMap { element -> [BaseValue] in
        if case .list(let inner) = element { return inner }
        return [element]
      }
      return .list(Array(flat.prefix(BaseValue.longestList)))
    case "slice": return .list(Array(list[range(arguments, list.count)]))
    case "mean":
      let numbers = list.compactMap(\.number)
      return numbers.isEmpty ? .empty : .number(numbers.reduce(0, +) / Double(numbers.count))
    default: return .empty
    }
  }

  private static func call(_ name: String, date: BaseDate, _ arguments: [BaseValue]) -> BaseValue {
    switch name {
    case "date": return .date(BaseDate(date.day))
    case "time": return .text(date.format("HH:mm:ss") ?? "")
    case "format": return date.format(arguments[0].text).map { .text($0) } ?? .empty
    default: return .empty
    }
  }
}

// MARK: Comparing

extension BaseFunctions {
  /// Returns the dates of two values, if one is a date and the other can be parsed as one.
  private static func dates(_ one: BaseValue, _ other: BaseValue) -> (BaseDate, BaseDate)? {
    switch (one, other) {
    case (.date(let one), .date(let other)): (one, other)
    case (.date(let one), .text(let text)): BaseDate(text).map { (one, $0) }
    case (.text(let text), .date(let other)): BaseDate(text).map { ($0, other) }
    default: nil
    }
  }

  static func isEqual(_ one: BaseValue, _ other: BaseValue) -> Bool {
    if let (one, other) = dates(one, other) { return one.seconds == other.seconds }
    switch (one, other) {
    case (.link(let link), .text(let text)), (.text(let text), .link(let link)): return link.text == text
    default: return one == other
    }
  }

  /// Returns whether a value is less than another; nil if they can't be compared.
  static func isLess(_ one: BaseValue, _ other: BaseValue) -> Bool? {
    if let (one, other) = dates(one, other) { return one.seconds < other.seconds }
    switch (one, other) {
    case (.number(let one), .number(let other)): return one < other
    case (.text, .text), (.text, .link), (.link, .text), (.link, .link): return one.text < other.text
    default: return nil
    }
  }

  /// Returns whether a value comes before another in a sorted list: an empty value comes last.
  static func precedes(_ one: BaseValue, _ other: BaseValue) -> Bool {
    if one.isEmpty || other.isEmpty { return !one.isEmpty && other.isEmpty }
    if one.isText, other.isText {
      return Collation.key(one.text).lexicographicallyPrecedes(Collation.key(other.text))
    }
    if case .boolean(let one) = one, case .boolean(let other) = other { return !one && other }
    if let isLess = isLess(one, other) { return isLess }
    return one.text < other.text
  }
}

extension BaseDate {
  /// Formats the date by a pattern such as `YYYY-MM-DD`; returns nil for a pattern that has other letters.
  func format(_ pattern: String) -> String? {
    let (hour, weekday) = ((second ?? 0) / 3_600, DateInterval.weekdays[day.weekday - 1])
    let month = DateInterval.months[day.month - 1]
    let tokens: [(String, String)] = [
      ("YYYY", CivilDate.padded(day.year, to: 4)), ("YY", Self.two(day.year % 100)),
      ("MMMM", month.prefix(1).uppercased() + month.dropFirst()),
      ("MMM", month.prefix(1).uppercased() + month.dropFirst().prefix(2)), ("MM", Self.two(day.month)),
      ("M", String(day.month)),
      ("DD", Self.two(day.day)), ("D", String(day.day)),
      ("dddd", weekday.prefix(1).uppercased() + weekday.dropFirst()),
      ("ddd", weekday.prefix(1).uppercased() + weekday.dropFirst().prefix(2)), ("HH", Self.two(hour)),
      ("H", String(hour)), ("mm", Self.two((second ?? 0) / 60 % 60)), ("ss", Self.two((second ?? 0) % 60)),
    ]
    var (rest, text) = (pattern[...], "")
    while let first = rest.first {
      if first == "[", let end = rest.firstIndex(of: "]") {
        text += rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
      } else if let token = tokens.first(where: { rest.hasPrefix($0.0) }) {
        text += token.1
        rest = rest.dropFirst(token.0.count)
      } else if first.isLetter {
        return nil
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }
}

/// The summary of the values of a column.
enum BaseSummary: Sendable {
  case average, sum, min, max, median, range, stddev, earliest, latest, checked, unchecked, empty, filled,
    unique
  case custom(String, BaseExpression)

  private static let named: [String: BaseSummary] = [
    "average": .average, "sum": .sum, "min": .min, "max": .max, "median": .median, "range": .range,
    "stddev": .stddev, "earliest": .earliest, "latest": .latest, "checked": .checked,
    "unchecked": .unchecked, "empty": .empty, "filled": .filled, "unique": .unique,
  ]

  static func named(_ name: String) -> BaseSummary? { named[name.lowercased()] }

  /// Returns the value of the summary, by functions of lists and comparisons.
  func value(of values: [BaseValue]) -> BaseValue {
    let numbers = values.compactMap(\.number)
    let dates = values.compactMap { value -> BaseDate? in
      if case .date(let date) = value { date } else { nil }
    }
    let count = { (test: (BaseValue) -> Bool) in BaseValue.number(Double(values.count(where: test))) }
    switch self {
    case .average:
      return numbers.isEmpty ? .empty : .number(numbers.reduce(0, +) / Double(numbers.count))
    case .sum: return .number(numbers.reduce(0, +))
    case .min: return numbers.min().map { .number($0) } ?? .empty
    case .max: return numbers.max().map { .number($0) } ?? .empty
    case .median:
      let sorted = numbers.sorted()
      guard !sorted.isEmpty else { return .empty }
      return .number((sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
    case .range:
      if let first = numbers.min(), let last = numbers.max() { return .number(last - first) }
      guard let first = dates.map(\.seconds).min(), let last = dates.map(\.seconds).max() else {
        return .empty
      }
      return .number(Double(last - first) / 86_400)
    case .stddev:
      guard !numbers.isEmpty else { return .empty }
      let mean = numbers.reduce(0, +) / Double(numbers.count)
      let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return .number((squares / Double(numbers.count)).squareRoot())
    case .earliest: return dates.min { $0.seconds < $1.seconds }.map { .date($0) } ?? .empty
    case .latest: return dates.max { $0.seconds < $1.seconds }.map { .date($0) } ?? .empty
    case .checked: return count { $0 == .boolean(true) }
    case .unchecked: return count { $0 == .boolean(false) }
    case .empty: return count(\.isEmpty)
    case .filled: return count { !$0.isEmpty }
    case .unique: return .number(Double(Set(values.filter { !$0.isEmpty }).count))
    case .custom: return .empty
    }
  }
}
