/// The results of one run of the bench.
package struct Report {
  /// The machine and the programs that were measured: names and values.
  package let setting: [(name: String, value: String)]
  package let rows: [RowResult]
  package let growths: [Growth]

  package init(setting: [(name: String, value: String)], rows: [RowResult], growthGoals: [String: Double]) {
    self.setting = setting
    self.rows = rows
    growths = Growth.all(of: rows, goals: growthGoals)
  }

  /// Whether slip failed in a row.
  package var hasFailures: Bool { rows.contains { $0.slip.failure != nil } }

  /// The results of all goals.
  var results: [GoalResult] { rows.flatMap(\.results) + growths.compactMap(\.verdict) }

  /// The number of goals that are met, missed, and without an answer.
  package var summary: String {
    let results = results
    func count(_ verdict: GoalResult) -> Int { results.count { $0 == verdict } }
    let failed = rows.count { $0.slip.failure != nil }
    return
      "\(results.count) goals: \(count(.met)) met, \(count(.missed)) missed, \(count(.unknown)) not measured; "
      + "\(failed) of \(rows.count) rows failed"
  }
}
