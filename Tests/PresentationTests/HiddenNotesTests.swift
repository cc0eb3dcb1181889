import NoteIndex
import Notes
import SlipboxTesting
import Testing
import Text

@testable import Presentation
@testable import SlipboxCore

/// The names of notes that are not on a site, in texts and fields of those that are.
struct HiddenNotesTests {
  private static func entry(_ path: String, _ text: String) -> Entry {
    let note = Note(path: Array(path.utf8), text: NoteText(Array(text.utf8)))
    return Entry(note: note, created: Timestamp(seconds: 0, offsetSeconds: 0))
  }

  /// Two notes, of which the one in the folder is hidden.
  private static let catalogue = Catalogue([
    entry("open.md", "# Open\n"), entry("home/secret plan.md", "# Secret\n"), entry("plan.md", "# Plan\n"),
  ])

  private static func hidden() throws -> HiddenNotes {
    let entries = catalogue.entries
    let shown = entries.indices.filter { entries.path(at: $0) == Array("open.md".utf8) }
    return HiddenNotes(entries, shown: shown, files: [:])
  }

  @Test(
    arguments: [
      ("home/secret plan.md", true), ("/home/secret plan.md", true), ("./home/secret plan.md", true),
      ("home/secret plan", true), ("/home/secret plan", true), ("plan.md", true), ("/plan.md", true),
      // One word may be a name of anything.
      ("plan", false), ("secret plan.md", false), ("open.md", false), ("home/secret", false), ("", false),
      ("/", false),
    ]) func `a text names a hidden note by its whole path`(text: String, isHidden: Bool) throws
  {
    let notes = try Self.hidden()
    let place = notes.place(ofPath: text)
    #expect((place != nil) == isHidden)
    if let place { #expect(notes.contains(place)) }
  }

  @Test func `nothing is hidden on a site of all notes`() {
    let entries = Self.catalogue.entries
    let notes = HiddenNotes(entries, shown: Array(entries.indices), files: [:])
    #expect(notes.isEmpty && notes.place(ofPath: "plan.md") == nil)
  }

  @Test func `fields keep what names no hidden note`() throws {
    let text = """
      ---
      see: home/secret plan
      all: [open.md, /plan.md, other]
      map: {first: plan.md, second: "free text"}
      title: Open
      ---

      """
    let note = Self.entry("open.md", text).note
    let names = HiddenNames(note, [], files: [], try Self.hidden())
    #expect(names.names.map(\.field) == ["see", "all", "map"])
    #expect(names.names.map(\.line) == [2, 3, 4])
    let shown = try #require(names.presented(note, heading: nil))
    #expect(shown.value(of: "see") ?? [] == [])
    #expect(shown.value(of: "all") == ["open.md", "other"])
    #expect(shown.title == "Open")
    guard case .map(let entries)? = shown.frontMatter["map"] else {
      Issue.record("the map is gone")
      return
    }
    #expect(entries.map(\.value.text) == [nil, "free text"])
  }
}
