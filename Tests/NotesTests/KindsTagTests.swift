import Notes
import Testing

@Suite struct KindsTagTests {
  private static func tags(_ line: String, _ words: String...) throws -> [String] {
    let changes = words.compactMap { Change($0) }
    let text = try Kinds.editor().apply(changes, to: Kinds.text("title: A", line), isNew: false).text
    return Kinds.lines(text).filter { $0 != "title: A" }
  }

  @Test(arguments: [
    ("a: b", "+x", ["a: b"], "tags: [x]"), ("tags: [x, V]", "+v", [], "tags: [x, V]"),
    ("tags: [x, V]", "-v", [], "tags: [x]"), ("tags: x, v", "+z", [], "tags: x, v, z"),
    ("tags: x v", "+z", [], "tags: x v z"), ("tags: x v", "-x", [], "tags: v"),
    ("tags: x, v", "-x", [], "tags: v"),
    ("tags: x", "+v", [], "tags: x, v"), ("tags: [x]", "+#v", [], "tags: [x, v]"),
    ("tags: [x]", "tags:a,b", [], "tags: [a, b]"), ("tags: x, v", "tags:a,b", [], "tags: a, b"),
    ("keywords: [x]", "+v", [], "keywords: [x, v]"), ("tags: x, Tag 1", "-x", [], "tags: [Tag 1]"),
  ]) func tagsKeepTheirStyle(line: String, change: String, before: [String], after: String) throws {
    #expect(Set(try Self.tags(line, change)) == Set(before + [after]))
  }

  @Test func theLastTagTakesTheFieldWithIt() throws {
    #expect(try Self.tags("tags: [x]", "-x") == [])
    #expect(try Self.tags("tags: [x]", "tags:") == [])
  }

  @Test func inlineTagsAreKeptUnlessTold() throws {
    let text = NoteText(Array("---\ntags: [a]\n---\nsome #work here\n".utf8))
    #expect(Kinds.refusals(text, "-work") == ["tags: #work is in the text, line 4"])
    let after = try Kinds.editor(dropsInlineTags: true).apply([.removeTag("Work")], to: text, isNew: false)
      .text
    #expect(String(decoding: after.bytes, as: UTF8.self) == "---\ntags: [a]\n---\nsome work here\n")
    #expect(try Kinds.set(text, "+Work").bytes == text.bytes)
  }

  @Test func noTagIsEmptyOrHoldsAComma() {
    #expect(!Kinds.refusals(Kinds.text("a: b"), "+a,b").isEmpty)
    #expect(!Kinds.refusals(Kinds.text("a: b"), "+#").isEmpty)
  }
}
