package import NoteIndex
package import Notes
import Platform
import Text

/// Open records by the days on which they are due, scheduled or in My Day.
package struct Agenda: Sendable {
  /// The reason why a record is on a day.
  package enum Reason: String, Sendable, Comparable {
    case due, scheduled
    /// It is in My Day.
    case myDay = "my-day"
    /// It was postponed until that day.
    case wait
    /// It recurs on that day once the one before it is done.
    case recur

    package static func < (one: Reason, other: Reason) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .due: 0
      case .scheduled: 1
      case .myDay: 2
      case .wait: 3
      case .recur: 4
      }
    }
  }

  /// A record on a day.
  ///
  /// A class, so that long agendas are sorted and grouped without copies of their contents.
  package final class Item: Sendable {
    package let note: ListedNote
    /// The day; nil for a record without a date.
    package let day: CivilDate?
    /// The time of the day, if a date has one.
    package let secondOfDay: Int?
    /// The reasons, at least one unless there is no day.
    package let reasons: [Reason]
    /// The day on which the record is due, if it was postponed until a later day.
    package let putOffFrom: CivilDate?
    /// The fields of a record without a day that have a value which is not a date.
    package let unreadable: [(field: String, value: String)]

    fileprivate init(_ note: ListedNote, on day: CivilDate, _ found: AgendaDays.Found) {
      (self.note, self.day) = (note, day)
      secondOfDay = found.secondOfDay
      reasons = found.reasons.sorted()
      putOffFrom = found.putOffFrom
      unreadable = []
    }

    /// - Parameter facts: the facts of a note whose dates may be unreadable.
    fileprivate init(undated note: ListedNote, _ facts: TaskFacts?) {
      self.note = note
      (day, secondOfDay, reasons, putOffFrom) = (nil, nil, [], nil)
      unreadable = facts?.unreadableDates(["due", "scheduled", "wait"]) ?? []
    }
  }

  /// A part of the agenda.
  package enum Part: Sendable, Equatable {
    case overdue
    case day(CivilDate)
    case later, undated
  }

  package struct Section: Sendable {
    package let part: Part
    /// The records; the first of them, if there are many.
    package fileprivate(set) var items: [Item]
    /// The number of records.
    package let count: Int
  }

  /// The options of an agenda.
  package struct Request: Sendable {
    /// The query as it was typed.
    package var query: [String] = []
    /// The days that are shown one by one, from today.
    package var days = 7
    /// Whether only overdue records and those of today are shown.
    package var isOfToday = false
    /// The maximum number of records that are shown later and without a date; nil for all.
    package var most: Int? = 10
    /// The maximum number of records that are shown in total; nil for no limit.
    package var limit: Int?

    package init() {}
  }

  package let today: CivilDate
  /// Whether only the first records are shown.
  package let isLimited: Bool
  /// Overdue, the days, later and without a date. Sections without records are left out, except today.
  package let sections: [Section]
  /// The number of records; one that is on several days counts once.
  package let recordCount: Int

  /// - Throws: `QueryError` if the query can't be read.
  /// - Complexity: linear in the open records with a date.
  package init(_ request: Request, in snapshot: BoxSnapshot) throws {
    today = snapshot.clock.today
    let reader = try AgendaReader(request, in: snapshot)
    let last = today.adding(days: max(0, request.days - 1))
    var parts: [Part: [Item]] = [:]
    var records: Set<Int> = []
    for item in try reader.datedItems(today: today, through: last) {
      if !request.isOfToday || item.day.map({ $0 <= snapshot.clock.today }) ?? false {
        records.insert(item.note.match.place)
      }
      guard let day = item.day else {
        parts[.undated, default: []].append(item)
        continue
      }
      parts[day < today ? .overdue : day <= last ? .day(day) : .later, default: []].append(item)
    }
    var sections: [Section] = []
    let add = { (part: Part, items: [Item], count: Int) in
      if count > 0 || part == .day(snapshot.clock.today) {
        sections.append(Section(part: part, items: items, count: count))
      }
    }
    let ordered = { (part: Part) in Item.ordered(parts[part] ?? []) }
    add(.overdue, ordered(.overdue), parts[.overdue]?.count ?? 0)
    for day in today.dayNumber...(request.isOfToday ? today : last).dayNumber {
      let part = Part.day(CivilDate(dayNumber: day))
      add(part, ordered(part), parts[part]?.count ?? 0)
    }
    var undatedCount = 0
    if !request.isOfToday {
      let later = ordered(.later)
      add(.later, Array(later.prefix(request.most ?? .max)), later.count)
      let unreadable = ordered(.undated)
      let room = request.most.map { max(0, $0 - unreadable.count) }
      let (undated, count) = try reader.undatedItems(most: room)
      undatedCount = count
      add(.undated, unreadable.prefix(request.most ?? .max) + undated, unreadable.count + count)
    }
    recordCount = records.count + undatedCount
    isLimited = request.limit != nil
    self.sections = request.limit.map { Self.limited(sections, to: $0) } ?? sections
  }

  /// Returns the sections with the first records of all. Sections without records are left out, except today.
  private static func limited(_ sections: [Section], to limit: Int) -> [Section] {
    var room = limit
    return sections.compactMap { section in
      var section = section
      let isEmpty = section.items.isEmpty
      section.items = Array(section.items.prefix(room))
      room -= section.items.count
      return isEmpty || !section.items.isEmpty ? section : nil
    }
  }

  /// The number of records in all sections.
  package var count: Int { sections.reduce(0) { $0 + $1.count } }
}

