package import NoteIndex
package import Notes
package import SlipboxCore
import Text

/// An agenda as lines for a terminal, as rows for a pipe and as JSON.
package struct AgendaRows {
  private let agenda: Agenda
  private let presenter: NotePresenter

  package init(_ agenda: Agenda, _ presenter: NotePresenter) {
    self.agenda = agenda
    self.presenter = presenter
  }

  /// The records in the order of the lines.
  package var entries: [Entry] { agenda.sections.flatMap(\.items).map(\.note.entry) }

  /// The name of a part for programs: overdue, today, tomorrow, a date, later or none.
  private func name(_ part: Agenda.Part) -> String {
    switch part {
    case .overdue: "overdue"
    case .day(agenda.today): "today"
    case .day(agenda.today.adding(days: 1)): "tomorrow"
    case .day(let day): day.description
    case .later: "later"
    case .undated: "none"
    }
  }

  /// The heading of a part for people.
  private func heading(_ section: Agenda.Section, _ style: Style) -> String {
    let (title, date) = Self.title(section.part, today: agenda.today)
    let rest = [date, String(section.count)].filter { !$0.isEmpty }.joined(separator: ", ")
    return style.bold(title) + style.dim("  \(rest)")
  }

  /// The title of a part, and the date beside it.
  package static func title(_ part: Agenda.Part, today: CivilDate) -> (title: String, date: String) {
    switch part {
    case .overdue: return ("Overdue", "")
    case .day(let day):
      let weekday = DateInterval.weekdays[day.weekday - 1].capitalizedASCII
      let distance = day.dayNumber - today.dayNumber
      let title = distance == 0 ? "Today" : distance == 1 ? "Tomorrow" : weekday
      return (title, distance < 2 ? "\(weekday) \(day)" : day.description)
    case .later: return ("Later", "")
    case .undated: return ("No date", "")
    }
  }

  /// Why a record is listed, and the due date that was put off or can't be read.
  package static func remark(_ item: Agenda.Item) -> String {
    let reasons = item.reasons.compactMap(\.word)
    let due = item.putOffFrom.map { ["due \($0)"] } ?? []
    let faults = item.unreadable.map { "\($0.field): \(Visible.escape($0.value)) is not a date" }
    return (reasons + due + faults).joined(separator: ", ")
  }

  /// The places of the records that wait for another one.
  private var blocked: Set<Int> {
    guard let query = try? presenter.snapshot.query(["is:blocked"]),
      let matches = try? presenter.snapshot.matches(query)
    else { return [] }
    return Set(matches.map(\.place))
  }

  /// The time of the day; empty without a time.
  package static func time(_ item: Agenda.Item) -> String {
    item.secondOfDay.map { DatedLine.time($0) } ?? ""
  }

  /// The agenda as lines of a terminal.
  package func lines(_ display: Display) throws(SlipboxError) -> [String] {
    let style = display.style
    let rows = try presenter.rows(display.indented)
    let blocked = blocked
    var (reasons, tags) = (RowLayout.text(leaves: 2), RowLayout.text(leaves: 1))
    (reasons.paint, tags.paint) = (style.dim, style.dim)
    var table = Table(
      columns: [
        rows.nameColumn(of: entries), RowLayout.fixed(leaves: 3), RowLayout.fixed(leaves: 4), RowLayout.title,
        reasons, tags,
      ],
      style: style, width: display.indented.width)
    for section in agenda.sections {
      for item in section.items {
        let isOverdue = section.part == .overdue
        let needsDay = isOverdue || section.part == .later
        let when = [needsDay ? item.day?.description ?? "" : "", Self.time(item)].filter { !$0.isEmpty }
        table.add([
          Table.Cell(rows.name(of: item.note.entry)),
          Table.Cell(when.joined(separator: " "), paint: isOverdue ? style.red : nil),
          Table.Cell(blocked.contains(item.note.match.place) ? style.unicode ? "⊠" : "[-]" : ""),
          Table.Cell(item.note.names.title),
          Table.Cell(Self.remark(item)),
          Table.Cell(item.note.tags.map { "#" + $0 }.joined(separator: " ")),
        ])
      }
    }
    let cells = table.lines()
    var (lines, place): ([String], Int) = ([], 0)
    for section in agenda.sections {
      if !lines.isEmpty { lines.append("") }
      lines.append(heading(section, style))
      lines += cells[place..<place + section.items.count].map { "  " + $0 }
      place += section.items.count
      if section.count > section.items.count {
        let hint = agenda.isLimited ? "" : "; --all shows them"
        lines.append("  " + style.dim("and \(section.count - section.items.count) more\(hint)"))
      }
    }
    return lines
  }

  /// A row for each record with tabs between its columns: the part, the day, the time, the reasons, the id or path, and the
  /// title; and of a record that was put off, the day on which it is due.
  ///
  /// In place of the day, a value that is not a date has a question mark before it, and the reasons are its field.
  package func rows() -> [String] {
    agenda.sections.flatMap { section in
      section.items.map { item in
        let fault = item.unreadable.map { "?\($0.value)" }.joined(separator: ",")
        let reasons = item.reasons.map(\.rawValue) + item.unreadable.map(\.field)
        return NoteColumns.row(
          [
            name(section.part), item.day?.description ?? fault, Self.time(item),
            reasons.joined(separator: ","), item.note.name, item.note.names.title,
          ] + (item.putOffFrom.map { [$0.description] } ?? []))
      }
    }
  }

  /// `{"schema": 2, "today": "2026-11-27", "sections": [{"name": "overdue", "count": 1, "items": [...]}]}`.
  package func json() -> [UInt8] {
    let blocked = blocked
    return JSONDocument.object { writer in
      writer.member("today", agenda.today.description)
      writer.member("sections", of: agenda.sections) { section, writer in
        writer.object { writer in
          writer.member("name", name(section.part))
          if case .day(let day) = section.part { writer.member("date", day.description) }
          writer.member("count", section.count)
          writer.member("items", of: section.items) { item, writer in
            writer.object { Self.write(item, isBlocked: blocked.contains(item.note.match.place), to: &$0) }
          }
        }
      }
    }
  }

  private static func write(_ item: Agenda.Item, isBlocked: Bool, to writer: inout JSONWriter) {
    writer.names(of: item.note.names)
    writer.member("kind", item.note.kind)
    writer.member("date", item.day?.description)
    writer.member("time", item.secondOfDay.map { DatedLine.time($0) })
    writer.key("for")
    writer.strings(item.reasons.map(\.rawValue))
    writer.member("due", item.putOffFrom?.description)
    if isBlocked { writer.member("blocked", true) }
    if !item.unreadable.isEmpty {
      writer.member("unreadable", of: item.unreadable) { fault, writer in
        writer.object { writer in
          writer.member("field", fault.field)
          writer.member("value", fault.value)
        }
      }
    }
    writer.key("tags")
    writer.strings(item.note.tags)
  }

  /// The agenda as Markdown: a heading for each part, a list of links under it.
  package func markdown(_ link: (Entry) -> String) -> [String] {
    agenda.sections.filter { !$0.items.isEmpty }.flatMap { section -> [String] in
      ["**\(heading(section, .plain))**", ""]
        + section.items.map { item in
          let needsDay = section.part == .overdue || section.part == .later
          let when = [needsDay ? item.day?.description ?? "" : "", Self.time(item)].filter { !$0.isEmpty }
          return "- " + (when + [link(item.note.entry)]).joined(separator: " ")
        } + (section.count > section.items.count ? ["- and \(section.count - section.items.count) more"] : [])
        + [""]
    }
  }
}

extension Agenda.Reason {
  /// The word beside a record; nil for a date on which it is due.
  fileprivate var word: String? {
    switch self {
    case .due: nil
    case .scheduled: "scheduled"
    case .myDay: "My Day"
    case .wait: "waits until then"
    case .recur: "recurs"
    }
  }
}

extension String {
  /// The text with a capital first letter.
  fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
