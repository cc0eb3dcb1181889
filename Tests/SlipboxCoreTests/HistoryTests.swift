import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The commits of a note and of the box, as the log shows them.
@Suite struct HistoryTests {
  private static let note = "---\nid: kqzmvtrp\ntitle: Bread\nrating: 3\n---\nFlour.\n"

  private func box() throws -> WritingBox {
    try WritingBox(["bread.md": Self.note, "other.md": "# Other\n"])
  }

  @Test func theNewestCommitComesFirst() throws {
    let box = try box()
    try box.set("bread.md", "rating", "4")
    try box.set("other.md", "rating", "2")
    try box.set("bread.md", "rating", "5")
    #expect(
      try box.log("bread.md").map(\.subject) == ["Set rating 5: Bread", "Set rating 4: Bread", "as found"])
    #expect(
      try box.log().map(\.subject).prefix(4) == [
        "Set rating 5: Bread", "Set rating 2: Other", "Set rating 4: Bread", "as found",
      ])
  }

  @Test func aLimitEndsTheLog() throws {
    let box = try box()
    for rating in 1...4 { try box.set("bread.md", "rating", "\(rating + 3)") }
    #expect(
      try box.log("bread.md", limit: 2).map(\.subject) == ["Set rating 7: Bread", "Set rating 6: Bread"])
    #expect(try box.log(limit: 1).map(\.subject) == ["Set rating 7: Bread"])
  }

  @Test func aCommitOfSlipTellsItsCommandAndWhatChanged() throws {
    let box = try box()
    try box.set("bread.md", "rating", "4")
    let lines = try box.log("bread.md")
    #expect(
      lines.first
        == .init(subject: "Set rating 4: Bread", command: "set", changes: ["kqzmvtrp rating 3 4"]))
    #expect(lines.last == .init(subject: "as found", command: nil))
  }

  @Test func aCommitOfGitIsOneLikeAnother() throws {
    let box = try box()
    try box.folder.write("bread.md", Self.note + "Water.\n")
    try box.folder.git("commit", "-q", "-a", "-m", "By hand")
    #expect(try box.log("bread.md").map(\.subject) == ["By hand", "as found"])
    #expect(try box.log("other.md").map(\.subject) == ["as found"])
  }

  @Test func outsideEditsStandApart() throws {
    let box = try box()
    try box.folder.write("bread.md", Self.note + "Water.\n")
    try box.set("bread.md", "rating", "4")
    #expect(
      try box.log("bread.md").map(\.subject) == ["Set rating 4: Bread", "Outside edits: Bread", "as found"])
  }

  @Test func bothSidesOfAMergeAreSeen() throws {
    let box = try box()
    try box.folder.git("switch", "-q", "-c", "side")
    try box.folder.write("bread.md", Self.note.replacingOccurrences(of: "rating: 3", with: "rating: 4"))
    try box.folder.git("commit", "-q", "-a", "-m", "On the side")
    try box.folder.git("switch", "-q", "main")
    try box.folder.write("bread.md", Self.note + "\nWater.\n\nSalt.\n")
    try box.folder.git("commit", "-q", "-a", "-m", "On main")
    try box.folder.git("merge", "-q", "--no-edit", "-m", "Merged", "side")
    let subjects = try box.log("bread.md").map(\.subject)
    #expect(Set(subjects).isSuperset(of: ["On the side", "On main", "as found"]))
    #expect(Set(subjects).count == subjects.count)
    // Asked again, from what was kept of the first answer.
    #expect(try box.log("bread.md").map(\.subject) == subjects)
  }

  @Test func aNoteThatWasDeletedAndMadeAgainHasItsWholeHistory() throws {
    let box = try box()
    try box.write(["bread.md": nil])
    try box.write(["bread.md": Self.note])
    #expect(
      try box.log("bread.md").map(\.subject) == ["Written by a test", "Written by a test", "as found"])
  }
}
