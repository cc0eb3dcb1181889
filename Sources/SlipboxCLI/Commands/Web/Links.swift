import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Links: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "links", abstract: "List the links of notes: to notes, files, addresses and broken targets.",
    discussion: """
      Lists the links in the text and the front matter with their lines, and the references of a record. A link \
      to a part shows it after the title: Plan#March. A link to a part of the same note is listed only if the \
      part is missing. A link without a target is broken; a link that matches several notes is ambiguous. slip \
      broken lists these links for all notes.

      REF#HEADING, REF#^block or REF:12-20 lists the links in that part of the note.

      In a pipe, each row has six columns, separated by tabs: the target (id or path, URL, or the target as \
      written), its type (note, file, url, ambiguous or broken), the linking note, the line, the form of the \
      link (wiki, embed, markdown, image, reference, or the field with a colon), and the title. Exit code: 0 \
      if there are links, 1 if there are none.

      Examples:
        slip links kqzmvtrp
        slip links "Fermentation basics" --json
        slip list +food | slip links -
        slip links kqzmvtrp --paths
        slip links "Fermentation basics#Sources"
        slip links kqzmvtrp --as-of 2026-11-01

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The notes; - reads them from standard input.", valueName: "ref"))
  var references: [Word] = []

  @OptionGroup var options: WebOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let asked = try WebQuestion(references, of: "links", options, session)
    let found = try asked.web.connections(from: asked.places)
    var links: [(place: Int, links: [Connection])] = []
    for ((place, part), all) in zip(zip(asked.places, asked.parts), found) {
      let inside = try part.map { try asked.web.connections(all, in: $0, of: place) } ?? all
      links.append((place, options.limited(inside)))
    }
    let rows = LinkRows(asked.web.entries, links)
    try WebAnswer(
      json: rows.json, rows: rows.rows, table: { rows.table(session.display) }, paths: rows.paths,
      listed: rows.targets
    ).write(options, asked.snapshot, session)
    guard links.allSatisfy(\.links.isEmpty), options.limit != 0 else { return }
    session.say(NothingLinked.line(asked, "has no links", "have no links"))
    throw EarlyExit(code: ExitCode.nothingFound)
  }
}

/// The messages if notes have no connections of a sort.
enum NothingLinked {
  /// A line on one note by its title, or on several.
  static func line(_ asked: WebQuestion, _ one: String, _ several: String) -> String {
    let notes = asked.notes
    guard notes.count == 1 else {
      return notes.isEmpty ? "no notes were named" : "these \(notes.count) notes \(several)"
    }
    return Visible.escape(notes[0].note.title + (asked.parts[0]?.typed ?? "")) + " " + one
  }
}
