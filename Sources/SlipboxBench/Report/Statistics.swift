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
