import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore

struct Backlinks: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "backlinks", abstract: "List the links to notes, with the sentence around each link.",
    discussion: """
      References of records are listed with their field. Notes are sorted newest first. Links of a note to \
      itself are omitted. REF#HEADING or REF#^block lists the links to that heading or block.

      In a pipe, each row has six columns, separated by tabs: the linking note, the line, the form of the \
      link (wiki, embed, markdown, image, reference, or the field with a colon), the linked note, the title \
      of the linking note, and the sentence. Exit code: 0 if there are links, 1 if there are none.

      Examples:
        slip backlinks kqzmvtrp
        slip backlinks "Fermentation basics" --json
        slip backlinks "Fermentation basics#Sources"
        slip list +food | slip backlinks - --paths
        slip backlinks kqzmvtrp --limit 20
        slip backlinks kqzmvtrp --as-of 2026-11-01

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The notes; - reads them from standard input.", valueName: "ref"))
  var references: [Word] = []

  @OptionGroup var options: WebOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let asked = try WebQuestion(references, of: "backlinks", options, session)
    let web = asked.web
    var found: [(place: Int, linking: [[Connection]])] = []
    for ((place, part), all) in zip(zip(asked.places, asked.parts), web.connections(to: asked.places)) {
      let named = try part.map { try web.connections(all, to: $0, of: place) } ?? all
      found.append((place, web.notes(holding: named, most: options.limit)))
    }
    if options.paths {
      return try writePaths(found.flatMap { $0.linking.map { $0[0].source } }, web, session, asked)
    }
    let rows = BacklinkRows(web.entries, try found.map { ($0.place, try web.sentences(of: $0.linking)) })
    let presenter = NotePresenter(asked.snapshot)
    try WebAnswer(
      json: rows.json, rows: { rows.rows(session.style) },
      table: { try rows.table(presenter, session.display) },
      paths: { [] }, listed: rows.sources
    ).write(options, asked.snapshot, session)
    try refuseNone(found.allSatisfy(\.linking.isEmpty), asked, session)
  }

  /// The paths alone need no text of a note.
  private func writePaths(
    _ places: [Int], _ web: NoteWeb, _ session: Session, _ asked: WebQuestion
  ) throws {
    var seen: Set<Int> = []
    let end: UInt8 = options.nulSeparated ? 0 : UInt8(ascii: "\n")
    for place in places where seen.insert(place).inserted {
      session.console.write(web.entries.path(at: place) + [end])
    }
    try session.console.flush()
    try refuseNone(places.isEmpty, asked, session)
  }

  private func refuseNone(_ isNone: Bool, _ asked: WebQuestion, _ session: Session) throws {
    guard isNone, options.limit != 0 else { return }
    session.say(NothingLinked.line(asked, "has no backlinks", "have no backlinks"))
    throw EarlyExit(code: ExitCode.nothingFound)
  }
}
