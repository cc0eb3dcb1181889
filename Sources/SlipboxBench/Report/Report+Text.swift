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

  /// The name of the floor that most goals are held against.
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
