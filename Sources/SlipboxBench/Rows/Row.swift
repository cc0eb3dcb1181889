/// An operation at one size, ready to be measured.
struct Row {
  let slip: Contender
  let others: [Contender]
  var goals: [Goal] = []
  /// A figure that is not measured here but computed from another contender's.
  var derived: Derived?
  var remark: String?
  /// Checks the box after the runs and cleans up; throws where it is not as it should be.
  /// - Parameter rounds: How many runs there were, the uncounted among them.
  var finish: (_ rounds: Int) throws -> Void = { _ in }

  /// So many times the median of another.
  struct Derived {
    let name: String
    let base: String
    let factor: Double
  }
}
