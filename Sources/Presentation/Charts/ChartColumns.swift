import Notes
import SlipboxCore

/// The columns of a plot: for fewer points than room some are wider, for more some are left out.
struct ChartColumns {
  private static let widest = 8

  private let points: [Chart.Point]
  /// The number of columns.
  let count: Int

  /// - Parameter room: the cells there are, at least 1.
  init(_ points: [Chart.Point], room: Int) {
    self.points = points
    count = min(room, points.count * Self.widest)
  }

  /// The point of a column; the last one has the last point.
  func point(at column: Int) -> Chart.Point { points[((column + 1) * points.count - 1) / count] }
}

/// The line of dates under a plot.
struct ChartDates {
  private let columns: ChartColumns
  private let room: Int
  private let step: ChartStep

  init(_ columns: ChartColumns, room: Int, _ step: ChartStep) {
    self.columns = columns
    self.room = room
    self.step = step
  }

  /// As many dates as fit, each under its column: always the last, the first where there is room for two.
  func line() -> String {
    let width = label(0).utf8.count
    let last = max(0, min(columns.count, room) - width)
    var starts = [last]
    if last >= width + 2 {
      let parts = max(1, last / (width + 6))
      starts = (0...parts).map { $0 * last / parts }
    }
    var line = ""
    for start in starts {
      line += String(repeating: " ", count: max(0, start - line.utf8.count))
      // A date begins under its column, but the last one ends there.
      line += label(start == last ? columns.count - 1 : start)
    }
    return line
  }

  private func label(_ column: Int) -> String {
    let day = columns.point(at: min(column, columns.count - 1)).day
    return step == .month ? String(day.description.prefix(7)) : day.description
  }
}
