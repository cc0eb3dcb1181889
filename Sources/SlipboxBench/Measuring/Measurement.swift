/// The cost of one contender of a row.
package struct Measurement: Equatable, Sendable {
  package let name: String
  /// The time of each counted run.
  package let milliseconds: [Double]
  /// The largest resident memory of any run; nil where it was no program.
  package let peakBytes: Int?
  /// Why there is no figure.
  package let failure: String?

  package init(name: String, milliseconds: [Double], peakBytes: Int? = nil, failure: String? = nil) {
    self.name = name
    self.milliseconds = milliseconds
    self.peakBytes = peakBytes
    self.failure = failure
  }

  /// The figures; nil where it failed.
  package var statistics: Statistics? { failure == nil ? Statistics(milliseconds) : nil }
}

/// How large the box of a row was.
package struct Scale: Hashable, Sendable {
  package let count: Int
  /// The unit of the count, such as `notes`.
  package let unit: String

  package init(_ count: Int, _ unit: String) {
    self.count = count
    self.unit = unit
  }
}

/// The figures of several runs of one command.
package struct Statistics: Equatable, Sendable {
  package let count: Int
  package let minimum: Double
  package let median: Double
  package let maximum: Double

  /// - Returns: Nil where there was no run.
  package init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    count = sorted.count
    minimum = first
    maximum = last
    let middle = count / 2
    median = count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

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
