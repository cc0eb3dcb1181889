import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The command `slip chart`.
struct DrawChart: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart", abstract: "Chart the number of notes that matched a query over time.",
    discussion: """
      Each point is the state of the last commit up to the end of that day, along first parents of HEAD. The \
      query uses the kinds and filters of that commit, with that day as today. If the query names a kind or \
      field that did not exist yet, the point is 0. The last point is the present. Uncommitted changes are \
      not counted.

      --by groups the notes by the values of a field. Choices keep their declared order, other values are \
      sorted by count; all but the first seven are combined as "other". Notes without the field are counted \
      as "no FIELD", or as the default of their kind. With --by tags, a note is counted once for each of its \
      tags.

      Weeks end on Sunday, months on their last day. The default of --every gives 20 to 100 points, the \
      default of --since is the first commit. --columns draws an aggregate of slip table in place of the \
      number of notes; with --by, one that adds up: count, sum(f), filled(f) or empty(f). Aggregates are rounded to two \
      decimals; CSV and JSON have four. On a terminal, the chart is a plot. In a pipe, each line has a \
      date, a value and a count, separated by tabs.

      Examples:
        slip chart kind:issue --by status
        slip chart kind:book --by status --since 2025-01 --every month
        slip chart kind:book --columns 'sum(pages)' --by status
        slip chart --every week --csv
        slip chart +food --by tags --since 90d --json
        slip chart is:active kind:task --by priority --svg > tasks.svg
      """)

  @Argument(help: ArgumentHelp("The notes to count; all by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.by), parsing: .unconditional,
    help: ArgumentHelp("Group the notes by the values of this field.", valueName: "field"))
  var by: Word?

  @Option(
    name: .option(.columns), parsing: .unconditional,
    help: ArgumentHelp("Draw this aggregate: sum(pages), percent(active).", valueName: "aggregate"))
  var columns: Word?

  @OptionGroup var days: DayOptions

  @Option(
    name: .option(.every), parsing: .unconditional,
    help: ArgumentHelp("A point every day, week, month, quarter or year.", valueName: "step"))
  var every: StepName?

  @Flag(name: .option(.csv), help: "Print CSV: one row per point, one column per value.")
  var csv = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.svg), help: "Print an SVG image.")
  var svg = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let forms: [(OptionName, Bool)] = [(.csv, csv), (.json, json), (.svg, svg)]
    guard forms.filter(\.1).count <= 1 else {
      throw ValidationError("Choose one of \(Sentence.list(forms.map(\.0.typed))).")
    }
    guard by?.text.isEmpty != true else { throw ValidationError("\(OptionName.by.typed) takes a field.") }
  }

  func run(in session: Session) throws {
    if let by, by.text.contains("(") {
      let group = Visible.escape(by.text)
      throw SlipboxError(
        .usage, "\(OptionName.by.typed): a chart groups by a field, not by \(group)",
        hints: ["slip table \(OptionName.by.typed) \(ShellWord.quoted(by.text)) groups by it"])
    }
    let snapshot = try session.openBox()
    let clock = session.context.clock
    let request = ChartRequest(
      query: query.texts, field: by?.text, column: try column(), first: try days.first(clock),
      last: try days.last(clock), step: every?.step)
    let chart = try session.showingProgress {
      try ChartReader(snapshot.box, session.context).chart(request)
    }
    if chart.isCut { session.sayIfShallow(snapshot) }
    try session.sayIfUncommitted(snapshot, lastDay: try days.last(clock))
    session.say(hints(chart, snapshot))
    if json { return try session.console.print(bytes: ChartRows(chart).json()) }
    if csv { return try session.console.print(verbatim: ChartRows(chart).csv()) }
    if svg { return try session.console.print(verbatim: ChartSVG(chart).bytes()) }
    guard let width = session.width else { return try session.console.print(ChartRows(chart).lines()) }
    guard !chart.isEmpty else { return }
    try session.console.print(ChartPlot(chart, session.style, width: width).lines())
  }

  /// The aggregate to draw.
  private func column() throws(SlipboxError) -> TableColumn? {
    guard let columns else { return nil }
    return try TableColumn.readAggregate(columns.text, isGrouped: by != nil)
  }

  /// How many values of the notes of now the aggregate leaves out; nil if the query can't be read now.
  private func skippedValues(_ snapshot: BoxSnapshot) -> [String]? {
    guard let column = try? column(), let query = try? snapshot.query(query.texts),
      let matches = try? snapshot.matches(query)
    else { return nil }
    return (try? TableAggregates.skippedValues(of: column, in: matches, snapshot))?.map(\.description)
  }

  /// The reasons why the chart is empty or has only one value.
  private func hints(_ chart: SlipboxCore.Chart, _ snapshot: BoxSnapshot) -> [String] {
    if chart.isEmpty {
      if let lines = skippedValues(snapshot), !lines.isEmpty { return lines }
      let none =
        chart.column == nil || chart.points.allSatisfy { !$0.hasTotal }
        ? "no committed note matched the query at any of these times"
        : "the aggregate is 0 at all of these times"
      // A query that can be read in the past alone has no names of now.
      guard let query = try? snapshot.query(query.texts) else { return [none] }
      return [none] + QueryHints(query, in: snapshot).unknownNames()
    }
    if let lines = skippedValues(snapshot), !lines.isEmpty { return lines }
    guard let field = chart.field, chart.series.allSatisfy({ $0.meaning == .absent }) else { return [] }
    let known = snapshot.schema().kinds.flatMap(\.fieldOrder)
    let near = known.contains { $0.isSameName(as: field) } ? nil : Spelling.nearest(to: field, among: known)
    return ["none of these notes has \(Visible.escape(field))" + (near.map { "; did you mean \($0)" } ?? "")]
  }
}
