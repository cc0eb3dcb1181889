/// Everything that one run of the bench has found out.
package struct Report {
  /// What the figures were measured on and with: names and values.
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

  /// The verdicts of all goals.
  var verdicts: [Verdict] { rows.flatMap(\.verdicts) + growths.compactMap(\.verdict) }

  /// The number of goals that are met, missed, and without an answer.
  package var summary: String {
    let verdicts = verdicts
    func count(_ verdict: Verdict) -> Int { verdicts.count { $0 == verdict } }
    let failed = rows.count { $0.slip.failure != nil }
    return
      "\(verdicts.count) goals: \(count(.met)) met, \(count(.missed)) missed, \(count(.unknown)) not measured; "
      + "\(failed) of \(rows.count) rows failed"
  }
}
