import Git
import Notes
package import SlipboxCore

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
      return text + CSVWriter.row([point.day.description, total(point)] + counts.map(chart.text))
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
      if point.hasTotal { writer.number(chart.text(point.total)) } else { writer.null() }
      guard chart.field != nil else { return }
      writer.key("counts")
      writer.array(of: point.counts) { $1.number(chart.text($0)) }
    }
  }

  /// A value without what would end a column or a line.
  private static func onOneLine(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
