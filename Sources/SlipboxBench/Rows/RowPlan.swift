/// An operation: its name in the report, the command that it measures, and how its rows are made.
struct RowPlan {
  /// The unit of the size of a row.
  enum Axis { case none, notes, commits, records }

  let key: String
  let title: String
  /// The command by its words, such as `filter save`; an action of a kind stands for `do`.
  let command: String
  let axis: Axis
  /// The largest allowed cost of ten times the size, as a ratio; nil where there is none.
  let growth: Double?
  let make: (Bench, Int) throws -> Row

  init(
    _ key: String, _ title: String, of command: String, _ axis: Axis, growth: Double? = nil,
    _ make: @escaping (Bench, Int) throws -> Row
  ) {
    self.key = key
    self.title = title
    self.command = command
    self.axis = axis
    self.growth = growth
    self.make = make
  }
}
