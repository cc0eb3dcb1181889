import Git
import Notes
package import SlipboxCore
import Text

/// A chart drawn with the characters of a terminal: stacked columns over a line of dates, and a legend.
package struct ChartPlot {
  private static let rows = 12
  private static let leastRoom = 12
  private static let eighths = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  /// The cells that a name may take in the legend.
  private static let longestName = 24

  private let chart: Chart
  private let style: Style
  private let width: Int
  private let inks: [ChartInk]
  private let scale: ChartScale
  private let labelWidth: Int

  /// - Parameter width: the cells of a line.
  package init(_ chart: Chart, _ style: Style, width: Int) {
    self.chart = chart
    self.style = style
    self.width = width
    inks = ChartInk.inks(of: chart.series)
    let scale = ChartScale(chart.points.map { $0.counts.reduce(0, +) }.max() ?? 0)
    self.scale = scale
    labelWidth = (1...ChartScale.steps).map { chart.text($0 * scale.step).utf8.count }.max() ?? 1
  }

  /// The lines of the plot; if the terminal is too narrow for one, the numbers.
  package func lines() -> [String] {
    let room = width - labelWidth - 2
    guard room >= Self.leastRoom else { return numbers() }
    let columns = ChartColumns(chart.points, room: room)
    let stacks = (0..<columns.count).map { stack(columns.point(at: $0).counts) }
    let body = (0..<Self.rows).reversed().map { row in
      axis(row) + line(stacks.map { cell(of: $0, row) })
    }
    let blank = String(repeating: " ", count: labelWidth - 1)
    let base = style.unicode ? "└" + repeated("─", columns.count) : "+" + repeated("-", columns.count)
    let dates = ChartDates(columns, room: room, chart.step).line()
    return [title()] + body + [blank + "0 " + base]
      + [String(repeating: " ", count: labelWidth + 2) + style.dim(dates)] + legend() + [summary()]
  }

  private func repeated(_ sign: String, _ count: Int) -> String { String(repeating: sign, count: count) }

  private func title() -> String {
    let query = chart.query.isEmpty ? "all notes" : Visible.escape(chart.query)
    let by = chart.field.map { " by \(Visible.escape($0))" } ?? ""
    let end = ", every \(chart.step.rawValue)"
    let column = chart.column.map { "\(Visible.escape($0)) of " } ?? ""
    let text = CellWidth.truncate(
      column + query + by, to: max(1, width - end.utf8.count), mark: style.ellipsis)
    return style.bold(text) + style.dim(end)
  }

  private func axis(_ row: Int) -> String {
    let perStep = Self.rows / ChartScale.steps
    let isTick = (row + 1) % perStep == 0
    let label = isTick ? chart.text((row + 1) / perStep * scale.step) : ""
    let padding = String(repeating: " ", count: labelWidth - label.utf8.count)
    let line = style.unicode ? (isTick ? "┤" : "│") : (isTick ? "+" : "|")
    return padding + label + " " + line
  }
}

// MARK: Columns

extension ChartPlot {
  /// A stretch of a column, in eighths of a row from the bottom.
  private struct Segment {
    let series: Int
    let start: Int
    let end: Int
  }

  /// A cell of the plot.
  private struct Cell: Equatable {
    var sign = " "
    var colour: TerminalColour?
    var background: TerminalColour?
  }

  /// The segments of a column; a count above 0 is always visible.
  private func stack(_ counts: [Int]) -> [Segment] {
    let height = Self.rows * 8
    var segments: [Segment] = []
    var (sum, end) = (0, 0)
    for (series, count) in counts.enumerated() where count > 0 {
      sum += count
      let start = end
      end = min(height, max(start + 1, (sum * height + scale.top / 2) / scale.top))
      if start < end { segments.append(Segment(series: series, start: start, end: end)) }
    }
    return segments
  }

  private func cell(of stack: [Segment], _ row: Int) -> Cell {
    let (bottom, top) = (row * 8, row * 8 + 8)
    let here = stack.filter { $0.start < top && $0.end > bottom }
    guard let lowest = here.first, let highest = here.last else { return Cell() }
    let filled = min(highest.end, top) - bottom
    guard style.colour, style.unicode else {
      // Without colour a cell belongs to one series: the one that has most of it.
      guard filled >= 4 || row == 0 else { return Cell() }
      if style.unicode, chart.series.count == 1 { return Cell(sign: Self.eighths[filled]) }
      let widest = here.max { length(of: $0, bottom, top) < length(of: $1, bottom, top) } ?? lowest
      let mark = ChartMarks.mark(of: widest.series, unicode: style.unicode)
      return Cell(sign: mark, colour: style.colour ? inks[widest.series].terminal : nil)
    }
    guard here.count > 1 else {
      return Cell(sign: Self.eighths[filled], colour: inks[lowest.series].terminal)
    }
    // Two series share a cell: the lower one is drawn over the colour of the upper one, which fills it.
    let cut = min(lowest.end, top) - bottom
    let upper = here.dropFirst().max { length(of: $0, bottom, top) < length(of: $1, bottom, top) } ?? highest
    if filled < 8, filled - cut < 4 {
      return Cell(sign: Self.eighths[cut], colour: inks[lowest.series].terminal)
    }
    return Cell(
      sign: Self.eighths[cut], colour: inks[lowest.series].terminal,
      background: inks[upper.series].terminal)
  }

  private func length(of segment: Segment, _ bottom: Int, _ top: Int) -> Int {
    min(segment.end, top) - max(segment.start, bottom)
  }

