import ArgumentParser
import NoteIndex
import Notes
import Platform
import Rendering
import SlipboxCore
import Text

/// What `slip` alone prints: filters with counts, tags with counts of active notes, the newest notes.
struct Overview: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overview",
    abstract: "Filters with counts, tags, the newest notes; also what slip alone prints.",
    discussion: "Examples:\n  slip overview")

  @OptionGroup var global: GlobalOptions

  /// How many of the newest notes are shown.
  private static let newestCount = 10

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let entries = try box.catalogue().entries
    guard !entries.isEmpty else {
      try Console.print(Self.firstSteps)
      return
    }
    let style = session.style
    for line in try filterLines(box, style) { Console.write(line + "\n") }
    let tags = tagLines(entries, box, style)
    if !tags.isEmpty { Console.write("\n" + tags.joined(separator: "\n") + "\n") }
    let rows = NoteRows(
      style: style, width: session.width, catalogue: try box.catalogue(), schema: box.schema())
    let newest = Array(entries.prefix(Self.newestCount))
    if Console.outputIsTerminal { box.rememberList(newest) }
    Console.write("\n" + rows.listed(newest).joined(separator: "\n") + "\n")
    try Console.flush()
  }

  private static let firstSteps = """
    The box is empty. To begin:

      slip new "A first thought" +idea
      slip new issue "Something is broken" priority:high
      slip new book "The Hobbit" author:"J. R. R. Tolkien"
      slip new task "Call the library" due:friday

    slip --help shows what else there is.

    """

  private func filterLines(_ box: Slipbox, _ style: Style) throws -> [String] {
    var table = Table(
      columns: [.init(paint: style.bold), .init(alignment: .trailing)], style: style, width: nil)
    for filter in box.allFilters {
      let query: Query
      do {
        query = try box.query(["@" + filter.name])
      } catch {
        // One filter that can't be read is no reason to show none.
        table.add(["@" + filter.name, "?"])
        box.surroundings.warn("@\(filter.name): \(Visible.escape(error.message))")
        continue
      }
      table.add(["@" + filter.name, String(try box.matches(query).count)])
    }
    return table.lines()
  }

  /// Tags by the number of active notes, the most used first.
  private func tagLines(_ entries: Entries, _ box: Slipbox, _ style: Style) -> [String] {
    let active = ActiveTest(schema: box.schema(), clock: box.surroundings.clock)
    var counts: [String: (name: String, count: Int)] = [:]
    for entry in entries where active.isActive(entry) {
      for tag in entry.note.tags { counts[Folding.fold(tag), default: (tag, 0)].count += 1 }
    }
    let ordered = counts.values.sorted { first, second in
      if first.count != second.count { return first.count > second.count }
      return Collation.key(first.name).lexicographicallyPrecedes(Collation.key(second.name))
    }
    var table = Table(columns: [.init(), .init(alignment: .trailing)], style: style, width: nil)
    for tag in ordered.prefix(Self.newestCount) { table.add(["#" + tag.name, String(tag.count)]) }
    return table.lines()
  }
}