extension Agenda.Part: Hashable {}

extension Agenda.Item {
  /// Sorts items by day, time of day, title and path.
  ///
  /// - Complexity: O(n log n); the sort key of each title is computed once.
  fileprivate static func ordered(_ items: [Agenda.Item]) -> [Agenda.Item] {
    guard items.count > 1 else { return items }
    let keys = concurrentMap(items) { item in
      let names = item.note.names
      return (
        day: item.day?.dayNumber ?? 0, time: item.secondOfDay ?? .max, title: Collation.key(names.title),
        path: names.path
      )
    }
    let order = keys.indices.sorted { one, other in
      let (key, otherKey) = (keys[one], keys[other])
      if (key.day, key.time) != (otherKey.day, otherKey.time) {
        return (key.day, key.time) < (otherKey.day, otherKey.time)
      }
      if key.title != otherKey.title { return key.title.lexicographicallyPrecedes(otherKey.title) }
      return key.path.lexicographicallyPrecedes(otherKey.path)
    }
    return order.map { items[$0] }
  }
}

/// Finds the records of an agenda.
private struct AgendaReader {
  private let snapshot: BoxSnapshot
  private let records: OpenRecords
  private let query: [String]
  private let schema: Schema

  /// - Throws: `SlipboxError` if the query names an order or a limit.
  init(_ request: Agenda.Request, in snapshot: BoxSnapshot) throws {
    self.snapshot = snapshot
    query = request.query
    schema = snapshot.schema()
    records = OpenRecords(snapshot)
    let asked = try snapshot.query(query)
    guard asked.sort.isEmpty, asked.limit == nil else {
      let word = asked.sort.isEmpty ? "limit:" : "sort:"
      throw SlipboxError(.usage, "the agenda has its own order and length: leave out \(word)")
    }
  }

  /// Returns the notes of the query that match a further one, in no particular order.
  private func matches(_ further: String) throws -> [Match] {
    var query = try snapshot.query(
      query.isEmpty ? [further] : ["(\(self.query.joined(separator: " ")))", further])
    query.sort = [SortKey(field: "created", descending: true)]
    query.limit = nil
    return try snapshot.matches(query)
  }

  private static let dated = "(has:due OR has:scheduled OR my-day:today.. OR wait:tomorrow..)"
  private static let undated = "due: scheduled: NOT my-day:today.. NOT wait:tomorrow.."

  /// Returns a record on each of its days, and without a day if a date of it can't be read.
  func datedItems(today: CivilDate, through last: CivilDate) throws -> [Agenda.Item] {
    let records = records
    let found = try matches(Self.dated)
    let open = Set(snapshot.active(found, .open))
    return concurrentMap(found.filter { open.contains($0.place) }) { match -> [Agenda.Item] in
      let entry = match.entry
      let facts = TaskFacts(entry, modified: entry.created, records)
      guard facts.isOpen != nil || !entry.note.hasDatesOfBoxesAlone else { return [] }
      let items = AgendaDays(facts, today: today, through: last).items
      let note = ListedNote(match)
      if items.isEmpty, facts.isOpen == true { return [Agenda.Item(undated: note, facts)] }
      return items.map { day, found in Agenda.Item(note, on: day, found) }
    }.flatMap { $0 }
  }

  /// Returns the newest open records without a date, and their number.
  func undatedItems(most: Int?) throws -> ([Agenda.Item], Int) {
    let kinds = schema.kinds.filter { $0.active != nil }
    guard !kinds.isEmpty else { return ([], 0) }
    let names = kinds.map { "kind:\($0.name)" }.joined(separator: " OR ")
    let undated = try matches("(\(names)) \(Self.undated)")
    let open = Set(snapshot.active(undated, .open))
    let found = undated.filter { open.contains($0.place) }
    // The other two dates are empty.
    let waiting = Set(try snapshot.matches(snapshot.query(["has:wait"])).map(\.place))
    let records = records
    let items = concurrentMap(Array(found.prefix(most ?? .max))) { match in
      let entry = waiting.contains(match.place) ? match.entry : nil
      return Agenda.Item(
        undated: ListedNote(match), entry.map { TaskFacts($0, modified: $0.created, records) })
    }
    return (items, found.count)
  }
}

