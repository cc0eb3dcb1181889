/// A row of the report: slip and the others that did the same in turn with it.
package struct RowResult: Equatable, Sendable {
  package let key: String
  package let title: String
  /// nil if the size of the box has nothing to do with it.
  package let scale: Scale?
  package let slip: Measurement
  package let others: [Measurement]
  package let goals: [Goal]
  /// A note on the commands for the reader.
  package let remark: String?

  package init(
    key: String, title: String, scale: Scale?, slip: Measurement, others: [Measurement], goals: [Goal],
    remark: String? = nil
  ) {
    self.key = key
    self.title = title
    self.scale = scale
    self.slip = slip
    self.others = others
    self.goals = goals
    self.remark = remark
  }
}

/// A row of slip compared with one other program.
package struct Comparison: Equatable, Sendable {
  package let base: String
  /// The median of the other, or nil if it has none.
  package let milliseconds: Double?
  /// Slip's median in these.
  package let ratio: Double?
  /// The ratio has to be under this.
  package let goal: Double?
  /// nil if there is no goal.
  package let verdict: GoalResult?
  package let failure: String?
}

extension RowResult {
  /// Slip against each other, then against the goals for memory.
  package var comparisons: [Comparison] {
    others.map(comparison) + goals.compactMap(memoryComparison)
  }

  /// The results of all goals.
  package var results: [GoalResult] { comparisons.compactMap(\.verdict) }

  private func comparison(with other: Measurement) -> Comparison {
    let time = other.statistics?.median
    var ratio: Double?
    if let time, let own = slip.statistics?.median, time > 0 { ratio = own / time }
    let goal = limit(for: other.name)
    return Comparison(
      base: other.name, milliseconds: time, ratio: ratio, goal: goal,
      verdict: goal.map { Self.verdict(ratio, $0) }, failure: other.failure)
  }

  private func memoryComparison(_ goal: Goal) -> Comparison? {
    guard case .megabytes(let limit) = goal else { return nil }
    var ratio: Double?
    if slip.failure == nil, let peak = slip.peakBytes { ratio = Double(peak) / 1e6 / Double(limit) }
    return Comparison(
      base: "\(limit) MB of memory", milliseconds: nil, ratio: ratio, goal: 1,
      verdict: Self.verdict(ratio, 1), failure: nil)
  }

  private func limit(for base: String) -> Double? {
    for case .ratio(let name, let limit) in goals where name == base { return limit }
    return nil
  }

  private static func verdict(_ ratio: Double?, _ goal: Double) -> GoalResult {
    guard let ratio else { return .unknown }
    return ratio < goal ? .met : .missed
  }
}

/// A limit for a figure of slip.
package enum Goal: Equatable, Sendable {
  /// The time of slip is under so many times that of another.
  case ratio(to: String, below: Double)
  /// The memory of slip at its peak is under so many megabytes (of 1,000,000 bytes).
  case megabytes(Int)
}

extension Goal {
  /// The size from which the goals hold: below it the start of the process decides.
  static let smallestHeld = 100_000
  /// The memory, in megabytes, of a command that prints few notes of 100,000.
  static let fewNotes = 64
  /// The memory, in megabytes, of a command that prints all of 100,000 notes.
  static let allNotes = 200

  /// The goals of a row for a box of `count` notes; none below `smallestHeld`.
  /// - Parameters:
  ///   - ratios: The largest ratio to each of the others.
  ///   - megabytes: The largest memory at 100,000 notes; it may grow in proportion to the notes.
  package static func goals(
    _ count: Int, _ ratios: KeyValuePairs<String, Double>, megabytes: Int? = nil
  ) -> [Goal] {
    guard count >= smallestHeld else { return [] }
    let memory = megabytes.map { Goal.megabytes($0 * (count / smallestHeld)) }
    return ratios.map { .ratio(to: $0.key, below: $0.value) } + [memory].compactMap(\.self)
  }
}

/// Whether a goal is met.
package enum GoalResult: String, Sendable {
  case met
  case missed
  /// The other figure could not be measured.
  case unknown
}

/// The cost of one contender of a row.
package struct Measurement: Equatable, Sendable {
  package let name: String
  /// The time of each counted run.
  package let milliseconds: [Double]
  /// The largest resident memory of any run; nil if it was no program.
  package let peakBytes: Int?
  /// Why there is no figure.
  package let failure: String?

  package init(name: String, milliseconds: [Double], peakBytes: Int? = nil, failure: String? = nil) {
    self.name = name
    self.milliseconds = milliseconds
    self.peakBytes = peakBytes
    self.failure = failure
  }

  /// The figures; nil if it failed.
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

  /// - Returns: nil if there was no run.
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
  /// The largest allowed ratio for ten times the size; nil if there is none.
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
      // Below 10,000 notes, the start of the process dominates.
      let isTenfold = next.count == scale.count * 10 && scale.count >= 10_000
      growths.append(
        Growth(
          title: row.title, from: scale, to: next, ratio: later / time,
          goal: isTenfold ? goals[row.key] : nil))
    }
    return growths
  }
}
