import Git
import Notes
import Testing

@testable import SlipboxCore

/// Names that a merge makes, settings with markers, and names of copies.
@Suite struct MergePartsTests {
  private func beside(_ path: String) throws -> String {
    let id = try #require(NoteID("kqzmvtrp"))
    let file = MergedFile(blob: .zero, mode: 0o100644, origin: .zero, id: id)
    let made = TreeMerge<RepositoryMergeStore>.path(beside: Array(path.utf8), file)
    return String(decoding: made, as: UTF8.self)
  }

  @Test func `a name beside another fits the file system`() throws {
    #expect(try beside("d/a.md") == "d/a-kqzmvtrp.md")
    let long = String(repeating: "x", count: 244)
    #expect(try beside("d/\(long).md") == "d/\(long.dropLast(1))-kqzmvtrp.md")
    let wide = String(repeating: "ä", count: 126)
    let made = try beside("\(wide).md")
    #expect(made.utf8.count <= 255 && made.hasSuffix("ä-kqzmvtrp.md"), "\(made)")
  }

  @Test func `settings with markers have the keys of both versions`() throws {
    let text = "a: 1\n<<<<<<< x\ninbox: Foo\nb: 2\n=======\ninbox: Bar\nc: 3\n>>>>>>> y\n"
    let merged = try #require(SettingsMerge.settled(Array(text.utf8)))
    let lines = Set(String(decoding: merged, as: UTF8.self).split(separator: "\n"))
    #expect(lines == ["a: 1", "inbox: Foo", "b: 2", "c: 3", "# slip: not taken: inbox: Bar"])
    #expect(SettingsMerge.settled(Array("a: 1\n".utf8)) == nil)
    #expect(SettingsMerge.settled(Array("a: 1\n<<<<<<< x\nb: 2\n".utf8)) == nil)
  }

  @Test func `two fields that both sides add to a kind are both kept`() throws {
    let base = "fields:\n  shade:\n    type: text\n"
    let (one, other) = (base + "  right:\n    type: text\n", base + "  left:\n    type: integer\n")
    let merged = try #require(
      SettingsMerge.merge(base: Array(base.utf8), one: Array(one.utf8), other: Array(other.utf8)))
    let mirrored = try #require(
      SettingsMerge.merge(base: Array(base.utf8), one: Array(other.utf8), other: Array(one.utf8)))
    let text = String(decoding: merged.bytes, as: UTF8.self)
    #expect(merged.contested.isEmpty && merged.bytes == mirrored.bytes)
    #expect(text.contains("  right:\n    type: text\n") && text.contains("  left:\n    type: integer\n"))
    // One field of two types is a conflict.
    let twice = (base + "  left:\n    type: text\n", other)
    let contested = try #require(
      SettingsMerge.merge(base: Array(base.utf8), one: Array(twice.0.utf8), other: Array(twice.1.utf8)))
    #expect(contested.contested == ["fields"])
  }

  @Test(
    arguments: [
      ("d/a (Case Conflict).md", "d/a.md"), ("a (Case Conflict 1).md", "a.md"), ("a copy.md", "a.md"),
      ("a copy 2.md", "a.md"), ("a 2.md", "a.md"), ("photocopy.md", nil), (" copy.md", nil),
    ] as [(String, String?)])
  func `names tell of what a file is a copy`(name: String, original: String?) {
    let copy = ConflictCopy(Array(name.utf8))
    #expect(copy.map { String(decoding: $0.original, as: UTF8.self) } == original)
    #expect(original == nil || ConflictCopy.mayBeOne(Array(name.utf8)))
  }
}
