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
