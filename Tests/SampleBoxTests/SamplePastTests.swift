import Notes
import Testing

@testable import SampleBox

/// A clock that stands at 2026-11-21T09:30:00+01:00.
private let standingClock = ClockReading(
  now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600), offset: { _ in 3_600 })

/// The past of a sample box: it leads to the records, in the right order, and has something for every view.
@Suite struct SamplePastTests {
  private static func past(_ count: Int = SampleCounts.usualTotal, seed: UInt64 = 7) -> SamplePast {
    var maker = SampleMaker(clock: standingClock, seed: seed)
    return SamplePast(of: maker.records(SampleCounts(total: count)), clock: standingClock, seed: seed)
  }

  private static func changes(_ past: SamplePast) -> [SampleChange] {
    past.steps.compactMap { if case .change(let change) = $0 { change } else { nil } }
  }

  @Test(arguments: [1, 25, SampleCounts.usualTotal, 3_000]) func endsWithTheRecords(_ count: Int) {
    var maker = SampleMaker(clock: standingClock, seed: 7)
    let records = maker.records(SampleCounts(total: count))
    var last: [NoteID: SampleRecord] = [:]
    for change in Self.changes(Self.past(count)) { for record in change.records { last[record.id] = record } }
    #expect(last.count == count)
    for record in records {
      guard var made = last[record.id] else { continue }
      made.aliases = []
      #expect(made.text.bytes == record.text.bytes, "\(record.title)")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func timesGoUpAndEndBeforeNow(_ seed: UInt64) {
    let past = Self.past(seed: seed)
    var last = past.beginning
    for step in past.steps {
      let time =
        switch step {
        case .change(let change): change.time
        case .sync(_, let time, _), .settle(_, _, let time, _): time
        }
      #expect(time >= last && time < standingClock.now)
      last = time
    }
    #expect(standingClock.today.dayNumber - past.beginning.civilDate.dayNumber > 700)
  }

  @Test(arguments: [1, 2, 3, 7] as [UInt64]) func hasEditsFinishedTasksARetitleAndAConflict(_ seed: UInt64) {
    let past = Self.past(seed: seed)
    let commands = Self.changes(past).map(\.command)
    for command in ["new", "set", "append", "edit", "start", "finish", "close", "today", "retitle"] {
      #expect(commands.contains(command), "\(command)")
    }
    #expect(Set(Self.changes(past).map(\.device)) == [SamplePast.laptop, SamplePast.phone])
    #expect(past.steps.contains { if case .settle = $0 { true } else { false } })
  }

  @Test func theSameSeedGivesTheSamePast() {
    let texts = { (seed: UInt64) in
      Self.changes(Self.past(seed: seed)).map { "\($0.id) \($0.time) \($0.subject) \($0.device)" }
    }
    #expect(texts(7) == texts(7))
    #expect(texts(7) != texts(8))
  }

  @Test func manyRecordsAreJoinedToFewCommits() { #expect(Self.past(5_000).steps.count < 2_500) }
}
