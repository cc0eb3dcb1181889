import SlipboxCore

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

  /// The inks of series, in their order: what is over is green, the highest of a choice magenta, the rest is told apart.
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

/// The signs that stand for series where there is no colour.
enum ChartMarks {
  private static let symbols = ["█", "░", "▓", "▒", "#", "o", "+", "x", "."]
  private static let letters = ["#", ".", "o", "+", "x", "=", "%", "-", "*"]

  static func mark(of place: Int, unicode: Bool) -> String {
    let marks = unicode ? symbols : letters
    return marks[place % marks.count]
  }
}
