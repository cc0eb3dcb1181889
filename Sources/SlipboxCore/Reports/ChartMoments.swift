import Git
import Notes

/// A moment of a chart: the end of a day, or now.
struct ChartMoment: Sendable {
  let day: CivilDate
  /// The commit that the box stood on; nil before the first.
  let commit: ObjectID?
  /// The clock of the moment, by which dates relative to today are read.
  let clock: ClockReading
}

/// The moments of a chart.
struct ChartMoments {
  /// A longer row of points is refused: nobody asked for it.
  private static let mostPoints = 5_000

  let step: ChartStep
  /// By day, at least one.
  let moments: [ChartMoment]
  /// Whether the clone is shallow and its history begins later than asked for.
  let isCut: Bool

  /// - Parameters:
  ///   - line: the commits from HEAD on, each the first parent of the one before it.
  ///   - isShallow: whether the line ends at a cut.
  ///   - beginsWithNotes: whether the first commit adopted a folder with notes: no day before it is counted, since the notes
  ///     were there already.
  /// - Throws: `.usage` where the first day is after the last, or the points are too many.
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
      // An earlier moment lies further down the line, or at the same commit.
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

/// The commits from HEAD on, each the first parent of the one before it: the states that the box was in.
struct CommitLine {
  /// The newest first; none before the first commit.
  let commits: [DatedCommit]

  /// - Complexity: linear in the commits of the line, once an index of history is kept.
  init(of box: Box, _ context: CommandContext) throws(SlipboxError) {
    guard let tip = try box.tip() else {
      commits = []
      return
    }
    let index = try box.historyIndex(at: tip, context.reporter)
    commits = try box.git { _ throws(GitError) in try index.firstParents() }
  }

  /// The last commit that was made before an instant, in seconds since 1970; nil where there is none.
  func commit(before instant: Int64) -> ObjectID? { commits.first { $0.committed < instant }?.id }
}
