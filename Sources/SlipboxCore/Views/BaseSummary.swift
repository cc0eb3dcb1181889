import Notes

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

  /// The value of the summary, by functions of lists and comparisons.
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
