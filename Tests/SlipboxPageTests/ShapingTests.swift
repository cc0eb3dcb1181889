import SlipboxTesting
import Testing

@testable import SlipboxPage

/// Tags and folders are renamed over the whole box, with a preview and an undo.
struct ShapingTests {
  private static let files = [
    "a.md": "---\ntitle: A\ntags: [soil, soil/field]\n---\n#soil and [B](garden/b.md)\n",
    "garden/b.md": "---\ntitle: B\ntags: [compost]\n---\n[A](../a.md)\n",
    "garden/beds/c.md": "---\ntitle: C\n---\ntext\n",
  ]

  @Test func `renames a tag with the tags below it, and undo restores it`() throws {
    let page = try PageInTest(Self.files)
    let preview = page.post("/api/tag", #"{"tag":"soil","to":"earth","preview":true}"#)
    #expect(preview.json["count"] as? Int == 1)
    #expect((preview.json["patch"] as? String)?.contains("+tags: [earth, earth/field]") == true)
    #expect(page.commits == 1)
    let answer = page.post("/api/tag", #"{"tag":"soil","to":"earth"}"#)
    #expect(answer.status == 200)
    #expect(
      page.text("a.md") == "---\ntitle: A\ntags: [earth, earth/field]\n---\n#earth and [B](garden/b.md)\n")
    #expect(page.commits == 2)
    #expect(page.post("/api/undo", "{}").status == 200)
    #expect(page.text("a.md") == Self.files["a.md"])
  }

  @Test func `merges tags only if the request says so`() throws {
    let page = try PageInTest(Self.files)
    #expect(page.post("/api/tag", #"{"tag":"compost","to":"soil"}"#).status == 422)
    #expect(page.post("/api/tag", #"{"tag":"compost","to":"soil","merge":true}"#).status == 200)
    #expect(page.text("garden/b.md")?.contains("tags: [soil]") == true)
    #expect(page.post("/api/tag", #"{"tag":"none","to":"other"}"#).status == 404)
    #expect(page.post("/api/tag", #"{"tag":"soil"}"#).status == 400)
  }

  @Test func `moves a folder with its notes, and links follow`() throws {
    let page = try PageInTest(Self.files)
    let answer = page.post("/api/folder", #"{"folder":"garden","to":"yard"}"#)
    #expect(answer.status == 200)
    #expect(page.text("garden/b.md") == nil)
    #expect(page.text("yard/beds/c.md") == Self.files["garden/beds/c.md"])
    #expect(page.text("a.md")?.contains("[B](yard/b.md)") == true)
    #expect(page.commits == 2)
    #expect(page.post("/api/undo", "{}").status == 200)
    #expect(page.text("garden/b.md") == Self.files["garden/b.md"])
  }

  @Test func `moves a folder into another one`() throws {
    let page = try PageInTest(Self.files)
    #expect(page.post("/api/folder", #"{"folder":"garden/beds","to":"./"}"#).status == 200)
    #expect(page.text("beds/c.md") == Self.files["garden/beds/c.md"])
    #expect(page.post("/api/folder", #"{"folder":"garden","to":"garden/beds"}"#).status == 422)
    #expect(page.post("/api/folder", #"{"folder":"none","to":"other"}"#).status == 404)
    #expect(page.post("/api/folder", #"{"folder":"garden","to":"../other"}"#).status == 422)
  }

  @Test func `makes a note in a folder`() throws {
    let page = try PageInTest(Self.files)
    let answer = page.post("/api/new", #"{"title":"D","folder":"garden"}"#)
    #expect(answer.status == 200)
    #expect((answer.notes.first?["path"] as? String)?.hasPrefix("garden/d-") == true)
    #expect(page.post("/api/new", #"{"title":"E","folder":"../other"}"#).status == 422)
  }
}
