import Notes
import Testing

@testable import SampleBox

/// A clock that stands at 2026-11-21T09:30:00+01:00.
private let standingClock = ClockReading(
  now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600), offset: { _ in 3_600 })

/// The records of a sample box: valid by their kinds, written as slip writes, the same for the same seed.
@Suite struct SampleRecordTests {
  private static func records(_ count: Int, seed: UInt64 = 7) -> [SampleRecord] {
    var maker = SampleMaker(clock: standingClock, seed: seed)
    return maker.records(SampleCounts(total: count))
  }

  private static func note(_ record: SampleRecord) -> Note {
    let path = FileName.path(for: record.title, id: record.id, created: record.created)
    return Note(path: path, text: record.text)
  }

  @Test(arguments: [1, 2, 5, 20, 125, 1000]) func thereAreAsManyAsAskedFor(_ count: Int) {
    let counts = SampleCounts(total: count)
    #expect(SampleCounts.usual.reduce(0) { $0 + counts[$1.kind] } == count)
    #expect(Self.records(count).count == count)
  }

  @Test func theUsualBoxHasFiveTagsOfTenIssues() {
    let records = Self.records(SampleCounts.usualTotal)
    for (kind, count) in SampleCounts.usual { #expect(records.filter { $0.kind == kind }.count == count) }
    for area in IssueWords.areas { #expect(records.filter { $0.tags.contains(area.tag) }.count == 10) }
    #expect(records.contains { $0.tags.contains { $0.contains("/") } })
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func everyRecordKeepsItsKind(_ seed: UInt64) throws {
    let records = Self.records(1500, seed: seed)
    let groups = Set(records.filter { $0.kind == "group" }.map(\.id.description))
    let editor = RecordEditor(schema: .builtIn, clock: standingClock) { kind, name in
      kind == "group" && groups.contains(name) ? .found(name) : .none
    }
    for record in records {
      let note = Self.note(record)
      let problems = editor.problems(in: note)
      #expect(problems == [], "\(note.title): \(problems.map(\.message))")
    }
  }

  @Test func frontMatterReadsBack() throws {
    for record in Self.records(1500) {
      let note = Self.note(record)
      #expect(note.frontMatter.problems == [])
      #expect(note.id == record.id && note.kind == record.kind && note.created == record.created)
      #expect(note.title.utf8.elementsEqual(record.title.utf8))
      #expect(note.tags == record.tags)
      for field in record.fields { #expect(note.frontMatter[field.name] == .text(field.value)) }
      #expect(
        note.frontMatter.fields.count == record.fields.count + 3
          + (record.kind == "note" ? 0 : 1) + (record.tags.isEmpty ? 0 : 1))
    }
  }

  @Test func theSameSeedGivesTheSameRecords() {
    let first = Self.records(300).map(\.text.bytes)
    #expect(first == Self.records(300).map(\.text.bytes))
    #expect(first != Self.records(300, seed: 8).map(\.text.bytes))
  }

  @Test func titlesAndIDsAreTakenOnce() {
    let records = Self.records(4000)
    #expect(Set(records.map(\.id)).count == records.count)
    #expect(Set(records.map { $0.title.lowercased() }).count == records.count)
  }

  @Test func linksLeadToOtherNotes() {
    let notes = Self.records(500).filter { $0.kind == "note" }.map(Self.note)
    let titles = Set(notes.map(\.title))
    for note in notes {
      #expect(!note.links.isEmpty, "\(note.title)")
      for link in note.links { #expect(titles.contains(link.target) && link.target != note.title) }
    }
  }

  @Test func everyListShowsSomething() {
    let today = standingClock.today.description
    let tasks = Self.records(SampleCounts.usualTotal).filter { $0.kind == "task" }
      .map { Dictionary($0.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }) }
    #expect(tasks.contains { $0["my-day"] == today })
    #expect(tasks.contains { $0["done"] == "false" && $0["due"].map { $0 < today } == true })
    #expect(tasks.contains { $0["done"] == "true" && $0["finished"] != nil })
    #expect(tasks.contains { $0["group"] != nil } && tasks.contains { $0["group"] == nil })
  }

  @Test func datesLieInTheTwoYearsBeforeToday() {
    let today = standingClock.today
    let records = Self.records(600)
    for record in records {
      #expect(
        record.created.civilDate < today && record.created.civilDate >= today.adding(days: -SampleMaker.days))
    }
    let months = Set(records.map { $0.created.civilDate.description.prefix(7) })
    #expect(months.count >= 24)
  }

  /// No pattern is left open, and every text is a few sentences long.
  @Test func textsAreWhole() {
    for record in Self.records(3000) {
      #expect(!record.title.contains("{") && !record.body.contains("{"), "\(record.title)")
      #expect(record.body.hasSuffix(".\n") && !record.body.contains("  "), "\(record.body)")
      let sentences = record.body.split(whereSeparator: { $0 == "." || $0 == "\n" }).filter { $0.count > 3 }
        .count
      #expect((2...12).contains(sentences), "\(sentences): \(record.body)")
    }
  }
}
