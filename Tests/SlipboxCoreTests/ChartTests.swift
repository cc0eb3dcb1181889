import Foundation
import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The counts of charts are those of `list` in a checkout of each commit.
///
/// `CHART_HISTORIES` says how many random histories are tried, 3 unless it is there, and `CHART_SEED` which ones.
@Suite struct ChartTests {
  private static func number(_ name: String, or standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  private static let queries: [[String]] = [
    [], ["kind:issue"], ["status:open"], ["+food"], ["word"], ["is:active"], ["@mine"], ["stage:here"],
    ["modified:7d"], ["created:14d"], ["is:orphan"], ["links:\"Note 3\""], ["kind:issue", "limit:2"],
    ["due:..today"], ["kind:paper"], ["path:sub/"], ["-food", "has:tags"],
  ]

  @Test func countsAreThoseOfACheckout() throws {
    var found = 0
    for round in 0..<Self.number("CHART_HISTORIES", or: 3) {
      let history = try RandomHistory(seed: UInt64(Self.number("CHART_SEED", or: 1) + round))
      if round.isMultiple(of: 2) { try history.box.foldCatalogue() }
      for query in Self.queries {
        let wanted = try history.checkouts.map { try history.count(query, at: $0) }
        let request = ChartRequest(query: query, first: history.firstDay, last: history.lastDay, step: .day)
        let chart: Chart
        do { chart = try ChartReader(history.box.box, history.box.context).chart(request) } catch {
          let isNeverRead = wanted.allSatisfy { $0 == nil }
          #expect(isNeverRead, "round \(round), \(query): \(error)")
          continue
        }
        let counts = chart.points.map(\.total)
        found += counts.reduce(0, +)
        let isSame = counts == wanted.map { $0 ?? 0 }
        #expect(isSame, "round \(round), \(query): \(counts), wanted \(wanted)")
        #expect(chart.points.map(\.commit) == history.checkouts.map(\.commit))
      }
    }
    #expect(found > 1_000)
  }

  @Test func valuesAreThoseOfQueries() throws {
    let history = try RandomHistory(seed: 7)
    let request = ChartRequest(
      query: ["kind:issue"], field: "status", first: history.firstDay, last: history.lastDay, step: .day)
    let chart = try ChartReader(history.box.box, history.box.context).chart(request)
    // A status that is no value of the kind stands behind those that are.
    #expect(chart.series.map(\.name).prefix(2) == ["open", "closed"])
    for (place, series) in chart.series.prefix(2).enumerated() {
      #expect(series.meaning == (series.name == "closed" ? .over : .plain))
      let wanted = try history.checkouts.map {
        try history.count(["kind:issue", "status:\(series.name)"], at: $0) ?? 0
      }
      #expect(chart.points.map { $0.counts[place] } == wanted)
    }
    for point in chart.points { #expect(point.counts.reduce(0, +) == point.total) }
  }

  @Test func stepsEndOnSundaysAndOnLastDays() throws {
    let first = try #require(CivilDate("2026-01-30"))
    let last = try #require(CivilDate("2026-03-04"))
    #expect(ChartStep.day.days(from: first, through: last).count == 34)
    let weeks = ChartStep.week.days(from: first, through: last)
    #expect(weeks.dropLast().allSatisfy { $0.weekday == 7 } && weeks.last == last)
    #expect(weeks.first?.description == "2026-02-01")
    let months = ChartStep.month.days(from: first, through: last)
    #expect(months.map(\.description) == ["2026-01-31", "2026-02-28", "2026-03-04"])
    #expect(ChartStep.day.days(from: last, through: last) == [last])
    #expect(ChartStep(fitting: first, last) == .day)
    #expect(ChartStep(fitting: first, first.adding(days: 99)) == .day)
    #expect(ChartStep(fitting: first, first.adding(days: 100)) == .week)
    #expect(ChartStep(fitting: first, first.adding(days: 700)) == .month)
  }

  @Test func theClockOfACommitMayBeWrong() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    for (name, day) in [("a", "2026-11-02"), ("b", "2026-11-09"), ("c", "2026-11-04"), ("d", "2026-12-24")] {
      try folder.write("\(name).md", "# \(name)\n")
      try commit(folder, on: day)
    }
    let request = ChartRequest(
      query: [], first: CivilDate("2026-11-01"), last: CivilDate("2026-11-30"), step: .day)
    let chart = try ChartReader(box.box, box.context).chart(request)
    let counts = chart.points.map { "\($0.day.day):\($0.total)" }
    // The box itself was made today; on the 4th the third commit is the last one that is not younger.
    #expect(counts.prefix(9).joined(separator: " ") == "1:0 2:1 3:1 4:3 5:3 6:3 7:3 8:3 9:3")
    #expect(chart.points.last?.total == 4 && chart.points.last?.day == box.context.clock.today)
  }
}

/// Commits everything, at noon of a day.
private func commit(_ folder: TemporaryFolder, on day: String, _ words: String...) throws {
  _ = try folder.git("add", "-A")
  var environment = testEnvironment
  environment["GIT_AUTHOR_DATE"] = "\(day) 12:00 +0100"
  environment["GIT_COMMITTER_DATE"] = "\(day) 12:00 +0100"
  let arguments = words.isEmpty ? ["commit", "-q", "--allow-empty", "-m", "On \(day)"] : words
  let result = try run("git", arguments, in: folder.path, environment: environment)
  #expect(result.status == 0, "\(result.errors)")
}

/// A history of random changes: notes made, changed, renamed and deleted, branches merged, kinds and filters that come, go
/// and change.
final class RandomHistory {
  /// The box at the end of a day.
  struct Checkout {
    let commit: ObjectID
    let folder: TemporaryFolder
    let clock: ClockReading
  }

