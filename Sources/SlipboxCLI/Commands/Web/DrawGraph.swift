import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore

/// The command `slip graph`.
struct DrawGraph: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Notes and the links between them: in numbers, as a page, for other programs.",
    discussion: """
      Each argument is a term of a query: which notes; all by default. With --depth N the notes are added that are N links \
      away from these or fewer, in either direction. The fields by which records refer to others, and links in \
      front-matter, are connections with the name of their field.

      Without a form it is counted: notes, links, connections of each field, notes that none of these links to, broken and \
      ambiguous links, the most linked notes and the largest groups that hang together. --html is one page that asks for \
      nothing outside of it: search with /, drag, zoom, filter by tag, click a note to see what it links to and what links \
      to it. A note is opened there by its path on this machine. --dot is for Graphviz. Exits 1 where there is no note.

      Examples:
        slip graph
        slip graph --html > graph.html
        slip graph +food --depth 1 --dot > food.dot
        slip graph links:kqzmvtrp --depth 2 --json
        slip graph created:2026 --as-of 2026-11-01

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("Which notes; all by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.depth), parsing: .unconditional,
    help: ArgumentHelp("Also the notes so many links away.", valueName: "n"))
  var depth = 0

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.dot), help: "In the language of Graphviz.")
  var dot = false

  @Flag(name: .option(.html), help: "As a page, one file of HTML.")
  var html = false

  @OptionGroup var past: PastOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let forms: [(OptionName, Bool)] = [(.json, json), (.dot, dot), (.html, html)]
    guard forms.filter(\.1).count <= 1 else {
      throw ValidationError("Choose one of \(Sentence.list(forms.map(\.0.typed))).")
    }
    guard depth >= 0 else { throw ValidationError("\(OptionName.depth.typed) takes a number from 0.") }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    let query = try snapshot.query(query.texts)
    let asked = self.query.isEmpty ? nil : try snapshot.matches(query).map(\.place)
    let web = try NoteWeb(snapshot)
    let graph = web.graph(of: asked, depth: depth)
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    session.say(graph.places.isEmpty ? hints.emptyList(isQueried: !self.query.isEmpty) : hints.unknownNames())
    try write(graph, query, web, snapshot, session)
    try snapshot.refuseUnreadTexts()
    if graph.places.isEmpty { throw EarlyExit(code: ExitCode.nothingFound) }
  }

  private func write(
    _ graph: WebGraph, _ query: Query, _ web: NoteWeb, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    if json { return try session.console.print(bytes: graph.json()) }
    if dot { return try session.console.print(bytes: GraphDOT(graph).bytes()) }
    if html {
      let title = self.query.isEmpty ? "All notes" : query.described()
      let root = snapshot.source == .workTree ? snapshot.box.root : nil
      return try session.console.print(bytes: GraphPage(graph, title: title, root: root).bytes())
    }
    guard !graph.places.isEmpty else { return }
    let lines = SummaryLines(try web.summary(of: graph), web.entries)
    guard session.display.isTerminal else { return try session.console.print(lines.rows()) }
    try session.page(lines.lines(session.display))
  }
}
