package import NoteIndex
package import Notes
import Text

/// The notes of a view by the days of a date field.
package struct NoteCalendar: Sendable {
  package struct Item: Sendable {
    package let match: Match
    /// Whether the day is the present value of the field: an earlier day that a list stores can't be moved.
    package let isCurrent: Bool
  }

  package let field: String
  /// Whether a note can be moved to another day; false for a field that every note has.
  package let isMovable: Bool
  package let today: CivilDate
  /// The first day of the month that is shown.
  package let month: CivilDate
  /// The number of notes.
  package let total: Int
  /// The number of notes without a day.
  package let undated: Int
  private var days: [CivilDate: [Item]] = [:]

  /// - Throws: `.usage` for an aggregate as the field.
  /// - Parameter month: a day of the month that is shown; nil for the current one.
  package init(_ view: View, _ notes: ViewNotes, month: CivilDate? = nil, in snapshot: BoxSnapshot) throws {
    let by = try TableColumn.readGroup(view.by ?? "due")
    try Self.refuseOtherField(by, in: snapshot)
    let values = try TableValues(snapshot)
    field = by.text
    isMovable = by.expression.plainField.map { !TableColumn.isKnown($0) } ?? false
    today = snapshot.clock.today
    let shown = month ?? today
    self.month = shown.adding(days: 1 - shown.day)
    total = notes.matches.count
    var undated = 0
    for group in try NoteGroup.groups(notes.matches, by: by, in: snapshot) {
      guard let day = group.value?.date else {
        undated += group.matches.count
        continue
      }
      days[day, default: []] += group.matches.map { match in
        let isCurrent = values.values(of: by.expression, in: match).contains { $0.date == day }
        return Item(match: match, isCurrent: isCurrent)
      }
    }
    self.undated = undated
  }

  /// Refuses a field that kinds declare, but none as a date.
  private static func refuseOtherField(
    _ column: TableColumn, in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    guard let name = column.expression.plainField, !["created", "modified"].contains(name) else { return }
    let fields = snapshot.schema().kinds.flatMap(\.fields)
    let declared = fields.filter { $0.name.isSameName(as: name) }
    guard TableColumn.isKnown(name) || !declared.isEmpty, !declared.contains(where: \.isTime) else { return }
    let dates = Set(fields.filter(\.isTime).map(\.name) + ["created", "modified"]).sorted()
    throw column.place.refusal(
      "\(name) is not a date",
      hints: ["the dates are: \(dates.joined(separator: ", "))"])
  }

  /// Returns the notes of a day in their order.
  package func items(on day: CivilDate) -> [Item] { days[day] ?? [] }

  /// The days of the month that is shown.
  package var daysOfMonth: [CivilDate] {
    (0..<CivilDate.days(inMonth: month.month, of: month.year)).map { month.adding(days: $0) }
  }

  /// Returns the number of notes in later or earlier months, and the day of the nearest one.
  package func others(areLater: Bool) -> (count: Int, nearest: CivilDate)? {
    let next = month.adding(months: 1)
    let found = days.keys.filter { areLater ? $0 >= next : $0 < month }
    guard let nearest = areLater ? found.min() : found.max() else { return nil }
    return (found.reduce(0) { $0 + items(on: $1).count }, nearest)
  }

  /// Returns the day on which the week of a day begins.
  package static func monday(of day: CivilDate) -> CivilDate { day.adding(days: 1 - day.weekday) }

  /// Returns the days of the weeks that overlap a month.
  package static func days(ofMonth day: CivilDate) -> [CivilDate] {
    let first = day.adding(days: 1 - day.day)
    let last = first.adding(days: CivilDate.days(inMonth: day.month, of: day.year) - 1)
    let (start, end) = (monday(of: first), monday(of: last).adding(days: 6))
    return (start.dayNumber...end.dayNumber).map { start.adding(days: $0 - start.dayNumber) }
  }

  /// Returns the change that moves a note to another day.
  package func change(to day: CivilDate?) -> Change {
    day.map { .set(field: field, value: $0.description) } ?? .clear(field: field)
  }
}
