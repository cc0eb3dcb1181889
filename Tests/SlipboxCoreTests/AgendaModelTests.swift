import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The agenda is that of a model, in three time zones over a year.
///
/// `AGENDA_BOXES` is the number of random boxes for each zone, 2 by default, and `AGENDA_SEED` the first seed.
@Suite struct AgendaModelTests {
  private static func number(_ name: String, or standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  /// A zone by its offsets from UTC in seconds, outside of and in summer.
  struct Zone: Sendable, CustomTestStringConvertible {
    let name: String
    let standard: Int
    let summer: Int

    var testDescription: String { name }

    /// Noon or shortly before midnight of a day.
    func clock(_ day: CivilDate, hour: Int) -> ClockReading {
      // From 29 March to 25 October 2026, 01:00 UTC, as in Europe.
      let offset: @Sendable (Int64) -> Int = { seconds in
        (1_774_746_000..<1_792_890_000).contains(seconds) ? summer : standard
      }
      let instant = ClockReading(
        now: Timestamp(seconds: 0, offsetSeconds: 0), offset: offset
      ).instant(of: day, secondOfDay: hour * 3_600)
      return ClockReading(now: Timestamp(seconds: instant, offsetSeconds: offset(instant)), offset: offset)
    }
  }

  static let zones = [
    Zone(name: "Berlin", standard: 3_600, summer: 7_200),
    Zone(name: "Kiritimati", standard: 50_400, summer: 50_400),
    Zone(name: "Honolulu", standard: -36_000, summer: -36_000),
  ]

  @Test(arguments: zones) func agendaIsThatOfAModel(_ zone: Zone) throws {
    var rows = 0
    for round in 0..<Self.number("AGENDA_BOXES", or: 2) {
      var random = SplitMix64(seed: UInt64(Self.number("AGENDA_SEED", or: 1) + round))
      let tasks = (0..<60).map { Task(number: $0, &random) }
      var box = try WritingBox(Dictionary(uniqueKeysWithValues: tasks.map { ("t\($0.number).md", $0.text) }))
      for step in 0..<24 {
        let today = try #require(CivilDate(year: 2026, month: 1, day: 3)).adding(days: step * 15)
        box.clock = zone.clock(today, hour: step.isMultiple(of: 2) ? 12 : 23)
        var request = Agenda.Request()
        request.days = [1, 7, 40][step % 3]
        request.most = nil
        let agenda = try Agenda(request, in: try box.snapshot())
        #expect(agenda.today == today)
        let found = agenda.sections.flatMap { section in
          section.items.map { item in
            let reasons = item.reasons.map(\.rawValue).joined(separator: ",")
            let time = item.secondOfDay.map { DatedLine.time($0) } ?? ""
            return
              "\(section.part) \(item.day?.description ?? "") \(time) \(reasons) \(item.note.names.title)"
          }
        }
        let wanted = tasks.flatMap { $0.lines(today, days: request.days) }
        rows += wanted.count
        let isSame = found.sorted() == wanted.sorted()
        let difference = Set(found).symmetricDifference(wanted).sorted()
        #expect(isSame, "round \(round), \(today): \(difference.prefix(6))")
      }
    }
    #expect(rows > 1_000)
  }

  private struct Task {
    let number: Int
    var due: CivilDate?
    var time: String?
    var scheduled: CivilDate?
    var myDay: CivilDate?
    var wait: CivilDate?
    var until: CivilDate?
    var recur: String?
    var isDone = false

    init(number: Int, _ random: inout SplitMix64) {
      self.number = number
      let day = { (random: inout SplitMix64, chance: Int) -> CivilDate? in
        guard Int.random(in: 0..<100, using: &random) < chance else { return nil }
        return CivilDate(year: 2025, month: 12, day: 1)?.adding(days: Int.random(in: 0...420, using: &random))
      }
      due = day(&random, 70)
      scheduled = day(&random, 25)
      myDay = day(&random, 25)
      wait = day(&random, 20)
      if due != nil {
        if Bool.random(using: &random) { time = "17:30" }
        if Bool.random(using: &random) { until = day(&random, 30) }
        recur =
          [nil, nil, "daily", "3d", "weekly", "monthly", "quarterly", "+1w"].randomElement(using: &random)
          ?? nil
      }
      isDone = Int.random(in: 0..<8, using: &random) == 0
    }

    var text: String {
      var lines = ["title: T\(number)", "kind: task"]
      for (name, day) in [
        ("due", due), ("scheduled", scheduled), ("my-day", myDay), ("wait", wait), ("until", until),
      ] {
        if let day { lines.append("\(name): \(day)") }
      }
      if let time { lines.append("due-time: \"\(time)\"") }
      if let recur { lines.append("recur: \(recur)") }
      if isDone { lines.append("done: true") }
      return "---\n\(lines.joined(separator: "\n"))\n---\n"
    }

    /// The days on which the task comes again.
    private func occurrences(after today: CivilDate, through last: CivilDate) -> [CivilDate] {
      guard let due, let recur, recur != "+1w" else { return [] }
      let steps: (Int) -> CivilDate? = { count in
        switch recur {
        case "daily": return due.adding(days: count)
        case "3d": return due.adding(days: 3 * count)
        case "weekly": return due.adding(days: 7 * count)
        default:
          let months = (recur == "monthly" ? 1 : 3) * count + due.month - 1
          let (year, month) = (due.year + months / 12, months % 12 + 1)
          return CivilDate(
            year: year, month: month, day: min(due.day, CivilDate.days(inMonth: month, of: year)))
        }
      }
      let end = min(last, until ?? last)
      return (1...800).compactMap(steps).filter { $0 > today && $0 <= end }
    }

    func lines(_ today: CivilDate, days: Int) -> [String] {
      if isDone { return [] }
      let last = today.adding(days: days - 1)
      var found: [CivilDate: (reasons: [String], time: String)] = [:]
      let add = { (day: CivilDate, reason: String, time: String) in
        found[day, default: ([], "")].reasons.append(reason)
        if !time.isEmpty { found[day]?.time = time }
      }
      let wait = wait.flatMap { $0 > today ? $0 : nil }
      if let due {
        let day = max(due, wait ?? due)
        add(day, day == due ? "due" : "wait", day == due ? time ?? "" : "")
      }
      if let scheduled {
        let day = max(scheduled, today)
        let place = max(day, wait ?? day)
        let reason = place == day ? "scheduled" : "wait"
        if found[place]?.reasons.contains(reason) != true { add(place, reason, "") }
      }
      if let myDay, myDay >= today { add(myDay, "my-day", "") }
      if found.isEmpty, let wait { add(wait, "wait", "") }
      if let due, due < today, wait == nil, let now = found.removeValue(forKey: today) {
        found[due]?.reasons += now.reasons
      }
      for day in occurrences(after: today, through: last) where day >= wait ?? day {
        add(day, "recur", time ?? "")
      }
      // A past wait and a past day of My Day put a record on no day.
      if found.isEmpty { return ["undated    T\(number)"] }
      return found.map { day, entry in
        let part =
          day < today ? "overdue" : day <= last ? "day(\(day))" : "later"
        let order = ["due", "scheduled", "my-day", "wait", "recur"]
        let reasons = order.filter(entry.reasons.contains).joined(separator: ",")
        return "\(part) \(day) \(entry.time) \(reasons) T\(number)"
      }
    }
  }
}
