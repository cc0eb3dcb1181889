package import Git
package import Notes

/// A point in the past of a box: a commit, and the clock of whoever would have asked then.
package struct PastPoint: Sendable {
  /// The revision or date as it was typed.
  package let name: String
  package let commit: ObjectID
  /// For a date its end, for a revision the time of its commit.
  package let clock: ClockReading
}

extension Box {
  /// The box at a point in the past.
  package func snapshot(
    at point: PastPoint, isLenient: Bool = false, _ context: CommandContext
  ) throws(SlipboxError) -> BoxSnapshot {
    try CommitReader(self, context.reading(point.clock)).snapshot(of: point.commit, isLenient: isLenient)
  }
}
