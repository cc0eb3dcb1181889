package import SlipboxCore
import Text

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
