import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The command `slip chart`.
struct DrawChart: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart", abstract: "How many notes fitted a query over time, from history.",
    discussion: """
      Each point is the box as the last commit of that day left it, or that of an earlier day: on the branch of HEAD, by \
      its first parents. The query is asked with the kinds and filters of that commit, and today is that day; where it \
      names what did not exist yet, the point counts 0. The last point is now. What is not committed does not count.

      --by parts the notes by the values of a field: a choice in its declared order, other values by how many have them, \
      all but the first seven together as "other"; a note without the field counts as "none", or as the default of its \
      kind. With --by tags a note counts once for each of its tags.

      A week ends on Sunday, a month on its last day. Without --every the step is chosen so that the chart has 20 to 100 \
      points, without --since it begins with the first commit. On a terminal a plot is drawn; in a pipe each line is a \
      date, a value and a count, with tabs between them.

      Examples:
        slip chart kind:issue --by status
        slip chart kind:book --by status --since 2025-01 --every month
        slip chart --every week --csv
        slip chart +food --by tags --since 90d --json
        slip chart is:active kind:task --by priority --svg > tasks.svg
      """)

  @Argument(help: ArgumentHelp("Which notes to count; all by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.by), parsing: .unconditional,
    help: ArgumentHelp("Part them by the values of this field.", valueName: "field"))
  var by: Word?

  @OptionGroup var days: DayOptions

  @Option(
    name: .option(.every), parsing: .unconditional,
    help: ArgumentHelp("A point every day, week or month.", valueName: "step"))
  var every: StepName?

  @Flag(name: .option(.csv), help: "Comma-separated values: a row a point, a column a value.")
  var csv = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.svg), help: "As a picture, one file of SVG.")
  var svg = false

  @OptionGroup var global: GlobalOptions

  /// A step as it is typed.
  enum StepName: String, ExpressibleByArgument, CaseIterable {
    case day, week, month
  }

  func validate() throws {
    let forms: [(OptionName, Bool)] = [(.csv, csv), (.json, json), (.svg, svg)]
    guard forms.filter(\.1).count <= 1 else {
      throw ValidationError("Choose one of \(Sentence.list(forms.map(\.0.typed))).")
    }
    guard by?.text.isEmpty != true else { throw ValidationError("\(OptionName.by.typed) takes a field.") }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let clock = session.context.clock
    let request = ChartRequest(
      query: query.texts, field: by?.text, first: try days.first(clock), last: try days.last(clock),
      step: every.flatMap { ChartStep(rawValue: $0.rawValue) })
    let chart = try session.showingProgress {
      try ChartReader(snapshot.box, session.context).chart(request)
    }
    if chart.isCut { session.sayIfShallow(snapshot) }
    session.say(hints(chart, snapshot))
    if json { return try session.console.print(bytes: ChartRows(chart).json()) }
    if csv { return try session.console.print(verbatim: ChartRows(chart).csv()) }
    if svg { return try session.console.print(verbatim: ChartSVG(chart).bytes()) }
    guard let width = session.width else { return try session.console.print(ChartRows(chart).lines()) }
    guard !chart.isEmpty else { return }
    try session.console.print(ChartPlot(chart, session.style, width: width).lines())
  }

  /// Why there is nothing to see, or nothing to tell apart.
  private func hints(_ chart: SlipboxCore.Chart, _ snapshot: BoxSnapshot) -> [String] {
    if chart.isEmpty {
      let none = "no committed note fitted the query at any of these moments"
      // A query that can be read in the past alone has no names of now.
      guard let query = try? snapshot.query(query.texts) else { return [none] }
      return [none] + QueryHints(query, in: snapshot).unknownNames()
    }
    guard let field = chart.field, chart.series.allSatisfy({ $0.meaning == .absent }) else { return [] }
    let known = snapshot.schema().kinds.flatMap(\.fieldOrder)
    let near = known.contains { $0.isSameName(as: field) } ? nil : Spelling.nearest(to: field, among: known)
    return ["none of these notes has \(Visible.escape(field))" + (near.map { "; did you mean \($0)" } ?? "")]
  }
}
