extension Report {
  /// The report for programs, in one line.
  package var json: String {
    JSONText.object([
      ("schema", .number(1)),
      ("setting", .object(setting.map { ($0.name, .text($0.value)) })),
      ("rows", .list(rows.map(Self.json))),
      ("growth", .list(growths.map(Self.json))),
    ]).written
  }

  private static func json(_ row: RowResult) -> JSONText {
    .object([
      ("row", .text(row.key)), ("title", .text(row.title)),
      ("count", row.scale.map { .number(Double($0.count)) }),
      ("unit", row.scale.map { .text($0.unit) }), ("slip", json(row.slip)),
      ("others", .list(row.others.map(json))), ("goals", .list(row.comparisons.compactMap(json))),
      ("remark", row.remark.map { .text($0) }),
    ])
  }

  private static func json(_ measurement: Measurement) -> JSONText {
    let statistics = measurement.statistics
    return .object([
      ("name", .text(measurement.name)), ("runs", statistics.map { .number(Double($0.count)) }),
      ("median", statistics.map { .number($0.median) }), ("minimum", statistics.map { .number($0.minimum) }),
      ("maximum", statistics.map { .number($0.maximum) }),
      ("peakBytes", measurement.peakBytes.map { .number(Double($0)) }),
      ("failure", measurement.failure.map { .text($0) }),
    ])
  }

  private static func json(_ comparison: Comparison) -> JSONText? {
    guard let goal = comparison.goal, let verdict = comparison.verdict else { return nil }
    return .object([
      ("against", .text(comparison.base)), ("ratio", comparison.ratio.map { .number($0) }),
      ("below", .number(goal)), ("verdict", .text(verdict.rawValue)),
    ])
  }

  private static func json(_ growth: Growth) -> JSONText {
    .object([
      ("title", .text(growth.title)), ("from", .number(Double(growth.from.count))),
      ("to", .number(Double(growth.to.count))), ("unit", .text(growth.to.unit)),
      ("ratio", .number(growth.ratio)),
      ("atMost", growth.goal.map { .number($0) }), ("verdict", growth.verdict.map { .text($0.rawValue) }),
    ])
  }
}
