import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// A box whose notes can't be read says so, and never that a record does not exist.
@Suite struct UnreadNotesTests {
  @Test(arguments: [("group", "Work"), ("priorty", "high")])
  func noChangeIsMadeWithoutThem(field: String, value: String) throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder).box
    let failure = SlipboxError(.inputOutput, "the disk is gone")
    let snapshot = BoxSnapshot(box, .workTree, settings: Settings([]), context(in: folder.path)) {
      (_) throws(SlipboxError) in throw failure
    }
    let note = Note(path: Array("a.md".utf8), text: NoteText(Array("---\nkind: task\n---\n".utf8)))
    let found = #expect(throws: SlipboxError.self) {
      _ = try ChangeRecords(in: snapshot).applying(
        [.set(field: field, value: value)], to: note, kind: "task")
    }
    #expect(found?.kind == .inputOutput && found?.message == failure.message)
  }

  @Test func aChangeThatNeedsNoneOfThemIsMade() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder).box
    let snapshot = BoxSnapshot(box, .workTree, settings: Settings([]), context(in: folder.path)) {
      (_) throws(SlipboxError) in throw SlipboxError(.inputOutput, "the disk is gone")
    }
    let note = Note(path: Array("a.md".utf8), text: NoteText(Array("---\nkind: task\n---\n".utf8)))
    let text = try ChangeRecords(in: snapshot).applying(
      [.set(field: "priority", value: "high")], to: note, kind: "task")
    #expect(String(decoding: text.bytes, as: UTF8.self) == "---\nkind: task\npriority: high\n---\n")
  }

  /// A file is sparse here: it has a size and no contents.
  @Test(arguments: [true, false])
  func `names a note over the size limit and reads none of it`(isLink: Bool) throws {
    let folder = try TemporaryFolder()
    _ = try makeBox(in: folder)
    try folder.write("a.md", "# A\n")
    let name = isLink ? "data/big.bin" : "big.md"
    try folder.write(name, "")
    #expect(truncate(folder.path + "/" + name, 300 << 20) == 0)
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/big.md", withDestinationPath: "data/big.bin")
    }
    for _ in 0..<2 {
      let snapshot = try BoxInTest(at: folder.bytes, context(in: folder.path)).now
      #expect(try snapshot.catalogue().entries.count == 1)
      let unreadable = try snapshot.unreadableNotes()
      #expect(unreadable.map { String(decoding: $0.path, as: UTF8.self) } == ["big.md"])
      #expect(unreadable.map(\.reason) == ["300 MB, over the limit of 64 MB for a note"])
      #expect(try OutsideChanges(in: snapshot).notes().map(\.path) == [Array("a.md".utf8)])
      #expect(try OutsideChanges(in: snapshot).unread().count == (isLink ? 0 : 1))
      #expect(try BoxCheck(in: snapshot).findings().contains { $0.rule == .unreadable })
    }
  }

  @Test func `refuses only answers that need a text which can't be read`() throws {
    let folder = try TemporaryFolder()
    _ = try makeBox(in: folder)
    let text = "# A\n\nsourdough bread\n"
    try folder.write("a.md", text)
    let snapshot = try BoxInTest(at: folder.bytes, context(in: folder.path)).now
    let note = try #require(try snapshot.catalogue().entries.first).note
    let search = { try snapshot.search(try snapshot.query(["sourdough"])).count }
    try FileManager.default.removeItem(atPath: folder.path + "/a.md")
    #expect(throws: SlipboxError.self) { try note.text }
    #expect(throws: SlipboxError.self) { try search() }
    #expect(throws: SlipboxError.self) { try snapshot.note(at: note.path) }
    #expect(try snapshot.matches(try snapshot.query(["path:a.md"])).count == 1)
    try folder.write("a.md", text)
    #expect(try String(decoding: note.text.bytes, as: UTF8.self) == text)
    #expect(try search() == 1)
  }

  @Test func `tells whether a note over the size limit is committed`() throws {
    let folder = try TemporaryFolder()
    _ = try makeBox(in: folder)
    let unread = {
      try OutsideChanges(in: BoxInTest(at: folder.bytes, context(in: folder.path)).now).unread()
    }
    try folder.write("big.md", "")
    #expect(truncate(folder.path + "/big.md", 65 << 20) == 0)
    #expect(try unread().count == 1)
    try folder.git("add", "big.md")
    try folder.git("commit", "-q", "-m", "Big")
    #expect(try unread().isEmpty)
    #expect(truncate(folder.path + "/big.md", 66 << 20) == 0)
    #expect(try unread().count == 1)
  }
}