  let box: BoxInTest
  let firstDay: CivilDate
  private(set) var lastDay: CivilDate
  private(set) var checkouts: [Checkout] = []
  private let folder: TemporaryFolder
  private var random: SplitMix64
  private var made = 0

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SplitMix64(seed: seed)
    box = try makeBox(in: folder)
    try folder.git("checkout", "-q", "--orphan", "past")
    firstDay = CivilDate(dayNumber: box.context.clock.today.dayNumber - 40)
    lastDay = firstDay
    for offset in 0..<20 {
      let day = firstDay.adding(days: offset)
      lastDay = day
      if offset % 5 == 4 { try mergeBranch(day) } else { try change(day) }
      try keep(day)
    }
  }

  private func change(_ day: CivilDate) throws {
    for _ in 0..<Int.random(in: 1...4, using: &random) { try step() }
    try commit(folder, on: day.description)
  }

  private func mergeBranch(_ day: CivilDate) throws {
    try folder.git("checkout", "-q", "-b", "side")
    try write("side/\(made).md")
    try commit(folder, on: day.description)
    try folder.git("checkout", "-q", "past")
    try write("main-\(made).md")
    try commit(folder, on: day.description)
    try commit(folder, on: day.description, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    try folder.git("branch", "-qD", "side")
  }

  private func step() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") && !$0.hasPrefix(".") }.sorted()
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: try write("note-\(made).md")
    case 4...6: if let path = paths.randomElement(using: &random) { try write(path) }
    case 7:
      guard let path = paths.randomElement(using: &random) else { return }
      try folder.write("sub/moved-\(made).md", folder.read(path) ?? [])
      try FileManager.default.removeItem(atPath: folder.path + "/" + path)
    case 8:
      guard let path = paths.randomElement(using: &random) else { return }
      try FileManager.default.removeItem(atPath: folder.path + "/" + path)
    case 9:
      let query =
        ["status:open", "+food", "stage:here", "word modified:3d"].randomElement(using: &random) ?? ""
      try folder.write(".slipbox/config.yaml", "filters:\n  mine: \"\(query)\"\n")
    case 10:
      let match = Bool.random(using: &random) ? "match: path:sub/\n" : "match: created:5d\n"
      try folder.write(
        ".slipbox/kinds/paper.yaml", match + "fields:\n  stage: {type: choice, values: [sent, here]}\n")
    default: try? FileManager.default.removeItem(atPath: folder.path + "/.slipbox/kinds/paper.yaml")
    }
    made += 1
  }

  private func write(_ path: String) throws {
    made += 1
    let lines = [
      "kind: issue", "kind: issue\nstatus: closed", "tags: [food]", "stage: here", "due: 2026-11-01",
      "kind: task\ndone: true", "status: [", "created: \(firstDay)",
    ]
    let header = (0..<2).compactMap { _ in lines.randomElement(using: &random) }
    let text = ["A word.", "See [[Note 3]].", "#food and more.", ""].randomElement(using: &random) ?? ""
    try folder.write(
      path, "---\ntitle: Note \(made)\n" + header.joined(separator: "\n") + "\n---\n\(text)\n")
  }

  /// Clones the box as it is at the end of a day.
  private func keep(_ day: CivilDate) throws {
    let clone = try TemporaryFolder()
    try clone.git("clone", "-q", folder.path, "box")
    try giveIdentity(clone.path + "/box")
    let head = try clone.git("-C", "box", "rev-parse", "HEAD").prefix(40)
    let commit = try #require(ObjectID(hex: Array(head.utf8)))
    let end = standingClock.start(of: day.adding(days: 1)) - 1
    let clock = ClockReading(
      now: Timestamp(seconds: end, offsetSeconds: 3_600), offset: { _ in 3_600 })
    checkouts.append(Checkout(commit: commit, folder: clone, clock: clock))
  }

  /// How many notes `list` finds in a checkout; nil where the query means nothing there.
  func count(_ query: [String], at checkout: Checkout) throws -> Int? {
    let path = checkout.folder.path + "/box"
    let context = context(in: path).at(checkout.clock)
    let box = try Box(at: Array(path.utf8))
    let snapshot: BoxSnapshot
    do { snapshot = try WorkTreeReader(box, context).snapshot() } catch { return nil }
    do { return try snapshot.count(try snapshot.query(query)) } catch { return nil }
  }
}
