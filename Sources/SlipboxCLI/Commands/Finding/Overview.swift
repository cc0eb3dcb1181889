import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Overview: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "overview",
    abstract: "Show filters, tags and the newest notes, as slip without arguments does.",
    discussion: """
      --json prints all tags of active notes, and the newest notes in the form of slip list.

      Examples:
        slip overview
        slip overview --json
        slip --as-of 2026-11-01
      """)

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @OptionGroup var past: PastOptions

  @OptionGroup var global: GlobalOptions

  /// The number of newest notes, and of tags, that are shown.
  private static let newestCount = 10

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    let entries = try snapshot.catalogue().entries
    let newest = Array(entries.prefix(Self.newestCount))
    if json {
      let bytes = try NotePresenter(snapshot, json: schema.schema).overview(
        filters: try filterCounts(snapshot), tags: try BoxTags(of: snapshot).mostUsed(), newest: newest)
      return try session.console.print(bytes: bytes)
    }
    guard !entries.isEmpty else {
      if past.asOf != nil { return session.say("the box had no notes at that time") }
      return try session.console.print(OverviewLines.firstSteps)
    }
    if session.console.outputIsTerminal { LastList(in: snapshot).remember(newest) }
    let tags = try BoxTags(of: snapshot).mostUsed()
    try session.console.print(
      OverviewLines.lines(
        filters: try filterCounts(snapshot), tags: Array(tags.prefix(Self.newestCount)),
        otherTags: max(0, tags.count - Self.newestCount),
        newest: try NotePresenter(snapshot).rows(of: newest, session.display), session.style))
  }

  /// The number of notes that each filter finds; nil if it can't be read.
  private func filterCounts(_ snapshot: BoxSnapshot) throws -> [(name: String, count: Int?)] {
    var counts: [(name: String, count: Int?)] = []
    for filter in snapshot.settings.allFilters {
      let query: Query
      do {
        query = try snapshot.query(["@" + filter.name])
      } catch {
        // One filter that can't be read is no reason to show none.
        let message = Phrase(error.message)
        snapshot.reporter.warn(
          error.filterName == filter.name ? message : "@\(filter.name): \(message)")
        counts.append((filter.name, nil))
        continue
      }
      counts.append((filter.name, try snapshot.count(query)))
    }
    return counts
  }
}
