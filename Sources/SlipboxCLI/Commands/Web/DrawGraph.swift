import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore

/// The command `slip graph`.
struct DrawGraph: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Show the graph of notes and links: counts, a web page, JSON or DOT.",
    discussion: """
      Each argument is a query term that selects notes; all by default. --depth N adds the notes within N \
      links, in both directions. References of records and links in front matter are edges with the name of \
      their field.

      Without an output option, prints counts: notes, links, references by field, notes without links to \
      them, broken and ambiguous links, the most linked notes and the largest connected components. --html \
      writes a self-contained page: search with /, drag, zoom, filter by tag, click a note for its links and \
      backlinks. Notes open by their path on this machine. --dot is for Graphviz. Exit code: 0 if notes \
      match, 1 if none does.

      Examples:
        slip graph
        slip graph --html > graph.html
        slip graph +food --depth 1 --dot > food.dot
        slip graph links:kqzmvtrp --depth 2 --json
        slip graph created:2026 --as-of 2026-11-01

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The notes; all by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.depth), parsing: .unconditional,
    help: ArgumentHelp("Include notes up to this many links away.", valueName: "n"))
  var depth = 0

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.dot), help: "As Graphviz DOT.")
  var dot = false

  @Flag(name: .option(.html), help: "As a web page in one HTML file.")
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
