import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Reviews, held against what was done.
@Suite struct ReviewTests {
  private let folder: TemporaryFolder
  private let box: BoxInTest

  init() throws {
    folder = try TemporaryFolder()
    box = try makeBox(in: folder)
  }

  private func commit(_ day: String, _ words: String...) throws {
    try folder.git("add", "-A")
    var environment = testEnvironment
    environment["GIT_AUTHOR_DATE"] = "\(day) 12:00 +0100"
    environment["GIT_COMMITTER_DATE"] = "\(day) 12:00 +0100"
    let arguments = words.isEmpty ? ["commit", "-q", "--allow-empty", "-m", "On \(day)"] : words
    let result = try run("git", arguments, in: folder.path, environment: environment)
    #expect(result.status == 0, "\(result.errors)")
  }

  private func review(_ first: String, _ last: String) throws -> Review {
    let snapshot = try WorkTreeReader(box.box, box.context).snapshot()
    let (first, last) = (try #require(CivilDate(first)), try #require(CivilDate(last)))
    return try ReviewReader(snapshot, box.context, from: first, through: last).review()
  }

  private func told(_ review: Review) -> [String] {
    review.events.map { event in
      "\(event.what) \(event.action ?? "-") \(event.kind): \(event.items.map(\.title).joined(separator: ", "))"
    }
  }

  private func record(_ title: String, _ fields: String) -> String {
    "---\ntitle: \(title)\n\(fields)\n---\n"
  }

  @Test func anUndoneActionIsNoEvent() throws {
    try commit("2026-11-01")
    try folder.write("a.md", record("A", "kind: task\ndone: false"))
    try commit("2026-11-08")
    try folder.write("a.md", record("A", "kind: task\ndone: true\nfinished: 2026-11-10"))
    try commit("2026-11-10")
    try folder.write("a.md", record("A", "kind: task\ndone: false"))
    try commit("2026-11-11")
    #expect(told(try review("2026-11-09", "2026-11-15")).isEmpty)
    #expect(told(try review("2026-11-09", "2026-11-10")) == ["ended finish task: A"])
  }

  @Test func daysBeforeTheFirstCommitNameItsDay() throws {
    try folder.write("a.md", record("A", "kind: task"))
    try commit("2026-11-10")
    let first = try review("2024-01-01", "2024-12-31").begins
    #expect(first != nil)
    #expect(try review("2026-11-09", "2026-11-15").begins == nil)
  }

  @Test func aKindOfOnesOwnSaysWhatIsOver() throws {
    try folder.write(
      ".slipbox/kinds/parcel.yaml",
      """
      fields:
        stage: {type: choice, values: [sent, lost, here], default: sent}
      active: NOT stage:here
      actions:
        unpack: stage:here
        lose: stage:lost
      """)
    try folder.write("a.md", record("A", "kind: parcel"))
    try folder.write("b.md", record("B", "kind: parcel"))
    try commit("2026-11-02")
    try folder.write("a.md", record("A", "kind: parcel\nstage: here"))
    try folder.write("b.md", record("B", "kind: parcel\nstage: lost"))
    try commit("2026-11-09")
    #expect(
      told(try review("2026-11-09", "2026-11-15")) == ["ended unpack parcel: A", "moved lose parcel: B"])
  }

  @Test func theLastChangeCountsAndWhatCameAndWentDoesNot() throws {
    try folder.write("a.md", record("A", "kind: issue"))
    try commit("2026-11-02")
    for (day, status) in [("09", "closed"), ("10", "open"), ("11", "closed")] {
      try folder.write("a.md", record("A", "kind: issue\nstatus: \(status)"))
      try commit("2026-11-\(day)")
    }
    try folder.write("b.md", record("B", "kind: issue"))
    try commit("2026-11-12")
    try folder.git("rm", "-q", "b.md")
    try commit("2026-11-13")
    let review = try review("2026-11-09", "2026-11-15")
    #expect(told(review) == ["ended close issue: A"])
    #expect(review.busiest.map { "\($0.item.title) \($0.count)" } == ["A 3"])
    #expect(review.commitCount == 5 && review.noteCount == 2 && review.days.count == 5)
  }

  @Test func aNoteWithoutAnIDIsFollowedThroughRenames() throws {
    try folder.write("old.md", record("Old", "x: 1") + "A text that is long enough.\n")
    try commit("2026-11-02")
    try folder.git("mv", "old.md", "new.md")
    try commit("2026-11-09")
    try folder.write("new.md", record("New", "x: 1") + "A text that is long enough.\n")
    try folder.write("old.md", record("Another", "x: 2"))
    try commit("2026-11-10")
    let review = try review("2026-11-09", "2026-11-15")
    #expect(told(review) == ["made - note: Another"])
    #expect(review.renamings.map { "\($0.oldTitle) \($0.item.title)" } == ["Old New"])
  }

  @Test func aMergeCountsNothingOfItsOwn() throws {
    try folder.write("a.md", record("A", "kind: issue"))
    try commit("2026-11-02")
    try folder.git("checkout", "-q", "-b", "side")
    try folder.write("b.md", record("B", "tags: [new]") + "See [[A]].\n")
    try commit("2026-11-09")
    try folder.git("checkout", "-q", "main")
    try folder.write("a.md", record("A", "kind: issue\nstatus: closed"))
    try commit("2026-11-10")
    try commit("2026-11-11", "merge", "-q", "-m", "Merge", "side")
    let review = try review("2026-11-09", "2026-11-15")
    #expect(told(review) == ["made - note: B", "ended close issue: A"])
    #expect(review.commitCount == 2 && review.newTags == ["new"])
    #expect(review.newLinks.map { "\($0.from.title) \($0.to)" } == ["B A"])
    #expect(try self.review("2026-11-11", "2026-11-11").commitCount == 0)
  }

  @Test func `lists a record that was done and deleted in the same days`() throws {
    try folder.write("a.md", record("A", "kind: task\ndone: false"))
    try commit("2026-11-02")
    try folder.write("a.md", record("A", "kind: task\ndone: true\nfinished: 2026-11-10"))
    try folder.write("b.md", record("B", "kind: task\ndone: false"))
    try commit("2026-11-10")
    try FileManager.default.removeItem(atPath: folder.path + "/a.md")
    try folder.write("b.md", record("B", "kind: task\ndone: true\nfinished: 2026-11-11"))
    try commit("2026-11-11")
    try FileManager.default.removeItem(atPath: folder.path + "/b.md")
    try commit("2026-11-12")
    #expect(told(try review("2026-11-09", "2026-11-15")) == ["ended finish task: A, B", "deleted - task: A"])
  }
}
