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
