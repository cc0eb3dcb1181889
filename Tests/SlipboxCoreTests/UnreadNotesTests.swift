import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

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
      _ = try snapshot.applying(
        [.set(field: field, value: value)], to: note, kind: "task", try snapshot.recordEditor())
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
    let text = try snapshot.applying(
      [.set(field: "priority", value: "high")], to: note, kind: "task", try snapshot.recordEditor())
    #expect(String(decoding: text.bytes, as: UTF8.self) == "---\nkind: task\npriority: high\n---\n")
  }
}
