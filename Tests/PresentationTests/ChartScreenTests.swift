import Foundation
import Notes
import SlipboxCore
import Testing

@testable import Presentation

/// Plots and pictures as people see them, as `Fixtures/charts`; `SLIPBOX_RECORD=1 swift test` writes them anew.
///
/// Escape sequences are shown with `\\e`.
@Suite struct ChartScreenTests {
  /// Issues that are opened and closed: a burn-down of 30 weeks.
  private static let burnDown: Chart = {
    let start = CivilDate(year: 2026, month: 5, day: 3) ?? CivilDate(dayNumber: 0)
    let points = (0..<30).map { week -> Chart.Point in
      let made = min(40, 2 + week * 2 + week % 3)
      let closed = min(made, max(0, week * week / 18))
      return Chart.Point(
        day: start.adding(days: 7 * week), commit: nil, total: made, counts: [made - closed, closed])
    }
    return Chart(
      query: "kind:issue", field: "status", step: .week,
      series: [.init("open"), .init("closed", .over)], points: points)
  }()

  /// A year of reading by months.
  private static let diary: Chart = {
    let counts = [
      [2, 0, 0], [1, 1, 0], [1, 0, 1], [2, 1, 1], [2, 1, 2], [1, 1, 3], [3, 0, 4], [2, 2, 4], [1, 2, 5],
      [1, 1, 7], [0, 1, 8], [2, 0, 9],
    ]
    let points = counts.enumerated().map { place, counts -> Chart.Point in
      let month = CivilDate(year: 2026, month: place + 1, day: 1) ?? CivilDate(dayNumber: 0)
      return Chart.Point(
        day: ChartStep.month.end(of: month), commit: nil, total: counts.reduce(0, +), counts: counts)
    }
    return Chart(
      query: "kind:book", field: "status", step: .month,
      series: [.init("on-shelf"), .init("in-progress"), .init("completed", .over)], points: points)
  }()

  /// Notes of many tags, day by day.
  private static let tags: Chart = {
    let names = ["food", "bread", "work/clients", "garden", "読書", "travel", "a<b>&\"c\""]
    let start = CivilDate(year: 2026, month: 8, day: 15) ?? CivilDate(dayNumber: 0)
    let points = (0..<99).map { day -> Chart.Point in
      let counts = names.indices.map { (day + 3 * $0) / (5 + $0) } + [day / 9, day / 4]
      return Chart.Point(
        day: start.adding(days: day), commit: nil, total: counts.reduce(0, +), counts: counts)
    }
    return Chart(
      query: "", field: "tags", step: .day,
      series: names.map { .init($0) } + [.init("other", .other), .init("none", .absent)], points: points)
  }()

  /// All notes of some days, without a field.
  private static let plain: Chart = {
    let start = CivilDate(year: 2026, month: 11, day: 16) ?? CivilDate(dayNumber: 0)
    let points = [3, 5, 4, 9, 12, 12].enumerated().map { day, count in
      Chart.Point(day: start.adding(days: day), commit: nil, total: count, counts: [count])
    }
    return Chart(query: "+food", field: nil, step: .day, series: [.init("")], points: points)
  }()

  private static let charts = [
    ("burn-down", burnDown), ("diary", diary), ("tags", tags), ("plain", plain),
  ]

  @Test(arguments: [24, 40, 80, 120]) func plotsAreAsTheyWere(_ width: Int) throws {
    let styles: [(String, Bool, Bool)] = [
      ("colour", true, true), ("plain", false, true), ("ascii", false, false),
    ]
    for (name, colour, unicode) in styles {
      let style = Style(colour: colour, unicode: unicode, hyperlinks: false)
      let text = Self.charts.map { title, chart in
        (["# \(title)"] + ChartPlot(chart, style, width: width).lines() + [""]).joined(separator: "\n")
      }.joined(separator: "\n")
      try compare("\(width)-\(name).txt", text.replacingOccurrences(of: "\u{1B}", with: "\\e"))
    }
  }

  @Test func picturesAreAsTheyWere() throws {
    for (name, chart) in Self.charts {
      try compare("\(name).svg", String(decoding: ChartSVG(chart).bytes(), as: UTF8.self))
    }
  }

  private func compare(_ name: String, _ text: String) throws {
    let difference = try Snapshot.difference(text, from: "charts/\(name)")
    #expect(difference == nil, "\(difference ?? "")")
  }
}
