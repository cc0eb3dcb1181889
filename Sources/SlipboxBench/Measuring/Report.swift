import Bytes

/// The results of one run of the bench.
package struct Report {
  /// The machine and the programs that were measured: names and values.
  package let setting: [(name: String, value: String)]
  package let rows: [RowResult]
  package let growths: [Growth]

  package init(setting: [(name: String, value: String)], rows: [RowResult], growthGoals: [String: Double]) {
    self.setting = setting
    self.rows = rows
    growths = Growth.all(of: rows, goals: growthGoals)
  }

  /// Whether slip failed in a row.
  package var hasFailures: Bool { rows.contains { $0.slip.failure != nil } }

  /// The results of all goals.
  var results: [GoalResult] { rows.flatMap(\.results) + growths.compactMap(\.verdict) }

  /// The number of goals that are met, missed, and without an answer.
  package var summary: String {
    let results = results
    func count(_ verdict: GoalResult) -> Int { results.count { $0 == verdict } }
    let failed = rows.count { $0.slip.failure != nil }
    return
      "\(results.count) goals: \(count(.met)) met, \(count(.missed)) missed, \(count(.unknown)) not measured; "
      + "\(failed) of \(rows.count) rows failed"
  }
}

extension Report {
  /// The report for people: where it was measured, the table, growth, and the plot.
  package var text: String {
    var text = settingTable + "\n" + mainTable + "\n"
    if !growths.isEmpty { text += growthTable + "\n" }
    let plot = plot.text
    if !plot.isEmpty { text += plot + "\n" }
    return text + failures + remarks + summary + "\n"
  }

  private var settingTable: String {
    let width = setting.map(\.name.count).max() ?? 0
    return setting.map { item in
      item.name + String(repeating: " ", count: width + 2 - item.name.count) + item.value + "\n"
    }.joined()
  }

  private var mainTable: String {
    var table = TextTable([
      ("operation", .left), ("box", .right), ("runs", .right), ("slip ms", .right), ("MB", .right),
      ("held against", .left),
      ("ms", .right), ("ratio", .right), ("goal", .left), ("", .left),
    ])
    for row in rows { for cells in Self.lines(of: row) { table.add(cells) } }
    return table.text
  }

  private static func lines(of row: RowResult) -> [[String]] {
    let box = row.scale.map { Figures.grouped($0.count) + ($0.unit == "notes" ? "" : " \($0.unit)") } ?? ""
    if row.slip.failure != nil { return [[row.title, box, "", "failed"]] }
    let statistics = row.slip.statistics
    let first = [
      row.title, box, statistics.map { "\($0.count)" } ?? "",
      statistics.map { Figures.milliseconds($0.median) } ?? "",
      row.slip.peakBytes.map { Figures.fixed(Double($0) / 1e6, 0) } ?? "",
    ]
    let comparisons = row.comparisons
    guard !comparisons.isEmpty else { return [first] }
    return comparisons.enumerated().map { index, comparison in
      (index == 0 ? first : ["", "", "", "", ""]) + cells(of: comparison)
    }
  }

  private static func cells(of comparison: Comparison) -> [String] {
    if comparison.failure != nil { return ["\(comparison.base): failed"] }
    return [
      comparison.base, comparison.milliseconds.map(Figures.milliseconds) ?? "",
      comparison.ratio.map { Figures.fixed($0, 2) } ?? "",
      comparison.goal.map { "< \(Figures.fixed($0, 2))" } ?? "", comparison.verdict?.rawValue ?? "",
    ]
  }

  private var growthTable: String {
    var table = TextTable([
      ("growth of slip's time", .left), ("from", .right), ("to", .right), ("ratio", .right), ("goal", .left),
      ("", .left),
    ])
    for growth in growths {
      table.add([
        growth.title, Figures.grouped(growth.from.count),
        Figures.grouped(growth.to.count) + " \(growth.to.unit)",
        Figures.fixed(growth.ratio, 2), growth.goal.map { "<= \(Figures.fixed($0, 1))" } ?? "",
        growth.verdict?.rawValue ?? "",
      ])
    }
    return table.text
  }

  /// The plot of the operations that show how cost grows, with the walk as their floor.
  private var plot: CostPlot {
    let marked: [(key: String, mark: Character)] = [
      ("json", "j"), ("index", "i"), ("new", "n"), ("common", "c"), ("rare", "r"), ("newest", "l"),
      ("show", "s"),
    ]
    let rows = rows.filter { $0.scale?.unit == "notes" }
    var series = marked.compactMap { key, mark -> CostPlot.Series? in
      let rows = rows.filter { $0.key == key }
      return rows.first.map { first in
        CostPlot.Series(mark: mark, title: first.title, points: Self.points(rows) { $0.slip })
      }
    }
    let walk = Self.points(rows) { row in row.others.first { $0.name == Self.walk } }
    if !series.isEmpty {
      series.append(
        CostPlot.Series(mark: "w", title: "\(Self.walk), the floor of all that look", points: walk))
    }
    return CostPlot(series, unit: "notes")
  }

