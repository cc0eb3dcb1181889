import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// What an editor saved is committed as it is, and what was committed meanwhile is merged in.
@Suite struct EditFinishingTests {
  private static let note = "---\nid: kqzmvtrp\ntitle: Bread\nrating: 3\n---\nFlour.\n\nWater.\n"
  private static let path = "bread.md"

  private func box() throws -> WritingBox { try WritingBox.withTwoNotes(Self.note, at: Self.path) }

  /// The note with a text in the place of another.
  private func note(_ old: String, _ new: String) -> String {
    Self.note.replacingOccurrences(of: old, with: new)
  }

  @Test func whatWasSavedIsCommittedAsItIs() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try box.folder.write(Self.path, note("Water.", "Water and salt.  \r\n"))
    let (written, warnings) = try box.finishEditing(editing)
    #expect(written == .init(isCommitted: true, paths: [Self.path], subject: "Edit: Bread"))
    #expect(warnings == [])
    #expect(try box.status() == [])
    #expect(try box.folder.git("show", "HEAD:\(Self.path)") == note("Water.", "Water and salt.  \r\n"))
  }

  @Test func withoutAChangeThereIsNoCommit() throws {
    let box = try box()
    let head = try box.head()
    let result = try box.finishEditing(try box.beginEditing(Self.path))
    #expect(!result.written.isCommitted)
    #expect(try box.head() == head)
  }

  @Test func twoNotesAreOneCommit() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path, "other.md")
    try box.folder.write(Self.path, note("3", "4"))
    try box.folder.write("other.md", "# Other\n\nMore.\n")
    let written = try box.finishEditing(editing).written
    #expect(written.paths == [Self.path, "other.md"])
    #expect(written.subject == "Edit: 2 notes")
  }

  @Test func whatWasCommittedMeanwhileIsMergedIn() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try box.set(Self.path, "rating", "5")
    // The editor still has the text from before and writes all of it.
    try box.folder.write(Self.path, note("Water.", "Milk."))
    let (written, warnings) = try box.finishEditing(editing)
    #expect(written.isCommitted)
    #expect(warnings == ["Bread (kqzmvtrp) changed while you edited it: both changes are merged"])
    #expect(
      box.text(Self.path) == note("Water.", "Milk.").replacingOccurrences(of: "rating: 3", with: "rating: 5"))
    #expect(try box.subjects().prefix(2) == ["Edit: Bread", "Set rating 5: Bread"])
    #expect(try box.status() == [])
  }

  @Test func ofAFieldThatBothChangedBothValuesAreKept() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try box.set(Self.path, "rating", "5")
    try box.folder.write(Self.path, note("rating: 3", "rating: 1"))
    let (_, warnings) = try box.finishEditing(editing)
    #expect(warnings == ["Bread (kqzmvtrp) changed while you edited it: both versions are kept of: rating"])
    let text = try #require(box.text(Self.path))
    #expect(text.contains("rating: 1\n"))
    #expect(text.contains("5"), "the value of the other is in a comment")
    #expect(try box.status() == [])
  }

  @Test func aNoteThatWasDeletedMeanwhileIsMadeAgain() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try box.write([Self.path: nil])
    try box.folder.write(Self.path, note("Water.", "Milk."))
    let (written, warnings) = try box.finishEditing(editing)
    #expect(written.isCommitted)
    #expect(
      warnings == ["Bread (kqzmvtrp) was deleted while you edited it; your text is saved as the note"])
    #expect(try box.folder.git("show", "HEAD:\(Self.path)") == note("Water.", "Milk."))
  }

  @Test func anIDThatChangedIsNamed() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try box.folder.write(Self.path, note("id: kqzmvtrp", "id: bcdfghjk"))
    let warnings = try box.finishEditing(editing).warnings
    #expect(
      warnings == ["kqzmvtrp: its id is now bcdfghjk; links and scripts that use kqzmvtrp are broken"])
  }

  @Test func frontMatterThatCannotBeReadIsCommittedAndNamed() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try box.folder.write(Self.path, note("rating: 3", "rating: [3"))
    let (written, warnings) = try box.finishEditing(editing)
    #expect(written.isCommitted)
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("Bread (kqzmvtrp): line ") == true)
  }

  @Test func onlyNewFaultsOfARecordAreNamed() throws {
    let issue = "---\nid: kqzmvtrp\ntitle: Oven\nkind: issue\npriority: huge\nstatus: open\n---\n"
    let box = try WritingBox(["oven.md": issue])
    let editing = try box.beginEditing("oven.md")
    try box.folder.write("oven.md", issue.replacingOccurrences(of: "status: open", with: "status: gone"))
    let warnings = try box.finishEditing(editing).warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("status") == true)
    #expect(warnings.first?.contains("priority") == false)
  }

  @Test(arguments: [" \n\n", nil])
  func aTextThatTheEditorEmptiedComesBack(left: String?) throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    if let left {
      try box.folder.write(Self.path, left)
    } else {
      try FileManager.default.removeItem(atPath: box.folder.path + "/" + Self.path)
    }
    #expect(try box.takeBackEmptied(editing) == [left == nil])
    #expect(box.text(Self.path) == Self.note)
    #expect(try box.status() == [])
  }

  @Test func aNoteThatAnotherCommandDeletedIsNotEmptied() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try box.write([Self.path: nil])
    #expect(try box.takeBackEmptied(editing) == [])
    #expect(!box.exists(Self.path))
  }
}
