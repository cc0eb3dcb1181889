/// What PERFORMANCE asks of a figure.
package enum Goal: Equatable, Sendable {
  /// The time of slip is under so many times that of another.
  case ratio(to: String, below: Double)
  /// The memory of slip at its peak is under so many megabytes (of 1,000,000 bytes).
  case megabytes(Int)
}

/// Whether a goal is met.
package enum Verdict: String, Sendable {
  case met
  case missed
  /// What it is held against could not be measured.
  case unknown
}
