/// A plot of time against size in plain text, both in powers of ten.
package struct CostPlot {
  /// A line of the plot.
  package struct Series: Sendable {
    package let mark: Character
    package let title: String
    /// Milliseconds by size.
    package let points: [Int: Double]

    package init(mark: Character, title: String, points: [Int: Double]) {
      self.mark = mark
      self.title = title
      self.points = points
    }
  }

  private let series: [Series]
  private let unit: String
  private static let rowsPerDecade = 4

  package init(_ series: [Series], unit: String) {
    self.series = series.filter { $0.points.values.contains { $0 > 0 } }
    self.unit = unit
  }

  /// The lines of the plot with its legend; empty if there are no points.
  package var text: String {
    let sizes = Set(series.flatMap(\.points.keys)).sorted()
    let rows = series.flatMap { $0.points.values.filter { $0 > 0 }.map(Self.row) }
    guard let lowest = rows.min(), let highest = rows.max() else { return "" }
    let bottom = Self.decadeBelow(lowest)
    let width = max(14, series.count + 4)
    var text = "ms\n"
    for row in stride(from: Self.decadeAbove(highest), through: bottom, by: -1) {
      text += Self.trimmed(Self.label(row) + " |" + cells(row, sizes, width)) + "\n"
    }
    text += String(repeating: " ", count: Self.labelWidth) + " +"
    text += String(repeating: "-", count: width * sizes.count) + "\n"
    let labels = sizes.map { Self.right(Figures.grouped($0), width) }.joined()
    text += String(repeating: " ", count: Self.labelWidth + 2) + labels + " \(unit)\n\n"
    for line in series { text += "  \(line.mark)  \(line.title)\n" }
    return text
  }

  /// The marks of one row. Marks of the same place are drawn side by side.
  private func cells(_ row: Int, _ sizes: [Int], _ width: Int) -> String {
    sizes.map { size in
      let marks = series.filter { line in
        line.points[size].map { $0 > 0 && Self.row($0) == row } ?? false
      }
      return Self.right(String(marks.map(\.mark)), width)
    }.joined()
  }

  /// The row of a time: 0 is 1 ms.
  private static func row(_ milliseconds: Double) -> Int {
    var value = milliseconds
    var row = 0
    // By steps, so that the plot needs no logarithm of the C library. 10^(1/4) is the height of a row.
    let step = 1.778_279_410_038_923
    let half = 1.333_521_432_163_324
    while value >= half, row < 400 {
      value /= step
      row += 1
    }
    while value < 1 / half, row > -400 {
      value *= step
      row -= 1
    }
    return row
  }

  private static func decadeBelow(_ row: Int) -> Int {
    Int((Double(row) / Double(rowsPerDecade)).rounded(.down)) * rowsPerDecade
  }

  private static func decadeAbove(_ row: Int) -> Int {
    Int((Double(row) / Double(rowsPerDecade)).rounded(.up)) * rowsPerDecade
  }

  private static let labelWidth = 8

  private static func label(_ row: Int) -> String {
    guard row.isMultiple(of: rowsPerDecade) else { return String(repeating: " ", count: labelWidth) }
    let decade = row / rowsPerDecade
    var value = 1.0
    for _ in 0..<abs(decade) { value = decade > 0 ? value * 10 : value / 10 }
    return right(decade < 0 ? Figures.fixed(value, -decade) : Figures.grouped(Int(value)), labelWidth)
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// Numbers as people read them, in the same form everywhere.
package enum Figures {
  /// Such as `12,345`.
  package static func grouped(_ number: Int) -> String {
    let digits = Array("\(number.magnitude)")
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Milliseconds with three digits that count: `0.94`, `8.53`, `131`, `9,300`.
  package static func milliseconds(_ value: Double) -> String {
    value < 10 ? fixed(value, 2) : value < 100 ? fixed(value, 1) : grouped(Int(value.rounded()))
  }

  /// A number with so many places after the point, rounded half away from zero.
  package static func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return sign + "\(scaled)" }
    let fraction = "\(scaled % scale)"
    return sign + "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
