import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The agenda reads dates as queries do, and drops no open record.
@Suite struct AgendaDatesTests {
  private static func agenda(_ lines: [String]) throws -> [(part: Agenda.Part, item: Agenda.Item)] {
    let text = (["---", "title: T", "kind: task"] + lines + ["---", ""]).joined(separator: "\n")
    var box = try WritingBox(["t.md": text])
    let today = try #require(CivilDate("2026-11-21"))
    box.clock = AgendaModelTests.zones[0].clock(today, hour: 12)
    return try Agenda(Agenda.Request(), in: try box.snapshot()).sections.flatMap { section in
      section.items.map { (section.part, $0) }
    }
  }

  @Test(arguments: [
    "2026-11-25T09:00:00", "2026-11-25 09:00", "20261125", "2026/11/25", "\"[[2026-11-25]]\"",
    "[2026-11-28, 2026-11-25]",
  ])
  func datesAreRead(_ value: String) throws {
    let items = try Self.agenda(["due: \(value)"])
    #expect(items.map(\.item.day) == [CivilDate("2026-11-25")], "\(value)")
  }

  @Test(arguments: ["due: next friday", "scheduled: soon", "wait: later", "due: {a: 1}"])
  func unreadableDatesAreListedWithoutADate(_ line: String) throws {
    let items = try Self.agenda([line])
    #expect(items.count == 1 && items.first?.part == .undated)
    if line.hasSuffix("friday") {
      let unreadable = items.first?.item.unreadable.map { "\($0.field) \($0.value)" }
      #expect(unreadable == ["due next friday"])
    }
  }

  @Test func aRecordThatWaitsKeepsItsDueDate() throws {
    let items = try Self.agenda(["due: 2026-11-23", "wait: 2026-11-26", "recur: daily"])
    #expect(items.first?.item.day == CivilDate("2026-11-26"))
    #expect(items.first?.item.reasons == [.wait, .recur])
    #expect(items.first?.item.putOffFrom == CivilDate("2026-11-23"))
  }

  @Test func `a record on two days counts once`() throws {
    let box = try WritingBox([
      "t.md": "---\ntitle: T\nkind: task\nscheduled: 2026-12-25\ndue: 2026-12-31\n---\n",
      "u.md": "---\ntitle: U\nkind: task\n---\n",
    ])
    let agenda = try Agenda(Agenda.Request(), in: try box.snapshot())
    #expect(agenda.count == 3 && agenda.recordCount == 2)
  }

  /// The zone is an hour ahead: there it is the next day already.
  @Test(arguments: ["due", "scheduled", "wait"])
  func `a time with an offset counts on the day that is written`(field: String) throws {
    let items = try Self.agenda(["\(field): 2026-11-23T23:30:00Z"])
    #expect(items.map(\.item.day) == [CivilDate("2026-11-23")])
    if field != "wait" { #expect(items.map(\.item.secondOfDay) == [84_600]) }
  }
}
