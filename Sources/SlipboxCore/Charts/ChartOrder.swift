import Notes

/// The series of a chart, from the one at the bottom, and which values belong to each.
struct ChartOrder {
  /// So many values are told apart where they have no order of their own; the rest is one series.
  private static let mostValues = 7
  private static let absentName = "none"
  private static let otherName = "other"

  private(set) var series: [Chart.Series] = []
  /// The place of each value's series; nil where all notes are one series.
  private var places: [ChartValue: Int]?

  /// - Parameter titles: the titles of the records that values name.
  init(_ counts: [ChartCount], _ field: String?, _ schema: Schema, titles: [ChartValue: String]) {
    guard let field else {
      series = [Chart.Series("")]
      return
    }
    var sums: [ChartValue: Int] = [:]
    var names: [ChartValue: String] = [:]
    var areActive: [ChartValue: Bool] = [:]
    for count in counts {
      sums.merge(count.counts, uniquingKeysWith: +)
      names.merge(count.names) { $1 }
      areActive.merge(count.areActive) { $1 }
    }
    names.merge(titles) { $1 }
    let kinds = counts.reduce(into: Set<String>()) { $0.formUnion($1.kinds) }
    let declared = Self.declared(field, schema, kinds)
    var order: [ChartValue: Int] = [:]
    for (place, value) in declared.values.enumerated() { order[.text(value)] = place }
    let values = sums.keys.filter { $0 != .absent }.sorted { left, right in
      let (first, second) = (order[left] ?? .max, order[right] ?? .max)
      if first != second { return first < second }
      let (one, other) = (sums[left] ?? 0, sums[right] ?? 0)
      return one != other ? one > other : (names[left] ?? "") < (names[right] ?? "")
    }
    places = [:]
    let isOrdered = !declared.values.isEmpty
    let shown = isOrdered || values.count <= Self.mostValues + 1 ? values.count : Self.mostValues
    for value in values.prefix(shown) {
      let isHighest = declared.highest.map { value == .text($0) } ?? false
      let isOver = declared.tellsActivity && areActive[value] == false
      add(value, names[value] ?? "", isOver ? .over : isHighest ? .highest : .plain)
    }
    if values.count > shown {
      for value in values.dropFirst(shown) { places?[value] = series.count }
      series.append(Chart.Series(Self.otherName, .other))
    }
    if sums[.absent] != nil { add(.absent, Self.absentName, .absent) }
  }

  private mutating func add(_ value: ChartValue, _ name: String, _ meaning: Chart.Series.Meaning) {
    places?[value] = series.count
    series.append(Chart.Series(name, meaning))
  }

  /// The counts of the series at a moment.
  func counts(of count: ChartCount) -> [Int] {
    guard let places else { return [count.total] }
    var counts = [Int](repeating: 0, count: series.count)
    for (value, number) in count.counts { if let place = places[value] { counts[place] += number } }
    return counts
  }
}

extension ChartOrder {
  /// The order of a field's values, and their meaning, by the kinds that declare it.
  private static func declared(
    _ field: String, _ schema: Schema, _ kinds: Set<String>
  ) -> (values: [String], highest: String?, tellsActivity: Bool) {
    var values: [String] = []
    var highest: String?
    var tellsActivity = false
    for kind in schema.kinds where kinds.contains(kind.name) {
      guard let declared = kind.fields.first(where: { $0.name.isSameName(as: field) }) else { continue }
      if kind.tellsActivity(declared) { tellsActivity = true }
      guard declared.type == .choice else { continue }
      for value in declared.values where !values.contains(value) { values.append(value) }
      if !kind.tellsActivity(declared), declared.values.count > 2 { highest = declared.values.last }
    }
    return (values, highest, tellsActivity)
  }
}
