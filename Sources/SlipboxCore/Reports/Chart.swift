package import Git
package import Notes
import Text

/// The number of notes that match a query at several moments, split by the values of a field.
package struct Chart: Sendable {
  /// The state of the box at the end of a day.
  package struct Point: Sendable, Equatable {
    package let day: CivilDate
    /// The last commit of that day or of an earlier one; nil before the first.
    package let commit: ObjectID?
    /// The number of matching notes, or their aggregate in units of the chart.
    package let total: Int
    /// For each series the number of notes with its value, or their aggregate. A note with several values counts once for
    /// each.
    package let counts: [Int]
    /// Whether there is a total; an average without values has none.
    package let hasTotal: Bool

    package init(day: CivilDate, commit: ObjectID?, total: Int, counts: [Int], hasTotal: Bool = true) {
      self.day = day
      self.commit = commit
      self.total = total
      self.counts = counts
      self.hasTotal = hasTotal
    }
  }

  /// One value of the field, or several rare ones together.
  package struct Series: Sendable, Equatable {
    /// The meaning of a value, which determines its colour.
    package enum Meaning: Sendable, Equatable {
      case plain
      /// Records with the value are no longer active.
      case over
      /// The highest value of a choice that does not decide whether a record is active.
      case highest
      /// The field is absent.
      case absent
      /// Many values, each used by few notes.
      case other
    }

    /// The common name of the value; it may contain anything that a note contains.
    package let name: String
    package let meaning: Meaning

    package init(_ name: String, _ meaning: Meaning = .plain) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// The query as it was typed, with a space between its arguments; empty for all notes.
  package let query: String
  /// The field whose values are the series; nil if there is one series of all notes.
  package let field: String?
  /// The aggregate that is drawn; nil for the number of notes.
  package let column: String?
  package let step: ChartStep
  /// The series, from the bottom of the stack.
  package let series: [Series]
  /// The points by day, at least one.
  package let points: [Point]
  /// Whether history begins later than requested, because the clone is shallow.
  package let isCut: Bool

  package init(
    query: String, field: String?, column: String? = nil, step: ChartStep, series: [Series], points: [Point],
    isCut: Bool = false
  ) {
    self.query = query
    self.field = field
    self.column = column
    self.step = step
    self.series = series
    self.points = points
    self.isCut = isCut
  }

  /// Whether no note matched at any moment.
  package var isEmpty: Bool { points.allSatisfy { $0.total == 0 } }

  /// The units that make 1: aggregates have four decimals.
  static let unitsOfAggregates = 10_000

  /// Returns a total or a count for display, rounded to two decimals.
  package func text(_ value: Int) -> String { column == nil ? String(value) : aggregate(value).text }

  /// Returns a total or a count for programs.
  package func exactText(_ value: Int) -> String {
    column == nil ? String(value) : aggregate(value).exactText
  }

  private func aggregate(_ value: Int) -> TableValue {
    .number(Double(value) / Double(Self.unitsOfAggregates))
  }
}

/// The request for a chart.
package struct ChartRequest: Sendable {
  /// The arguments of the query, as `list` accepts them.
  package let query: [String]
  /// The field whose values are the series.
  package let field: String?
  /// The aggregate to draw; nil for the number of notes.
  package let column: TableColumn?
  /// The table to compute at each moment; nil to count notes.
  package let table: TableRequest?
  /// The first day; nil for that of the first commit.
  package let first: CivilDate?
  /// The last day; nil for today. A day in the future counts as today.
  package let last: CivilDate?
  /// The time between two points; nil to choose it.
  package let step: ChartStep?

  package init(
    query: [String], field: String? = nil, column: TableColumn? = nil, table: TableRequest? = nil,
    first: CivilDate? = nil, last: CivilDate? = nil, step: ChartStep? = nil
  ) {
    self.query = query
    self.field = field
    self.column = column
    self.table = table
    self.first = first
    self.last = last
    self.step = step
  }
}

/// The days that `--since` and `--until` name.
package enum PastDay {
  /// Returns the first day of a date as it is typed, looking back.
  ///
  /// - Throws: `.usage` for a text that is not a date.
  package static func first(
    _ text: String, _ option: String, clock: ClockReading
  ) throws(SlipboxError) -> CivilDate {
    guard let day = DateInterval.parse(text, clock: clock, looking: .back)?.firstDay else {
      throw refusal(text, option)
    }
    return day
  }

  /// Returns the last day of a date as it is typed, looking back: of `2026-03` the 31st, of `2w` the day two weeks ago.
  ///
  /// - Throws: `.usage` for a text that is not a date.
  package static func last(
    _ text: String, _ option: String, clock: ClockReading
  ) throws(SlipboxError) -> CivilDate {
    let interval =
      DateInterval.point(text, clock: clock, looking: .back)
      ?? DateInterval.parse(text, clock: clock, looking: .back)
    guard let day = interval?.lastDay else { throw refusal(text, option) }
    return day
  }

  /// Returns the one day that a date means, looking back: of `3d` the day three days ago.
  ///
  /// - Throws: `.usage` for a text that is not a date, or means several days.
  package static func only(_ text: String, clock: ClockReading) throws(SlipboxError) -> CivilDate {
    let point = DateInterval.point(text, clock: clock, looking: .back)
    guard let interval = point ?? DateInterval.parse(text, clock: clock, looking: .back) else {
      let shown = text.isEmpty ? "an empty text" : Phrase(text)
      throw SlipboxError(
        .usage, "\(shown) is not a date", hints: ["write a date such as 2026-11-21, yesterday, friday or 3d"])
    }
    guard let day = interval.firstDay, day == interval.lastDay else {
      throw SlipboxError(
        .usage, "\(text) is more than one day", hints: ["name one of its days"])
    }
    return day
  }

  private static func refusal(_ text: String, _ option: String) -> SlipboxError {
    SlipboxError(
      .usage, "\(option): \(text.isEmpty ? "an empty text" : Phrase(text)) is not a date",
      hints: ["write a date such as 2026-11-21, monday or 3w, or a month such as 2026-11"])
  }
}

/// The time between two points of a chart.
package enum ChartStep: String, Sendable, CaseIterable {
  case day, week, month, quarter, year

  /// The maximum number of points for an automatically chosen step.
  private static let mostPoints = 100

  /// Chooses the shortest step with which a period has no more points than fit on a page; otherwise months.
  package init(fitting first: CivilDate, _ last: CivilDate) {
    let fitting = [Self.day, .week, .month].first { $0.count(from: first, through: last) <= Self.mostPoints }
    self = fitting ?? .month
  }

  /// Returns the last day of the step that contains a day: weeks end on Sunday.
  package func end(of day: CivilDate) -> CivilDate {
    switch self {
    case .day: day
    case .week: day.adding(days: 7 - day.weekday)
    case .month: Self.end(ofMonth: day.month, of: day)
    case .quarter: Self.end(ofMonth: (day.month + 2) / 3 * 3, of: day)
    case .year: Self.end(ofMonth: 12, of: day)
    }
  }

  private static func end(ofMonth month: Int, of day: CivilDate) -> CivilDate {
    CivilDate(year: day.year, month: month, day: CivilDate.days(inMonth: month, of: day.year)) ?? day
  }

  /// Returns the minimum number of points of `days`.
  package func count(from first: CivilDate, through last: CivilDate) -> Int {
    switch self {
    case .day: last.dayNumber - first.dayNumber + 1
    case .week: (last.dayNumber - first.dayNumber) / 7 + 1
    case .month: (last.year - first.year) * 12 + last.month - first.month + 1
    case .quarter: (last.year - first.year) * 4 + (last.month + 2) / 3 - (first.month + 2) / 3 + 1
    case .year: last.year - first.year + 1
    }
  }

  /// Returns the last days of all steps from a day on. The last step ends with the given last day instead of its own end.
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

/// A moment of a chart: the end of a day, or now.
struct ChartMoment: Sendable {
  let day: CivilDate
  /// The commit of the box at that time; nil before the first.
  let commit: ObjectID?
  /// The clock of the moment, by which dates relative to today are resolved.
  let clock: ClockReading
}

/// The moments of a chart.
struct ChartMoments {
  /// The maximum number of points; a longer chart is refused as unintended.
  private static let mostPoints = 5_000

  let step: ChartStep
  /// The moments by day, at least one.
  let moments: [ChartMoment]
  /// Whether the clone is shallow and its history begins later than requested.
  let isCut: Bool

  /// - Parameters:
  ///   - line: the commits from HEAD on, each the first parent of the one before it.
  ///   - isShallow: whether the line ends at the boundary of a shallow clone.
  ///   - beginsWithNotes: whether the first commit adopted a folder with notes: no day before it is counted, because the
  ///     notes existed already.
  /// - Throws: `.usage` if the first day is after the last, or there are too many points.
  init(
    _ request: ChartRequest, _ line: [DatedCommit], isShallow: Bool, beginsWithNotes: Bool = false,
    clock: ClockReading
  ) throws(SlipboxError) {
    let last = min(request.last ?? clock.today, clock.today)
    let start = line.map(\.committed).min().map { Self.day(of: $0, clock) } ?? last
    var first = request.first ?? min(start, last)
    let isCut = isShallow && (request.first.map { $0 < start } ?? true)
    if isCut || (beginsWithNotes && first < start) { first = min(start, last) }
    guard first <= last else { throw Self.emptyStretch(first, last, clock.today) }
    step = request.step ?? ChartStep(fitting: first, last)
    let count = step.count(from: first, through: last)
    guard count <= Self.mostPoints else {
      throw SlipboxError(
        .usage, "a point every \(step.rawValue) from \(first) to \(last) makes \(count) points",
        hints: ["use a longer step or a later start"])
    }
    self.isCut = isCut
    moments = Self.moments(step.days(from: first, through: last), line, clock)
  }

  private static func moments(
    _ days: [CivilDate], _ line: [DatedCommit], _ clock: ClockReading
  ) -> [ChartMoment] {
    var moments: [ChartMoment] = []
    var place = 0
    for day in days.reversed() {
      guard day != clock.today else {
        moments.append(ChartMoment(day: day, commit: line.first?.id, clock: clock))
        continue
      }
      let end = clock.start(of: day.adding(days: 1)) - 1
      // The commit of an earlier moment is further down the line, or the same.
      while place < line.count, line[place].committed > end { place += 1 }
      let now = Timestamp(seconds: end, offsetSeconds: clock.offset(end))
      moments.append(
        ChartMoment(
          day: day, commit: place < line.count ? line[place].id : nil,
          clock: ClockReading(now: now, offset: clock.offset)))
    }
    return moments.reversed()
  }

  private static func day(of seconds: Int64, _ clock: ClockReading) -> CivilDate {
    Timestamp(seconds: seconds, offsetSeconds: clock.offset(seconds)).civilDate
  }

  private static func emptyStretch(
    _ first: CivilDate, _ last: CivilDate, _ today: CivilDate
  ) -> SlipboxError {
    guard last < today else { return SlipboxError(.usage, "\(first) is in the future") }
    return SlipboxError(.usage, "the chart would begin on \(first) and end before that, on \(last)")
  }
}

/// The commits from HEAD on, each the first parent of the one before it: the past states of the box.
struct CommitLine {
  /// The commits, newest first; empty before the first commit.
  let commits: [DatedCommit]

  /// - Complexity: linear in the commits of the line, once an index of history is cached.
  init(of box: Box, _ context: CommandContext) throws(SlipboxError) {
    guard let tip = try box.tip() else {
      commits = []
      return
    }
    let index = try box.historyIndex(at: tip, context.reporter)
    commits = try box.git { _ throws(GitError) in try index.firstParents() }
  }

  /// Returns the last commit that was made before an instant, in seconds since 1970; nil if there is none.
  func commit(before instant: Int64) -> ObjectID? { commits.first { $0.committed < instant }?.id }
}
