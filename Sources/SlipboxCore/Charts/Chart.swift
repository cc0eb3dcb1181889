package import Git
package import Notes

/// How many notes fitted a query at several moments, parted by the values of a field.
package struct Chart: Sendable {
  /// The state of the box at the end of a day.
  package struct Point: Sendable, Equatable {
    package let day: CivilDate
    /// The last commit of that day or of an earlier one; nil before the first.
    package let commit: ObjectID?
    /// The number of notes that fitted.
    package let total: Int
    /// For each series the number of notes with its value; a note with several values counts once for each.
    package let counts: [Int]

    package init(day: CivilDate, commit: ObjectID?, total: Int, counts: [Int]) {
      self.day = day
      self.commit = commit
      self.total = total
      self.counts = counts
    }
  }

  /// One value of the field, or several that are few.
  package struct Series: Sendable, Equatable {
    /// The meaning of a value, which colours follow from.
    package enum Meaning: Sendable, Equatable {
      case plain
      /// Records with it are no longer active.
      case over
      /// The highest of a choice that does not say whether a record is active.
      case highest
      /// The field is absent.
      case absent
      /// Many values, each of which few notes have.
      case other
    }

    /// The value as people know it; it may hold anything that a note holds.
    package let name: String
    package let meaning: Meaning

    package init(_ name: String, _ meaning: Meaning = .plain) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// The query as it was typed, with a blank between its arguments; empty for all notes.
  package let query: String
  /// The field whose values are the series; nil where there is one series of all notes.
  package let field: String?
  package let step: ChartStep
  /// The series from the one at the bottom of the stack.
  package let series: [Series]
  /// By day, at least one.
  package let points: [Point]
  /// Whether history begins later than asked for, because the clone is shallow.
  package let isCut: Bool

  package init(
    query: String, field: String?, step: ChartStep, series: [Series], points: [Point], isCut: Bool = false
  ) {
    self.query = query
    self.field = field
    self.step = step
    self.series = series
    self.points = points
    self.isCut = isCut
  }

  /// Whether no note fitted at any moment.
  package var isEmpty: Bool { points.allSatisfy { $0.total == 0 } }
}
