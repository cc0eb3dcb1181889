import SlipboxBench
import Testing

/// Rows are held against their goals, and printed so that a failure can't be overlooked.
struct ReportTests {
  private func row(
    _ key: String, _ count: Int, slip: [Double], walk: [Double], goals: [Goal] = [], failure: String? = nil
  ) -> RowResult {
    RowResult(
      key: key, title: "the \(key)", scale: Scale(count, "notes"),
      slip: Measurement(name: "slip", milliseconds: slip, peakBytes: 50_000_000, failure: failure),
      others: [Measurement(name: Report.walk, milliseconds: walk)], goals: goals)
  }

  @Test func aRatioIsHeldAgainstItsGoal() {
    let goals: [Goal] = [.ratio(to: Report.walk, below: 1.5), .megabytes(60), .megabytes(40)]
    let met = row("a", 10, slip: [14], walk: [10], goals: goals)
    #expect(met.results == [.met, .met, .missed])
    let missed = row("a", 10, slip: [15], walk: [10], goals: goals)
    #expect(missed.results == [.missed, .met, .missed])
    #expect(missed.comparisons[0].ratio == 1.5)
  }

  @Test func goalsHoldFromAHundredThousandNotesOnAndMemoryGrowsWithTheBox() {
    #expect(Goal.goals(10_000, ["git": 2], megabytes: 64).isEmpty)
    #expect(Goal.goals(100_000, ["git": 2], megabytes: 64) == [.ratio(to: "git", below: 2), .megabytes(64)])
    #expect(Goal.goals(1_000_000, ["git": 2, "rg": 3], megabytes: 64).last == .megabytes(640))
    #expect(Goal.goals(1_000_000, ["git": 2, "rg": 3]).count == 2)
  }

  @Test func withoutABaseTheResultIsUnknown() {
    let row = row("a", 10, slip: [14], walk: [], goals: [.ratio(to: Report.walk, below: 1.5)])
    #expect(row.results == [.unknown])
  }

  @Test func growthIsMeasuredFromSizeToSizeAndHeldFromTenThousandOn() {
    let rows = [
      row("a", 1_000, slip: [2], walk: [1]), row("a", 10_000, slip: [10], walk: [10]),
      row("a", 100_000, slip: [130], walk: [100]), row("b", 10_000, slip: [1], walk: [1]),
    ]
    let growths = Growth.all(of: rows, goals: ["a": 12])
    #expect(growths.map(\.ratio) == [5, 13])
    #expect(growths.map(\.verdict) == [nil, .missed])
  }

  @Test func theTextNamesWhatFailed() {
    let report = Report(
      setting: [("date", "today"), ("kernel", "Linux")],
      rows: [
        row("a", 1_000, slip: [2], walk: [4], goals: [.ratio(to: Report.walk, below: 0.4)]),
        row("b", 10_000, slip: [], walk: [1], failure: "exit 70: lost"),
      ],
      growthGoals: [:])
    #expect(report.hasFailures)
    #expect(
      report.text.hasPrefix(
        """
        date    today
        kernel  Linux

        operation     box  runs  slip ms  MB  held against    ms  ratio  goal
        ---------  ------  ----  -------  --  ------------  ----  -----  ------  ------
        the a       1,000     1     2.00  50  the walk      4.00   0.50  < 0.40  missed
        the b      10,000         failed

        """))
    #expect(report.text.contains("\nthe b, 10,000 notes: slip failed: exit 70: lost\n"))
    #expect(report.text.hasSuffix("1 goals: 0 met, 1 missed, 0 not measured; 1 of 2 rows failed\n"))
  }

  @Test func theJSONHasEveryFigure() {
    let report = Report(
      setting: [("date", "\"today\"")],
      rows: [row("a", 10, slip: [2, 3], walk: [4], goals: [.ratio(to: Report.walk, below: 1)])],
      growthGoals: [:])
    #expect(
      report.json
        == #"{"schema":1,"setting":{"date":"\"today\""},"rows":[{"row":"a","title":"the a","count":10,"#
        + #""unit":"notes","slip":{"name":"slip","runs":2,"median":2.5000,"minimum":2,"maximum":3,"#
        + #""peakBytes":50000000},"others":[{"name":"the walk","runs":1,"median":4,"minimum":4,"maximum":4}],"#
        + #""goals":[{"against":"the walk","ratio":0.6250,"below":1,"verdict":"met"}]}],"growth":[]}"#)
  }
}
