import NoteIndex
import Testing

@Suite struct ExcludedPathsTests {
  @Test(arguments: [
    ("Templates", "Templates/a.md", true), ("Templates/", "Templates/b/a.md", true),
    ("Templates/", "Templates.md", false), ("Templates", "Templates2/a.md", false),
    ("templates/", "Templates/a.md", true), ("./Templates", "Templates/a.md", true),
    ("/Templates", "Templates/a.md", true), ("Templates", "x/Templates/a.md", false),
    ("*/Templates/", "x/Templates/a.md", true), ("**/Templates/", "Templates/a.md", true),
    ("**/Templates/", "x/y/Templates/a.md", true), ("a/**/b.md", "a/b.md", true),
    ("a/**/b.md", "a/c/d/b.md", true), ("*.excalidraw.md", "x/a.excalidraw.md", true),
    ("*.excalidraw.md", "x/a.md", false), ("day-?.md", "day-1.md", true), ("day-?.md", "day-10.md", false),
    ("Übung/", "U\u{308}bung/a.md", true), ("a.md", "a.md", true), ("a.md", "b/a.md", false),
  ])
  func anEntryCoversPaths(entry: String, path: String, isCovered: Bool) {
    let excluded = ExcludedPaths([.init(entry, source: "exclude")])
    #expect(excluded.covers(Array(path.utf8)) == isCovered, "\(entry) \(path)")
  }

  @Test(arguments: [
    ("Notes/Draw", "Notes/Drawing.md", true), ("Notes/", "Notes/a.md", true), ("Notes", "Notes2/a.md", true),
    ("Notes", "a/Notes/b.md", false),
  ])
  func anEntryOfObsidianCoversWhatBeginsWithIt(entry: String, path: String, isCovered: Bool) {
    let excluded = ExcludedPaths([.init(entry, source: "app.json", isBeginning: true)])
    #expect(excluded.covers(Array(path.utf8)) == isCovered, "\(entry) \(path)")
  }

  @Test func theCoveringEntryIsNamed() {
    let excluded = ExcludedPaths([.init("a/", source: "one"), .init("b/", source: "two")])
    #expect(excluded.pattern(covering: Array("b/x.md".utf8))?.source == "two")
    #expect(!ExcludedPaths([]).covers(Array("a.md".utf8)))
  }
}
