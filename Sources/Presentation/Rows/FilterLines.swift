import Text

/// Filters as lines for people.
package enum FilterLines {
  /// A filter a line with its query: a table on a terminal, a tab between them elsewhere.
  package static func list(_ filters: [(name: String, query: String)], _ display: Display) -> [String] {
    guard display.isTerminal else { return filters.map { "\($0.name)\t\(Visible.escape($0.query))" } }
    var table = Table(
      columns: [.init(paint: display.style.bold), .init()], style: display.style, width: display.width)
    for filter in filters { table.add(["@" + filter.name, filter.query]) }
    return table.lines()
  }

  /// A filter a line with the number of notes that it finds; a question mark where it can't be read.
  package static func counts(_ filters: [(name: String, count: Int?)], _ style: Style) -> [String] {
    var table = Table(
      columns: [.init(paint: style.bold), .init(alignment: .trailing)], style: style, width: nil)
    for filter in filters { table.add(["@" + filter.name, filter.count.map(String.init) ?? "?"]) }
    return table.lines()
  }
}
