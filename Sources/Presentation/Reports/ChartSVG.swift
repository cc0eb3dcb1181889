import Notes
package import SlipboxCore
import Text

/// A chart as a picture of its own: one file of SVG, with its colours for light and for dark.
package struct ChartSVG {
  private static let (width, height) = (720.0, 400.0)
  private static let (left, right, bottom) = (56.0, 16.0, 36.0)
  private static let legendRow = 20.0
  /// About the width of a cell of text.
  private static let cell = 7.2
  private static let mostDates = 6

  private let chart: Chart
  private let inks: [ChartInk]
  private let scale: ChartScale
  private let legend: [[LegendItem]]

  private struct LegendItem {
    let series: Int
    let text: String
    let x: Double
  }

  package init(_ chart: Chart) {
    self.chart = chart
    inks = ChartInk.inks(of: chart.series)
    scale = ChartScale(chart.points.map { $0.counts.reduce(0, +) }.max() ?? 0)
    legend = Self.legend(of: chart)
  }

  /// The file.
  package func bytes() -> [UInt8] {
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 400" width="720" height="400" role="img">
      <title>\(MarkupText.escaped(title))</title>
      <style>
      \(SVGPalette.style)
      </style>
      <rect class="page" width="720" height="400"/>
      <text class="head" x="16" y="26">\(MarkupText.escaped(CellWidth.truncate(title, to: 84)))</text>

      """
    svg += legendShapes()
    svg += grid()
    for series in chart.series.indices { svg += shape(of: series) }
    svg +=
      "<path class=\"axis\" d=\"M\(Self.text(Self.left)) \(Self.text(base))H\(Self.text(Self.width - Self.right))\"/>\n"
    svg += dates() + tips() + "</svg>\n"
    return Array(svg.utf8)
  }

  private var title: String {
    let query = chart.query.isEmpty ? "all notes" : chart.query
    return (chart.column.map { "\($0) of " } ?? "") + query + (chart.field.map { " by \($0)" } ?? "")
  }
}

// MARK: Shapes

extension ChartSVG {
  private var top: Double { 44 + Double(legend.count) * Self.legendRow }
  private var base: Double { Self.height - Self.bottom }
  private var room: Double { Self.width - Self.left - Self.right }
  private var step: Double { min(room / Double(chart.points.count), 72) }
  /// The gap between columns if they are few.
  private var gap: Double { chart.points.count > 60 ? 0 : min(step * 0.2, 4) }

  private func x(_ point: Int) -> Double { Self.left + Double(point) * step }

  private func y(_ count: Int) -> Double {
    base - (base - top) * Double(count) / Double(scale.top)
  }

  private func grid() -> String {
    (0...ChartScale.steps).map { tick in
      let y = y(tick * scale.step)
      let line =
        tick == 0
        ? ""
        : "<path class=\"grid\" d=\"M\(Self.text(Self.left)) \(Self.text(y))H\(Self.text(Self.width - Self.right))\"/>\n"
      return line
        + "<text class=\"tick end\" x=\"\(Self.text(Self.left - 8))\" y=\"\(Self.text(y + 4))\">\(chart.text(tick * scale.step))</text>\n"
    }.joined()
  }

  /// The columns of a series: one outline if they touch, else one for each.
  private func shape(of series: Int) -> String {
    let stretches = chart.points.map { point -> (from: Double, to: Double) in
      let below = point.counts[..<series].reduce(0, +)
      return (y(below), y(below + point.counts[series]))
    }
    guard stretches.contains(where: { $0.from > $0.to }) else { return "" }
    var path = ""
    if gap > 0 {
      for (place, stretch) in stretches.enumerated() where stretch.from > stretch.to {
        path += "M\(Self.text(x(place) + gap / 2)) \(Self.text(stretch.from))V\(Self.text(stretch.to))"
        path += "h\(Self.text(step - gap))V\(Self.text(stretch.from))z"
      }
    } else {
      path = "M\(Self.text(x(0))) \(Self.text(stretches[0].from))"
      for (place, stretch) in stretches.enumerated() {
        path += "V\(Self.text(stretch.to))H\(Self.text(x(place + 1)))"
      }
      for (place, stretch) in stretches.enumerated().reversed() {
        path += "V\(Self.text(stretch.from))H\(Self.text(x(place)))"
      }
      path += "z"
    }
    return "<path class=\"\(inks[series].name)\" d=\"\(path)\"/>\n"
  }

  private func dates() -> String {
    let count = chart.points.count
    let shown = max(1, min(Self.mostDates, Int(step * Double(count) / 96)))
    // Always the last, and others at equal distances before it.
    let distance = max(1, (count + shown - 1) / shown)
    let places = Array(stride(from: count - 1, through: 0, by: -distance).reversed())
    return places.map { place in
      let day = chart.points[place].day.description
      let middle = x(place) + step / 2
      let isLast = place == count - 1 && middle > Self.width - 56
      let anchor = isLast ? "end" : "middle"
      let x = isLast ? Self.width - Self.right : max(middle, 40)
      let text = chart.step == .month || chart.step == .quarter ? String(day.prefix(7)) : day
      return
        "<text class=\"tick \(anchor)\" x=\"\(Self.text(x))\" y=\"\(Self.text(base + 20))\">\(text)</text>\n"
    }.joined()
  }

  /// The tooltips of the columns.
  private func tips() -> String {
    chart.points.enumerated().map { place, point in
      var text = "\(point.day): \(point.hasTotal ? chart.text(point.total) : "none")"
      if chart.field != nil {
        let parts = zip(chart.series, point.counts).filter { $0.1 > 0 }.map {
          "\($0.0.name) \(chart.text($0.1))"
        }
        if !parts.isEmpty { text += " (" + parts.joined(separator: ", ") + ")" }
      }
      return
        "<rect class=\"tip\" x=\"\(Self.text(x(place)))\" y=\"\(Self.text(top))\" width=\"\(Self.text(step))\" "
        + "height=\"\(Self.text(base - top))\"><title>\(MarkupText.escaped(text))</title></rect>\n"
    }.joined()
  }
}

// MARK: Legend

extension ChartSVG {
  private static let longestName = 28

  private static func legend(of chart: Chart) -> [[LegendItem]] {
    guard chart.field != nil, let last = chart.points.last else { return [] }
    var rows: [[LegendItem]] = [[]]
    var x = 16.0
    for (place, series) in chart.series.enumerated() {
      let name = CellWidth.truncate(Visible.escape(series.name), to: longestName)
      let text = "\(name) \(chart.text(last.counts[place]))"
      let length = 18 + Double(CellWidth.of(text)) * cell
      if x + length > width - right, !rows[rows.count - 1].isEmpty {
        rows.append([])
        x = 16
      }
      rows[rows.count - 1].append(LegendItem(series: place, text: text, x: x))
      x += length + 16
    }
    return rows
  }

  private func legendShapes() -> String {
    legend.enumerated().map { row, items in
      let y = 48 + Double(row) * Self.legendRow
      return items.map { item in
        "<rect class=\"\(inks[item.series].name)\" x=\"\(Self.text(item.x))\" y=\"\(Self.text(y - 10))\" width=\"12\" "
          + "height=\"12\" rx=\"2\"/>\n<text class=\"key\" x=\"\(Self.text(item.x + 18))\" "
          + "y=\"\(Self.text(y))\">\(MarkupText.escaped(item.text))</text>\n"
      }.joined()
    }.joined()
  }
}

// MARK: Text

extension ChartSVG {
  /// A number with two decimals at most.
  static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    let decimals = rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
    return "\(sign)\(whole).\(decimals)"
  }
}

/// The colours of charts in SVG, for light pages and for dark ones.
enum SVGPalette {
  private static let light = [
    ("page", "#ffffff"), ("a", "#2f6fdb"), ("b", "#2aa1b3"), ("c", "#d4a017"), ("d", "#a347ba"),
    ("e", "#d1453b"), ("f", "#7fb2f0"), ("g", "#8a6d3b"), ("over", "#3c9a5f"), ("highest", "#bf3989"),
    ("other", "#8d97a3"), ("absent", "#c9d0d8"),
  ]
  private static let dark = [
    ("page", "#0d1117"), ("a", "#5b9bf8"), ("b", "#4cc3d4"), ("c", "#d9ab3a"), ("d", "#c07be0"),
    ("e", "#f0736a"), ("f", "#2f5fa8"), ("g", "#b08d57"), ("over", "#56b87b"), ("highest", "#e86db4"),
    ("other", "#7d8590"), ("absent", "#444c56"),
  ]

  private static func fills(_ colours: [(name: String, colour: String)]) -> String {
    colours.map { ".\($0.name){fill:\($0.colour)}" }.joined()
  }

  private static func lines(text: String, faint: String, grid: String) -> String {
    "text{fill:\(text)}.tick{fill:\(faint)}.grid{stroke:\(grid)}.axis{stroke:\(faint)}"
  }

  /// The rules of style.
  static let style = """
    text{font:12px system-ui,sans-serif}.head{font-size:15px;font-weight:600}
    .middle{text-anchor:middle}.end{text-anchor:end}.grid,.axis{fill:none}.tip{fill-opacity:0}
    \(fills(light))
    \(lines(text: "#1f2328", faint: "#59636e", grid: "#d8dee4"))
    @media (prefers-color-scheme:dark){
    \(fills(dark))
    \(lines(text: "#e6edf3", faint: "#9198a1", grid: "#2b323b"))
    }
    """
}

/// The look of a series, in every form of a chart.
struct ChartInk: Sendable, Equatable {
  let terminal: TerminalColour
  /// The class of its shapes in SVG; `SVGPalette` has the colours.
  let name: String

  private static let over = ChartInk(terminal: .green, name: "over")
  private static let highest = ChartInk(terminal: .magenta, name: "highest")
  private static let other = ChartInk(terminal: .grey, name: "other")
  private static let absent = ChartInk(terminal: .silver, name: "absent")
  private static let plain: [ChartInk] = [
    ChartInk(terminal: .blue, name: "a"), ChartInk(terminal: .cyan, name: "b"),
    ChartInk(terminal: .yellow, name: "c"), ChartInk(terminal: .magenta, name: "d"),
    ChartInk(terminal: .red, name: "e"), ChartInk(terminal: .brightBlue, name: "f"),
    ChartInk(terminal: .brightYellow, name: "g"),
  ]

  /// The inks of series, in their order: finished states are green, the highest of a choice magenta, the rest differ.
  static func inks(of series: [Chart.Series]) -> [ChartInk] {
    let hasHighest = series.contains { $0.meaning == .highest }
    let free = plain.filter { !hasHighest || $0.terminal != .magenta }
    var next = 0
    return series.map { series in
      switch series.meaning {
      case .over: return over
      case .highest: return highest
      case .absent: return absent
      case .other: return other
      case .plain:
        defer { next += 1 }
        return free[next % free.count]
      }
    }
  }
}

/// The signs of series if there is no colour.
enum ChartMarks {
  private static let symbols = ["█", "░", "▓", "▒", "#", "o", "+", "x", "."]
  private static let letters = ["#", ".", "o", "+", "x", "=", "%", "-", "*"]

  static func mark(of place: Int, unicode: Bool) -> String {
    let marks = unicode ? symbols : letters
    return marks[place % marks.count]
  }
}