  /// Cells side by side, those of one look in one sequence of colour, without blanks at the end.
  private func line(_ cells: [Cell]) -> String {
    var line = ""
    var run = ""
    var look = Cell()
    let flush = { (next: Cell) in
      if let colour = look.colour {
        line += style.painted(run, colour, over: look.background)
      } else {
        line += run
      }
      run = ""
      look = next
    }
    let end = cells.lastIndex { $0 != Cell() }.map { $0 + 1 } ?? 0
    for cell in cells[..<end] {
      if cell.colour != look.colour || cell.background != look.background { flush(cell) }
      run += cell.sign
    }
    flush(Cell())
    return line
  }
}

// MARK: Words

extension ChartPlot {
  /// The series with their counts at the last point, as many on a line as fit.
  private func legend() -> [String] {
    guard chart.field != nil, let last = chart.points.last else { return [] }
    var lines: [String] = []
    var (line, used) = ("", 0)
    for (place, series) in chart.series.enumerated() {
      let name = CellWidth.truncate(
        Visible.escape(series.name), to: min(Self.longestName, max(1, width - 12)), mark: style.ellipsis)
      let text = "\(name) \(chart.text(last.counts[place]))"
      let mark =
        style.colour
        ? style.painted(
          style.unicode ? "█" : ChartMarks.mark(of: place, unicode: false), inks[place].terminal)
        : ChartMarks.mark(of: place, unicode: style.unicode)
      let cells = 2 + CellWidth.of(text)
      if used > 0, used + 3 + cells > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      line += (used > 0 ? "   " : "") + mark + " " + text
      used += (used > 0 ? 3 : 0) + cells
    }
    return used > 0 ? lines + [line] : lines
  }

  /// The number of notes at the end, and the largest there was.
  private func summary() -> String {
    guard let last = chart.points.last, let most = chart.points.max(by: { $0.total < $1.total }) else {
      return ""
    }
    let total =
      chart.column == nil ? Count.notes(last.total) : last.hasTotal ? chart.text(last.total) : "none"
    let now = "\(total) on \(last.day)"
    guard most.total > last.total else { return now }
    let whole = "\(now), at most \(chart.text(most.total)) on \(most.day)"
    return whole.utf8.count <= width ? whole : now
  }

  private func numbers() -> [String] {
    chart.points.map { "\($0.day) \(chart.text($0.total))" }
  }
}

/// The scale of a chart's counts: from 0 to four times a number that people like.
struct ChartScale: Sendable, Equatable {
  static let steps = 4
  /// The count between two ticks.
  let step: Int

  /// The count at the upper end.
  var top: Int { step * Self.steps }

  /// - Parameter most: the largest count to be shown.
  init(_ most: Int) {
    let wanted = max(1, (most + Self.steps - 1) / Self.steps)
    var unit = 1
    while unit * 10 <= wanted, unit < Int.max / 100 { unit *= 10 }
    let liked = [10, 15, 20, 25, 30, 40, 50, 60, 80, 100]
    // Below ten every whole number is liked.
    if wanted < 10 {
      step = wanted
    } else {
      step = liked.map { $0 * unit / 10 }.first { $0 >= wanted } ?? wanted
    }
  }
}

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

  /// As many dates as fit, each under its column: always the last, the first if there is room for two.
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
    return switch step {
    case .day, .week: day.description
    case .month, .quarter: String(day.description.prefix(7))
    case .year: String(day.year)
    }
  }
}

/// A chart as numbers, for programs.
package struct ChartRows {
  private let chart: Chart

  package init(_ chart: Chart) { self.chart = chart }

  /// A line for each point and each series, with tabs: the day, the value and how many; without a field the day and how
  /// many.
  package func lines() -> [String] {
    chart.points.flatMap { point -> [String] in
      guard chart.field != nil else { return ["\(point.day)\t\(total(point))"] }
      return zip(chart.series, point.counts).map { series, count in
        "\(point.day)\t\(Self.onOneLine(series.name))\t\(chart.text(count))"
      }
    }
  }

  /// A header and a row for each point: the day, how many notes, and how many of each series.
  package func csv() -> [UInt8] {
    let isParted = chart.field != nil
    let names = isParted ? chart.series.map(\.name) : []
    return chart.points.reduce(CSVWriter.row(["date", "total"] + names)) { text, point in
      let counts = isParted ? point.counts : []
      let total = point.hasTotal ? chart.exactText(point.total) : ""
      return text + CSVWriter.row([point.day.description, total] + counts.map(chart.exactText))
    }
  }

  private func total(_ point: Chart.Point) -> String { point.hasTotal ? chart.text(point.total) : "" }

  /// The chart as one object.
  package func json() -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("query", chart.query)
      writer.member("by", chart.field)
      writer.member("column", chart.column)
      writer.member("every", chart.step.rawValue)
      if chart.field != nil {
        writer.key("series")
        writer.strings(chart.series.map(\.name))
      }
      writer.member("points", of: chart.points, write)
    }
  }

  private func write(_ point: Chart.Point, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("date", point.day.description)
      writer.member("commit", point.commit?.hex)
      writer.key("total")
      if point.hasTotal { writer.number(chart.exactText(point.total)) } else { writer.null() }
      guard chart.field != nil else { return }
      writer.key("counts")
      writer.array(of: point.counts) { $1.number(chart.exactText($0)) }
    }
  }

  /// A value without the characters that would end a column or a line.
  private static func onOneLine(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
