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
  /// Gives the titles of records if they are known already; else they are worked out for each list.
  var titles: (@Sendable () -> RecordTitles)?
  /// Whether the rows are beside other panes: the title has room before names, days and tags, and of the path of a note
  /// without an id the folder is shown.
  var isWindow = false

  /// A row a note: that of its kind if all are of one, else name, state, day, title and tags.
  ///
  /// - Parameter kind: the requested kind; nil if the notes themselves decide.
  func listed(_ entries: [Entry], as kind: Kind? = nil) -> [String] {
    if let kind = kind ?? commonKind(of: entries), kind.name != "note", !kind.row.isEmpty {
      return records(entries, of: kind)
    }
    return mixed(entries)
  }

  /// The declared kind of all notes; nil if they are of several or of none.
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
    let isDated = due.contains { !$0.isEmpty }
    let isNarrow = isWindow && (display.width ?? .max) < Self.roomForStateAndDay
    let hasDue = isDated && !isNarrow
    let marks = isWindow ? entries.map(rankMark) : []
    let hasMarks = marks.contains { !$0.isEmpty }
    var (created, title) = (RowLayout.fixed(leaves: 2), RowLayout.title)
    created.leavesEarly = isDated
    title.comfortableWidth = 32
    if isWindow {
      title.minimumWidth = isDated ? RowLayout.windowTitleOfDated : RowLayout.windowTitle
      tags.leavesEarly = isDated
    }
    // Beside other panes the colour of a title shows the state of its record: the date and the sign stay longer.
    let (state, day) = isWindow && hasDue ? (3, 4) : (4, 3)
    let standing = { (entry: Entry, state: RecordState, due: String) -> String in
      let word = counts.standing(of: entry, state)
      return isNarrow ? Self.standing(word, state, due: due) : word
    }
    var table = Table(
      columns: [nameColumn(of: entries), RowLayout.fixed(leaves: state)]
        + (hasDue ? [RowLayout.fixed(leaves: day)] : []) + [created]
        + (hasMarks ? [RowLayout.fixed(leaves: isWindow ? 5 : 3)] : []) + [title, tags], style: style,
      width: display.width)
    for (place, (entry, due)) in zip(entries, due).enumerated() {
      let state = states.state(of: entry)
      let other = state.otherPaint(style)
      let dueCell = Table.Cell(due, paint: state.isOverdue ? style.red : other)
      table.add(
        [
          Table.Cell(name(of: entry)),
          Table.Cell(standing(entry, state, due), paint: state.paint(style)),
        ] + (hasDue ? [dueCell] : []) + [
          Table.Cell(entry.created.civilDate.description, paint: other)
        ] + (hasMarks ? [Table.Cell(marks[place], paint: state.isUrgent ? style.magenta : other)] : []) + [
          Table.Cell(entry.note.title, paint: other),
          Table.Cell(entry.note.tags.map { "#" + $0 }.joined(separator: " ")),
        ])
    }
    return table.lines()
  }

  /// Beside other panes, rows with less room than this have one column for the state and the day.
  private static let roomForStateAndDay = 48
  private static let dueLabel = "due"

  /// The state of a record and the day on which an active one is due: `overdue 11-20`, `open 12-01`, `done`.
  private static func standing(_ word: String, _ state: RecordState, due: String) -> String {
    state.isActive && !due.isEmpty ? word + due.dropFirst(dueLabel.count) : word
  }

  /// The sign of a record's rank, such as its priority, as the row of its kind shows it; empty if it has none.
  private func rankMark(_ entry: Entry) -> String {
    guard let kind = schema.kind(named: entry.kind) else { return "" }
    let column = kind.row.first { column in
      guard case .field(let name) = column.content, !column.symbols.isEmpty else { return false }
      return kind.field(name)?.type == .choice && name != kind.stateField?.name
    }
    return column?.text(for: entry.note, kind: kind, unicode: display.style.unicode, RowSurroundings()) ?? ""
  }

  /// The day on which a record is due, labelled because the day of its creation is beside it; empty if it has none.
  private func dueText(_ entry: Entry) -> String {
    guard let kind = schema.kind(named: entry.kind), kind.field("due")?.type == .date,
      case .date(let day)? = kind.value(of: "due", in: entry.note)
    else { return "" }
    // Beside other panes a date of this year has no year.
    let isThisYear = isWindow && day.year == clock.today.year
    return "\(Self.dueLabel) \(isThisYear ? day.description.dropFirst(5) : day.description[...])"
  }

  /// The rows of one kind: the name, then the columns that the kind declares.
  private func records(_ entries: [Entry], of kind: Kind) -> [String] {
    let (style, states) = (display.style, RecordStates(schema, clock: clock, catalogue))
    let isDated = kind.row.contains { column in
      guard case .field(let name) = column.content, let field = kind.field(name) else { return false }
      return field.type == .date && !field.looksBack
    }
    let leastTitle = isDated ? RowLayout.windowTitleOfDated : RowLayout.windowTitle
    var table = Table(
      columns: [nameColumn(of: entries)]
        + RowLayout.columns(of: kind, unicode: style.unicode, leastTitle: isWindow ? leastTitle : nil),
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

  /// The paint of a cell: the state and the marks show the state of the record.
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

  /// The part around the match that fits into the width, with the match highlighted.
  package func shown(_ display: Display) -> String {
    let style = display.style
    return fitted(to: max(1, display.width ?? .max), mark: style.ellipsis).shown(style)
  }

  /// The text with the matches highlighted.
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

extension PastDeletion {
  /// The program that deleted the note: the command of slip, or git for all others.
  var maker: String { command ?? "git" }
}

/// Deleted notes as rows on a terminal.
extension NoteRows {
  /// A row a note: its name, when and by which command it was deleted, its title and its tags.
  func deleted(_ entries: [Entry], _ deletion: (Entry) -> PastDeletion?) -> [String] {
    let style = display.style
    var (command, tags) = (RowLayout.fixed(leaves: 2), RowLayout.text(leaves: 1))
    (command.paint, tags.paint) = (style.dim, style.dim)
    var table = Table(
      columns: [nameColumn(of: entries), RowLayout.fixed(leaves: 3), command, RowLayout.title, tags],
      style: style, width: display.width)
    for entry in entries {
      let deletion = deletion(entry)
      table.add([
        Table.Cell(name(of: entry)),
        Table.Cell(deletion?.time.civilDate.description ?? ""),
        Table.Cell(deletion?.maker ?? ""),
        Table.Cell(entry.note.title),
        Table.Cell(entry.note.tags.map { "#" + $0 }.joined(separator: " ")),
      ])
    }
    return table.lines()
  }
}

/// The notes that have to do with some notes, as lines under each of them: those that block it and that it blocks, the
/// records that refer to it, and the notes that link to it.
struct NeighbourLines {
  private let blockers: [[Entry]]
  private let blocked: [[Entry]]
  private let referrers: [[Entry]]
  private let linking: [[Entry]]
  private let rows: NoteRows

  /// The most notes that are named in one list.
  private static let most = 50

  /// - Parameter rows: how the notes are shown.
  init(of entries: [Entry], _ snapshot: BoxSnapshot, _ rows: NoteRows) throws(SlipboxError) {
    let all = try snapshot.catalogue().entries
    let (referrers, states) = (
      try RecordTable(in: snapshot).referrers(of: entries),
      RecordStates(rows.schema, clock: rows.clock, rows.catalogue)
    )
    let isActive = { (entry: Entry) in states.state(of: entry).isActive }
    let blocking = try RecordDependencies(in: snapshot).notes(of: entries)
    let blocked = blocking.map(\.blocked)
    blockers = blocking.map(\.blockers)
    self.blocked = blocked
    self.referrers = zip(referrers, blocked).map { referrers, blocked in
      let known = Set(blocked.map(\.note.path))
      let others = referrers.filter { !known.contains($0.note.path) }
      return others.filter(isActive) + others.filter { !isActive($0) }
    }
    let backlinks = try snapshot.linkGraph().backlinks(to: entries.map { .note($0.note) })
    linking = zip(backlinks, referrers).map { places, referrers in
      let known = Set(referrers.map(\.note.path))
      return places.filter { !known.contains(all.path(at: $0)) }.map { all[$0] }
    }
    self.rows = rows
  }

  /// The lines under the note of a number.
  func lines(ofNote number: Int) -> [String] {
    list("blocked by", blockers[number]) + list("blocks", blocked[number])
      + list("referred to by", referrers[number]) + list("linked from", linking[number])
  }

  private func list(_ title: String, _ entries: [Entry]) -> [String] {
    guard !entries.isEmpty else { return [] }
    let style = rows.display.style
    let shown = rows.mixed(Array(entries.prefix(Self.most))).map { "  " + $0 }
    let more = entries.count > Self.most ? ["  " + style.dim("and \(entries.count - Self.most) more")] : []
    return ["", style.dim("\(title) \(entries.count == 1 ? "1 note" : "\(entries.count) notes")")] + shown
      + more
  }
}

extension Snippet {
  /// The part around the first highlight that fits into a number of cells.
  ///
  /// - Parameter mark: the sign for the omitted text, at either end.
  func fitted(to room: Int, mark: String) -> Snippet {
    guard CellWidth.of(Visible.escape(text)) > room else { return self }
    let bytes = Array(text.utf8)
    let letters = text.map { (bytes: $0.utf8.count, cells: CellWidth.of(Visible.escape(String($0)))) }
    let hit = highlights.first ?? 0..<0
    let markWidth = CellWidth.of(mark)
    var start = 0
    var first = 0
    // If the highlight would not fit after the beginning, the text before it gets a third of the room.
    if CellWidth.of(Visible.escape(bytes[..<min(hit.upperBound, bytes.count)])) > room - markWidth {
      var before = CellWidth.of(Visible.escape(bytes[..<min(hit.lowerBound, bytes.count)]))
      while first < letters.count, before > room / 3, start + letters[first].bytes <= hit.lowerBound {
        start += letters[first].bytes
        before -= letters[first].cells
        first += 1
      }
    }
    var end = start
    var left = room - (start > 0 ? markWidth : 0)
    let rest = letters[first...].reduce(0) { $0 + $1.cells }
    let isWhole = rest <= left
    if !isWhole { left -= markWidth }
    for letter in letters[first...] {
      guard isWhole || letter.cells <= left else { break }
      left -= letter.cells
      end += letter.bytes
    }
    let opening = start > 0 ? mark : ""
    let shift = opening.utf8.count - start
    let shown = highlights.filter { $0.lowerBound >= start && $0.lowerBound < end }.map {
      ($0.lowerBound + shift)..<(min($0.upperBound, end) + shift)
    }
    let part = String(decoding: bytes[start..<end], as: UTF8.self)
    return Snippet(line: line, text: opening + part + (isWhole ? "" : mark), highlights: shown)
  }
}
