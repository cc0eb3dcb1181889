import SlipboxBench
import Testing

/// Statistics, numbers as text, tables and plots.
struct FiguresTests {
  @Test(
    arguments: zip(
      [[3], [1, 9], [9, 1, 2], [4, 1, 3, 2], [7, 7, 7, 100, 1]] as [[Double]], [3, 5, 2, 2.5, 7] as [Double]))
  func theMedianIsTheMiddle(values: [Double], median: Double) {
    #expect(Statistics(values)?.median == median)
    #expect(Statistics(values)?.minimum == values.min())
    #expect(Statistics(values)?.maximum == values.max())
  }

  @Test func nothingHasNoMedian() { #expect(Statistics([]) == nil) }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
  func thousandsAreGrouped(number: Int, text: String) { #expect(Figures.grouped(number) == text) }

  @Test(arguments: [
    (0.944, "0.94"), (8.526, "8.53"), (9.999, "10.00"), (85.27, "85.3"), (131.4, "131"), (9_300.2, "9,300"),
  ])
  func millisecondsHaveThreeDigits(value: Double, text: String) {
    #expect(Figures.milliseconds(value) == text)
  }

  @Test(arguments: [
    (1.005, 1, "1.0"), (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (-2.5, 0, "-3"), (12.3456, 3, "12.346"),
  ])
  func placesAreFixed(value: Double, places: Int, text: String) {
    #expect(Figures.fixed(value, places) == text)
  }

  @Test func columnsAreAligned() {
    var table = TextTable([("name", .left), ("number", .right)])
    table.add(["a", "1"])
    table.add(["longer", "1,000,000"])
    table.add(["b"])
    #expect(
      table.text == """
        name       number
        ------  ---------
        a               1
        longer  1,000,000
        b

        """)
  }

  @Test func thePlotHasAMarkForEachPoint() {
    let plot = CostPlot(
      [
        .init(mark: "w", title: "the walk", points: [1_000: 1, 10_000: 10, 100_000: 100]),
        .init(mark: "n", title: "newest", points: [1_000: 3, 10_000: 10.5]),
        .init(mark: "x", title: "failed", points: [:]),
      ], unit: "notes")
    #expect(
      plot.text == """
        ms
             100 |                                         w
                 |
                 |
                 |
              10 |                          wn
                 |
                 |             n
                 |
               1 |             w
                 +------------------------------------------
                           1,000        10,000       100,000 notes

          w  the walk
          n  newest

        """)
  }

  @Test func aPlotOfNothingIsEmpty() { #expect(CostPlot([], unit: "notes").text.isEmpty) }
}
