import SlipboxBench

/// An operation at one size, ready to be measured.
struct Row {
  let slip: Contender
  let others: [Contender]
  var goals: [Goal] = []
  /// A figure that is not measured here but computed from another contender's.
  var derived: Derived?
  var remark: String?
  /// Checks what the runs have left behind, and cleans up; throws where it is not as it should be.
  /// - Parameter rounds: How many runs there were, the uncounted among them.
  var finish: (_ rounds: Int) throws -> Void = { _ in }

  /// So many times the median of another.
  struct Derived {
    let name: String
    let base: String
    let factor: Double
  }
}

/// An operation: what the report calls it, and how to make its rows.
struct RowPlan {
  /// What the size of a row counts.
  enum Axis { case none, notes, commits, records }

  let key: String
  let title: String
  let axis: Axis
  /// What ten times the size may cost, by PERFORMANCE.
  let growth: Double?
  let make: (Bench, Int) throws -> Row

  init(
    _ key: String, _ title: String, _ axis: Axis, growth: Double? = nil,
    _ make: @escaping (Bench, Int) throws -> Row
  ) {
    self.key = key
    self.title = title
    self.axis = axis
    self.growth = growth
    self.make = make
  }
}
