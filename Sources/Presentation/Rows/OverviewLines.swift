package import SlipboxCore
import Text

/// The output of `slip` alone, as lines for people.
package enum OverviewLines {
  /// The text for an empty box.
  package static let firstSteps = """
    The box is empty. To begin:

      slip new "A first thought" +idea
      slip new issue "Something is broken" priority:high
      slip new book "The Hobbit" author:"J. R. R. Tolkien"
      slip new task "Call the library" due:friday

    slip --help lists all commands.

    """

  /// Filters with their numbers of notes, tags with theirs, and the newest notes, a blank line between them.
  ///
  /// - Parameter otherTags: the number of tags beside those that are shown.
  package static func lines(
    filters: [(name: String, count: Int?)], tags: [(name: String, count: Int)], otherTags: Int,
    newest: [String], _ style: Style
  ) -> [String] {
    var lines = FilterLines.counts(filters, style)
    if !tags.isEmpty {
      var table = Table(columns: [.init(), .init(alignment: .trailing)], style: style, width: nil)
      for tag in tags { table.add(["#" + tag.name, String(tag.count)]) }
      lines += [""] + table.lines()
      if otherTags > 0 { lines.append(style.dim("and \(otherTags) more: slip tags")) }
    }
    return lines + [""] + newest
  }
}

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

  /// A filter a line with the number of notes that it finds; a question mark if it can't be read.
  package static func counts(_ filters: [(name: String, count: Int?)], _ style: Style) -> [String] {
    var table = Table(
      columns: [.init(paint: style.bold), .init(alignment: .trailing)], style: style, width: nil)
    for filter in filters { table.add(["@" + filter.name, filter.count.map(String.init) ?? "?"]) }
    return table.lines()
  }
}

/// Tags with their numbers as rows.
package struct TagRows {
  /// The tags with the labels that a table shows.
  private var rows: [(label: String, tag: TagCount)] = []

  /// A list of tags by their whole names.
  package init(list tags: [TagCount]) { rows = tags.map { ($0.name, $0) } }

  /// Tags under their parents, each by the last part of its name.
  package init(tree branches: [TagBranch]) { add(branches, depth: 0) }

  private mutating func add(_ branches: [TagBranch], depth: Int) {
    for branch in branches {
      rows.append((String(repeating: "  ", count: depth) + branch.label, branch.tag))
      add(branch.children, depth: depth + 1)
    }
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// A table on a terminal. In a pipe every row has the whole name, so that each line means the same by itself.
  package func lines(_ display: Display) -> [String] {
    guard display.isTerminal else {
      return rows.map { "\(Visible.escape($0.tag.name))\t\($0.tag.active)\t\($0.tag.all)" }
    }
    var table = Table(
      columns: [
        .init(isFlexible: true, minimumWidth: 10),
        .init(alignment: .trailing, paint: display.style.bold), .init(alignment: .trailing),
      ], style: display.style, width: display.width)
    table.add(["TAG", "ACTIVE", "ALL"])
    for row in rows { table.add([row.label, String(row.tag.active), String(row.tag.all)]) }
    return table.lines()
  }
}
