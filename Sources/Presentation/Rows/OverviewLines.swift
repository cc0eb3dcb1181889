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
