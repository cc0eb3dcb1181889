package import Notes

/// The time between two points of a chart.
package enum ChartStep: String, Sendable, CaseIterable {
  case day, week, month

  /// The largest number of points that a step is chosen for.
  private static let mostPoints = 100

  /// The shortest step by which a stretch of days has no more points than fit a page; else months.
  package init(fitting first: CivilDate, _ last: CivilDate) {
    let fitting = Self.allCases.first { $0.count(from: first, through: last) <= Self.mostPoints }
    self = fitting ?? .month
  }

  /// The last day of the step that a day lies in: weeks end on Sunday.
  package func end(of day: CivilDate) -> CivilDate {
    switch self {
    case .day: day
    case .week: day.adding(days: 7 - day.weekday)
    case .month: day.adding(days: CivilDate.days(inMonth: day.month, of: day.year) - day.day)
    }
  }

  /// How many points `days` has, at least.
  package func count(from first: CivilDate, through last: CivilDate) -> Int {
    switch self {
    case .day: last.dayNumber - first.dayNumber + 1
    case .week: (last.dayNumber - first.dayNumber) / 7 + 1
    case .month: (last.year - first.year) * 12 + last.month - first.month + 1
    }
  }

  /// The last days of all steps from a day on, and a last day in place of the end of its own step.
  ///
  /// - Complexity: linear in the steps.
  package func days(from first: CivilDate, through last: CivilDate) -> [CivilDate] {
    var days: [CivilDate] = []
    var day = end(of: first)
    while day < last {
      days.append(day)
      day = end(of: day.adding(days: 1))
    }
    return days + [last]
  }
}
