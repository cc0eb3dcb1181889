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
