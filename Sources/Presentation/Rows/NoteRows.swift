import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

/// Notes as rows on a terminal.
struct NoteRows {
  let display: Display
  let catalogue: Catalogue
  let schema: Schema
  let clock: ClockReading
  /// Gives the titles of records where they are known already; else they are worked out for each list.
  var titles: (@Sendable () -> RecordTitles)?
  /// Whether the rows are beside other panes: the title has room before names, days and tags, and of the path of a note
  /// without an id the folder is shown.
  var isWindow = false

  /// A row a note: that of its kind where all are of one, else name, state, day, title and tags.
  ///
  /// - Parameter kind: the kind that was asked for; nil where the notes themselves tell.
  func listed(_ entries: [Entry], as kind: Kind? = nil) -> [String] {
    if let kind = kind ?? commonKind(of: entries), kind.name != "note", !kind.row.isEmpty {
      return records(entries, of: kind)
    }
    return mixed(entries)
  }

  /// The declared kind of all notes; nil where they are of several or of none.
  func commonKind(of entries: [Entry]) -> Kind? {
    guard let first = entries.first, entries.allSatisfy({ $0.kind == first.kind }) else { return nil }
    return schema.kind(named: first.kind)
  }

  /// A row that notes of all kinds share.
  func mixed(_ entries: [Entry]) -> [String] {
    let (style, states) = (display.style, RecordStates(schema, clock: clock, catalogue))
    let counts = CountWords(entries, schema) { allTitles }
    var tags = RowLayout.text(leaves: 1)
    tags.paint = style.dim
    let due = entries.map(dueText)
    let hasDue = due.contains { !$0.isEmpty }
    var (created, title) = (RowLayout.fixed(leaves: 2), RowLayout.title)
    created.leavesEarly = hasDue
    title.comfortableWidth = 32
    if isWindow { title.minimumWidth = RowLayout.windowTitle }
    var table = Table(
      columns: [nameColumn(of: entries), RowLayout.fixed(leaves: 4)]
        + (hasDue ? [RowLayout.fixed(leaves: 3)] : []) + [created, title, tags], style: style,
      width: display.width)
    for (entry, due) in zip(entries, due) {
      let state = states.state(of: entry)
      let other = state.otherPaint(style)
      let dueCell = Table.Cell(due, paint: state.isOverdue ? style.red : other)
      table.add(
        [
          Table.Cell(name(of: entry)),
          Table.Cell(counts.standing(of: entry, state), paint: state.paint(style)),
        ] + (hasDue ? [dueCell] : []) + [
          Table.Cell(entry.created.civilDate.description, paint: other),
          Table.Cell(entry.note.title, paint: other),
          Table.Cell(entry.note.tags.map { "#" + $0 }.joined(separator: " ")),
        ])
    }
    return table.lines()
  }

  /// The day on which a record is due, labelled because the day of its creation is beside it; empty if it has none.
  private func dueText(_ entry: Entry) -> String {
    guard let kind = schema.kind(named: entry.kind), kind.field("due")?.type == .date,
      case .date(let day)? = kind.value(of: "due", in: entry.note)
    else { return "" }
    return "due \(day)"
  }

  /// The rows of one kind: the name, then the columns that the kind declares.
  private func records(_ entries: [Entry], of kind: Kind) -> [String] {
    let (style, states) = (display.style, RecordStates(schema, clock: clock, catalogue))
    var table = Table(
      columns: [nameColumn(of: entries)]
        + RowLayout.columns(
          of: kind, unicode: style.unicode, leastTitle: isWindow ? RowLayout.windowTitle : nil),
      style: style, width: display.width)
    let texts = RecordRow(kind, allTitles, states, unicode: style.unicode)
    for entry in entries {
      let state = states.state(of: entry)
      let cells = zip(kind.row, texts.cells(of: entry)).map { column, text in
        Table.Cell(text, paint: paint(column, of: kind, state))
      }
      table.add([Table.Cell(name(of: entry))] + cells)
    }
    return table.lines()
  }

  private var allTitles: RecordTitles { titles?() ?? RecordTitles(catalogue.entries, schema) }

  /// The paint of a cell: the state and the marks say how the record stands.
  private func paint(_ column: RowColumn, of kind: Kind, _ state: RecordState) -> Table.Paint? {
    let style = display.style
    guard case .field(let name) = column.content else { return state.otherPaint(style) }
    if name == kind.stateField?.name { return state.isActive ? nil : state.isOpen ? style.dim : style.green }
    if state.isOverdue, name == "due" { return style.red }
    if state.isUrgent, !column.symbols.isEmpty { return style.magenta }
    return state.otherPaint(style)
  }

  func nameColumn(of entries: [Entry]) -> Table.Column {
    let style = display.style
    var column = RowLayout.name(display.width, isAlone: entries.allSatisfy { $0.note.id == nil }) {
      $0.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") } ? style.dim($0) : style.bold($0)
    }
    if isWindow { column.leaves = 2 }
    return column
  }

  /// The letters that it takes to name a note, or the path of one without an id.
  func name(of entry: Entry) -> String {
    guard let id = entry.note.id else {
      let path = isWindow ? BytePath.folder(of: entry.note.path) : entry.note.path
      return String(decoding: path, as: UTF8.self)
    }
    // Letters that are enough today may not be tomorrow: programs get all of them.
    guard display.isTerminal else { return id.description }
    return String(id.description.prefix(max(Self.shortestName, catalogue.shortestPrefix(of: id))))
  }

  /// One letter alone names no note.
  private static let shortestName = 2

  /// A row a note, and under it the lines that were found.
  func found(_ matches: [Match], as kind: Kind?) -> [String] {
    var lines: [String] = []
    for (row, match) in zip(listed(matches.map(\.entry), as: kind), matches) {
      lines.append(row)
      for snippet in match.snippets { lines.append(snippet.line(display)) }
    }
    return lines
  }
}

extension Snippet {
  /// The line under the row of its note, with its number.
  func line(_ display: Display) -> String {
    let style = display.style
    let number = "\(line):"
    let room = display.width.map { max(1, $0 - number.utf8.count - 3) } ?? .max
    return "  " + style.dim(number) + " " + fitted(to: room, mark: style.ellipsis).shown(style)
  }

  /// The text with what was found marked.
  func shown(_ style: Style) -> String {
    let bytes = Array(text.utf8)
    var line = ""
    var position = 0
    for hit in highlights where hit.lowerBound >= position && hit.upperBound <= bytes.count {
      line += Visible.escape(bytes[position..<hit.lowerBound])
      line += style.bold(style.red(Visible.escape(bytes[hit])))
      position = hit.upperBound
    }
    return line + Visible.escape(bytes[position...])
  }
}
