import Notes
import SlipboxCore
import Testing
import Text

@testable import Presentation

/// Charts as plots and pictures, of any numbers, at any width.
@Suite struct ChartPlotTests {
  private func chart(_ counts: [[Int]], _ names: [String], step: ChartStep = .day) throws -> Chart {
    let start = try #require(CivilDate("2026-01-01"))
    return Chart(
      query: "kind:issue", field: "status", step: step, series: names.map { Chart.Series($0) },
      points: counts.enumerated().map { place, counts in
        Chart.Point(
          day: start.adding(days: place), commit: nil, total: counts.reduce(0, +), counts: counts)
      })
  }

  private func style(colour: Bool, unicode: Bool) -> Style {
    Style(colour: colour, unicode: unicode, hyperlinks: false)
  }

  @Test func everyLineFits() throws {
    var random = Samples(seed: 3)
    for points in [1, 2, 7, 40, 99, 500] {
      let counts = (0..<points).map { _ in (0..<3).map { _ in Int(random.next() % 1_000) } }
      let chart = try chart(counts, ["open", "日本語 with a long name that goes on and on", "a\nb\u{1B}[31m"])
      for width in [1, 10, 20, 24, 40, 80, 120, 300] {
        for unicode in [true, false] {
          let lines = ChartPlot(chart, style(colour: false, unicode: unicode), width: width).lines()
          for line in lines where width >= 24 {
            #expect(CellWidth.of(line) <= width, "\(points) points, \(width): \(line)")
          }
          #expect(
            unicode || lines.joined().unicodeScalars.allSatisfy { $0.value < 0x80 || $0.value > 0x2FFF })
        }
      }
    }
  }

  @Test func columnsReachAsHighAsTheirCounts() throws {
    let chart = try chart([[0, 0], [4, 4], [8, 8]], ["a", "b"])
    let lines = ChartPlot(chart, style(colour: false, unicode: false), width: 40).lines()
    #expect(lines[1] == "16 +                ........")
    #expect(lines.dropFirst(1).prefix(6).allSatisfy { $0.hasSuffix("                ........") })
    #expect(lines[7] == " 8 +        ........########")
    #expect(lines[12].hasSuffix("        ################"))
  }

  @Test func whatIsCountedIsSeen() throws {
    let chart = try chart([[1, 5_000]], ["few", "many"])
    let lines = ChartPlot(chart, style(colour: true, unicode: true), width: 40).lines()
    #expect(lines.joined().contains("▁"))
  }

  @Test func scalesGoUpByNumbersThatPeopleLike() {
    let tops = [0, 1, 4, 5, 17, 36, 41, 399, 401, 1_000, 99_999].map { ChartScale($0).top }
    #expect(tops == [4, 4, 4, 8, 20, 36, 60, 400, 600, 1_000, 100_000])
    for most in 0..<3_000 { #expect(ChartScale(most).top >= most) }
  }

  @Test func picturesHoldNothingThatIsNoXML() throws {
    let chart = try chart([[1, 2], [3, 0]], ["<script>&\"'", "a\u{0}b\u{FFFE}\u{202E}\r\n"])
    let svg = String(decoding: ChartSVG(chart).bytes(), as: UTF8.self)
    #expect(!svg.contains("<script") && svg.contains("&lt;script&gt;&amp;&quot;'"))
    #expect(svg.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0xFFFE })
    #expect(svg.hasPrefix("<svg xmlns") && svg.hasSuffix("</svg>\n"))
  }

  @Test func wordsTakeTheirEnglishForms() {
    let pasts = ["close", "ship", "fix", "review", "send", "reply", "play", "cancel", "plan"].map(
      EnglishWord.participle)
    #expect(
      pasts == [
        "closed", "shipped", "fixed", "reviewed", "sent", "replied", "played", "canceled", "planned",
      ])
    #expect(
      ["issue", "box", "story", "day"].map(EnglishWord.plural) == ["issues", "boxes", "stories", "days"])
  }
}
