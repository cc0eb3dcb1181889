import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Links: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "links", abstract: "What notes link to: notes, files, addresses, and what is not there.",
    discussion: """
      Every link of the text and of the front-matter is listed with its line, and every value of a field that refers to a \
      record. A link that leads to nothing is broken, one that fits several notes ambiguous; slip broken lists these of \
      all notes.

      In a pipe each row has six columns with tabs between them: what it leads to (id or path, address, or the target as it \
      is written), note, file, url, ambiguous or broken, the note that holds the link, the line, how it is written (wiki, \
      embed, markdown, image, reference, or the field with a colon), and the title. Exits 1 where there are none.

      Examples:
        slip links kqzmvtrp
        slip links "Fermentation basics" --json
        slip list +food | slip links -
        slip links kqzmvtrp --paths
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
    let links = zip(asked.places, found).map { (place: $0, links: options.limited($1)) }
    let rows = LinkRows(asked.web.entries, links)
    try WebAnswer(
      json: rows.json, rows: rows.rows, table: { rows.table(session.display) }, paths: rows.paths,
      listed: rows.targets
    ).write(options, asked.snapshot, session)
    guard links.allSatisfy(\.links.isEmpty), options.limit != 0 else { return }
    session.say(NothingLinked.line(asked.notes, "links to nothing", "link to nothing"))
    throw EarlyExit(code: ExitCode.nothingFound)
  }
}

/// What is said where notes have no connections of a sort.
enum NothingLinked {
  /// A line on one note by its title, or on several.
  static func line(_ notes: [Entry], _ one: String, _ several: String) -> String {
    guard notes.count == 1 else {
      return notes.isEmpty ? "no notes were named" : "these \(notes.count) notes \(several)"
    }
    return "\(Visible.escape(notes[0].note.title)) \(one)"
  }
}