  /// The medians by size; of several rows of one size the first has it.
  private static func points(
    _ rows: [RowResult], _ measurement: (RowResult) -> Measurement?
  ) -> [Int: Double] {
    var points: [Int: Double] = [:]
    for row in rows {
      guard let scale = row.scale, points[scale.count] == nil else { continue }
      points[scale.count] = measurement(row)?.statistics?.median
    }
    return points
  }

  /// The name of the baseline that most goals refer to.
  package static let walk = "the walk"

  /// Every failure with its reason.
  private var failures: String {
    var text = ""
    for row in rows {
      let box = row.scale.map { ", \(Figures.grouped($0.count)) \($0.unit)" } ?? ""
      for measurement in [row.slip] + row.others {
        guard let failure = measurement.failure else { continue }
        text += "\(row.title)\(box): \(measurement.name) failed: \(failure)\n"
      }
    }
    return text.isEmpty ? "" : text + "\n"
  }

  private var remarks: String {
    var seen: Set<String> = []
    var text = ""
    for row in rows {
      guard let remark = row.remark, seen.insert(row.key).inserted else { continue }
      text += "\(row.title): \(remark)\n"
    }
    return text.isEmpty ? "" : text + "\n"
  }
}

extension Report {
  /// The report for programs, in one line.
  package var json: String {
    JSONText.object([
      ("schema", .number(1)),
      ("setting", .object(setting.map { ($0.name, .text($0.value)) })),
      ("rows", .list(rows.map(Self.json))),
      ("growth", .list(growths.map(Self.json))),
    ]).written
  }

  private static func json(_ row: RowResult) -> JSONText {
    .object([
      ("row", .text(row.key)), ("title", .text(row.title)),
      ("count", row.scale.map { .number(Double($0.count)) }),
      ("unit", row.scale.map { .text($0.unit) }), ("slip", json(row.slip)),
      ("others", .list(row.others.map(json))), ("goals", .list(row.comparisons.compactMap(json))),
      ("remark", row.remark.map { .text($0) }),
    ])
  }

  private static func json(_ measurement: Measurement) -> JSONText {
    let statistics = measurement.statistics
    return .object([
      ("name", .text(measurement.name)), ("runs", statistics.map { .number(Double($0.count)) }),
      ("median", statistics.map { .number($0.median) }), ("minimum", statistics.map { .number($0.minimum) }),
      ("maximum", statistics.map { .number($0.maximum) }),
      ("peakBytes", measurement.peakBytes.map { .number(Double($0)) }),
      ("failure", measurement.failure.map { .text($0) }),
    ])
  }

  private static func json(_ comparison: Comparison) -> JSONText? {
    guard let goal = comparison.goal, let verdict = comparison.verdict else { return nil }
    return .object([
      ("against", .text(comparison.base)), ("ratio", comparison.ratio.map { .number($0) }),
      ("below", .number(goal)), ("verdict", .text(verdict.rawValue)),
    ])
  }

  private static func json(_ growth: Growth) -> JSONText {
    .object([
      ("title", .text(growth.title)), ("from", .number(Double(growth.from.count))),
      ("to", .number(Double(growth.to.count))), ("unit", .text(growth.to.unit)),
      ("ratio", .number(growth.ratio)),
      ("atMost", growth.goal.map { .number($0) }), ("verdict", growth.verdict.map { .text($0.rawValue) }),
    ])
  }
}

/// A table of plain text with aligned columns, two blanks between them.
package struct TextTable {
  package enum Alignment: Sendable { case left, right }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row; missing cells are empty.
  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines, without blanks at their ends.
  package var text: String {
    let header = columns.map(\.title)
    let widths = columns.indices.map { column in
      ([header] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([header, rule] + rows).map { line($0, widths) + "\n" }.joined()
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (column, width) in widths.enumerated() {
      let cell = column < cells.count ? cells[column] : ""
      let padding = String(repeating: " ", count: width - cell.count)
      if column > 0 { text += "  " }
      text += columns[column].alignment == .left ? cell + padding : padding + cell
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// A value of JSON, written in one line.
package enum JSONText {
  case text(String)
  case number(Double)
  case list([JSONText])
  /// Members in their order; those that are nil are left out.
  case object([(name: String, value: JSONText?)])

  /// The value as JSON.
  package var written: String {
    switch self {
    case .text(let text): return JSONString.quoted(text)
    case .number(let number):
      // JSON has no infinity and no NaN.
      guard number.isFinite else { return "null" }
      return number == number.rounded() && number.magnitude < 1e15
        ? "\(Int(number))" : Figures.fixed(number, 4)
    case .list(let values): return "[" + values.map(\.written).joined(separator: ",") + "]"
    case .object(let members):
      let written = members.compactMap { member in
        member.value.map { JSONString.quoted(member.name) + ":" + $0.written }
      }
      return "{" + written.joined(separator: ",") + "}"
    }
  }
}