extension Note {
  /// Whether all dates of the note are those of its check boxes, which are listed apart from records.
  fileprivate var hasDatesOfBoxesAlone: Bool {
    let isDate = { (name: String) in
      ["due", "scheduled", "my-day", "wait"].contains { $0.isSameName(as: name) }
    }
    let dates = frontMatter.fields.filter { isDate($0.name) }
    guard !dates.isEmpty, dates.allSatisfy(\.isInline) else { return false }
    let lines = Set(boxes.map(\.line))
    return inlineFields.allSatisfy { !isDate($0.name) || lines.contains($0.line) }
  }
}

/// The days of an agenda that list a record.
struct AgendaDays {
  struct Found: Equatable {
    var secondOfDay: Int?
    var reasons: [Agenda.Reason] = []
    /// The day on which it is due, if it was postponed.
    var putOffFrom: CivilDate?
  }

  private(set) var items: [CivilDate: Found] = [:]
  private let today: CivilDate

  /// - Parameter last: the last day on which a future occurrence is listed.
  init(_ facts: TaskFacts, today: CivilDate, through last: CivilDate) {
    self.today = today
    let day = { (name: String) in facts.written(name)?.day }
    let wait = day("wait").flatMap { $0 > today ? $0 : nil }
    let due = facts.writtenDue
    let isRecord = facts.isOpen != nil
    // A note of a kind that is never done is over when its day is.
    if let due, isRecord || due.day >= today { add(due.day, .due, due.secondOfDay, notBefore: wait) }
    if let scheduled = facts.written("scheduled"), isRecord || scheduled.day >= today {
      add(max(scheduled.day, today), .scheduled, scheduled.secondOfDay, notBefore: wait)
    }
    if let myDay = day("my-day"), myDay >= today { add(myDay, .myDay, nil, notBefore: nil) }
    if let wait, items.isEmpty { add(wait, .wait, nil, notBefore: nil) }
    if let overdue = items.keys.first(where: { $0 < today }), let now = items.removeValue(forKey: today) {
      items[overdue]?.reasons += now.reasons
    }
    if let due, facts.isOpen == true { addNext(of: facts, after: due, notBefore: wait, through: last) }
  }

  private mutating func add(
    _ day: CivilDate, _ ownReason: Agenda.Reason, _ secondOfDay: Int?, notBefore wait: CivilDate?
  ) {
    let isPutOff = wait.map { $0 > day } ?? false
    let place = isPutOff ? wait ?? day : day
    let reason = isPutOff ? .wait : ownReason
    var found = items[place] ?? Found()
    if isPutOff, ownReason == .due { found.putOffFrom = day }
    if !found.reasons.contains(reason) { found.reasons.append(reason) }
    if let secondOfDay, !isPutOff { found.secondOfDay = min(found.secondOfDay ?? .max, secondOfDay) }
    items[place] = found
  }

  /// Adds the future occurrences of a recurring record, after today and not before the day until which it waits.
  private mutating func addNext(
    of facts: TaskFacts, after due: TaskFacts.WrittenDate, notBefore wait: CivilDate?, through last: CivilDate
  ) {
    guard facts.recurs, var recurrence = facts.recurrence.flatMap({ Recurrence($0) }),
      !recurrence.countsFromEnd
    else { return }
    let start = wait ?? today
    let end = min(last, facts.until?.day(facts.clock) ?? last)
    var day = due.day
    // The days up to today are skipped in one step.
    if day < today, let next = recurrence.next(after: day, done: today) {
      if next.day >= start { add(next: next.day, due, through: end) }
      recurrence = recurrence.following(day, next.day)
      day = next.day
    }
    while let next = recurrence.step(after: day), next <= end {
      if next > today, next >= start { add(next: next, due, through: end) }
      recurrence = recurrence.following(day, next)
      day = next
    }
  }

  private mutating func add(next day: CivilDate, _ due: TaskFacts.WrittenDate, through last: CivilDate) {
    guard day <= last else { return }
    add(day, .recur, due.secondOfDay, notBefore: nil)
  }
}

extension Recurrence {
  /// Returns the recurrence of the next record: a recurrence on the 31st stays on the 31st after a shorter month.
  fileprivate func following(_ last: CivilDate, _ next: CivilDate) -> Recurrence {
    text(after: last, on: next).flatMap { Recurrence($0) } ?? self
  }
}
