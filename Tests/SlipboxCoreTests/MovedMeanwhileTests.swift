import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// A note that another command moves between the reading and the writing of a change.
@Suite struct MovedMeanwhileTests {
  private static let note = "---\nid: kqzmvtrp\ntitle: Bread\n---\nFlour.\n"

  private func box() throws -> WritingBox { try WritingBox.withTwoNotes(Self.note, at: "bread.md") }

  @Test func aChangeFollowsTheNote() throws {
    let box = try box()
    let written = try box.append("bread.md", "Water.") { try box.move("bread.md", to: "new/rye.md") }
    #expect(written == .init(isCommitted: true, paths: ["new/rye.md"], subject: "Append to: Bread"))
    #expect(try box.folder.git("show", "HEAD:new/rye.md").hasSuffix("Flour.\nWater.\n"))
    #expect(try box.status() == [])
  }

  @Test func aMoveNamesTheNewPlace() throws {
    let box = try box()
    let error = #expect(throws: SlipboxError.self) {
      try box.move("bread.md", to: "a.md") { try box.move("bread.md", to: "new/rye.md") }
    }
    #expect(error?.kind == .busy && error?.message == "Bread (kqzmvtrp) was moved to new/rye.md meanwhile")
    #expect(try box.status() == [])
  }

  @Test func aDeletedNoteIsNotMadeAgain() throws {
    let box = try box()
    let error = #expect(throws: SlipboxError.self) {
      try box.append("bread.md", "Water.") {
        try box.folder.git("rm", "-q", "bread.md")
        try box.folder.git("commit", "-q", "-m", "rm")
      }
    }
    #expect(error?.kind == .notFound && error?.message == "Bread (kqzmvtrp) was deleted meanwhile")
  }
}
