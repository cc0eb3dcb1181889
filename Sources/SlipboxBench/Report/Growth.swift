/// How the time of an operation grows from one size to the next.
package struct Growth: Equatable, Sendable {
  package let title: String
  package let from: Scale
  package let to: Scale
  package let ratio: Double
  /// The largest allowed ratio for ten times the size; nil where there is none.
  package let goal: Double?

  package var verdict: GoalResult? { goal.map { ratio <= $0 ? .met : .missed } }

  /// The growth of every operation that was measured at two sizes of one unit or more.
  /// - Parameter goals: For ten times the size, by the keys of the rows.
  package static func all(of rows: [RowResult], goals: [String: Double]) -> [Growth] {
    var growths: [Growth] = []
    for (index, row) in rows.enumerated() {
      guard let scale = row.scale, let time = row.slip.statistics?.median else { continue }
      let larger = rows[(index + 1)...].first {
        $0.key == row.key && $0.scale?.unit == scale.unit && $0.slip.statistics != nil
      }
      guard let larger, let next = larger.scale, let later = larger.slip.statistics?.median else { continue }
      // Below 10,000 the start of the process is what is measured.
      let isTenfold = next.count == scale.count * 10 && scale.count >= 10_000
      growths.append(
        Growth(
          title: row.title, from: scale, to: next, ratio: later / time,
          goal: isTenfold ? goals[row.key] : nil))
    }
    return growths
  }
}
