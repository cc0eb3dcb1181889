import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// The check boxes that numbers and lines name after a list.
@Suite struct ListedBoxTests {
  private func listed(_ before: String, then after: String) throws -> (box: WritingBox, snapshot: BoxSnapshot)
  {
    let box = try WritingBox(["a.md": before])
    let snapshot = try box.snapshot()
    LastList(in: snapshot).remember(try TodoList(in: snapshot).open(snapshot.query([])).todos)
    try box.folder.write("a.md", after)
    return (box, try box.snapshot())
  }

  @Test func `a number names its box wherever it moved`() throws {
    let (box, snapshot) = try listed("- [ ] a\n- [ ] b\n", then: "text\n\n- [ ] a\n- [ ] b\n")
    defer { withExtendedLifetime(box) {} }
    #expect(try TickBoxes(in: snapshot).namedBoxes("@2").part == .lines(4...4))
    #expect(try NoteLookup(in: snapshot).entry("@2", fuzzy: false).note.path == Array("a.md".utf8))
    #expect(throws: SlipboxError.self) { try TickBoxes(in: snapshot).namedBoxes("@3") }
  }

  @Test func `an old line is refused, and a box that is gone`() throws {
    let (box, snapshot) = try listed("- [ ] a\n- [ ] b\n", then: "- [ ] new\n- [ ] a\n")
    defer { withExtendedLifetime(box) {} }
    let error = #expect(throws: SlipboxError.self) { try TickBoxes(in: snapshot).namedBoxes("a.md:1") }
    #expect(error?.message.description.contains("that is line 2 now") == true)
    #expect(throws: SlipboxError.self) { try TickBoxes(in: snapshot).namedBoxes("@2") }
  }
}
