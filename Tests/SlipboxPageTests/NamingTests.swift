import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// How notes are named: by references, and by a page that has not heard of the last move of a file.
struct NamingTests {
  @Test func titlesTellTheNamesOfReferences() throws {
    let page = try PageInTest([
      ".slipbox/kinds/person.yaml": "key: handle\nfields:\n  handle: {type: text}\n",
      "a.md": "---\nid: kqzmvtrb\ntitle: Ada\nkind: person\nhandle: ada\n---\n",
      "b.md": "---\nid: bbbbbbbc\ntitle: Ben\nkind: person\n---\n",
      "g.md": "---\nid: cccccccd\ntitle: Home\nkind: group\n---\n",
    ])
    let notes = page.get("/api/titles?q=&kind=person").notes
    let names = Dictionary(
      uniqueKeysWithValues: notes.map { ($0["title"] as? String ?? "", $0["name"] as? String) })
    #expect(names == ["Ada": "ada", "Ben": nil])
    #expect(page.get("/api/titles?q=&kind=group").notes.map { $0["name"] as? String } == [nil])
    #expect(page.get("/api/titles?q=ada").notes.map { $0["name"] as? String } == [nil])
  }

  @Test func titlesOfNamesLeaveOutNotesThatAreGone() throws {
    let page = try PageInTest([
      "a.md": "---\nid: kqzmvtrb\ntitle: Ada\n---\n", "sub/b.md": "---\ntitle: Ben\n---\n",
    ])
    let notes = page.get("/api/titles?refs=sub/b.md%0Agone.md%0Akqzmvtrb").notes
    #expect(notes.map { $0["title"] as? String } == ["Ben", "Ada"])
    #expect(notes.map { $0["ref"] as? String } == ["sub/b.md", "kqzmvtrb"])
    #expect(notes.map { $0["path"] as? String } == ["sub/b.md", "a.md"])
  }

  private static let files = ["a.md": "---\ntitle: A\n---\none\n", "b.md": "---\ntitle: B\n---\ntwo\n"]

  /// Moves a file as another program does.
  private func move(_ page: PageInTest, _ path: String, to new: String) throws {
    let text = try #require(page.text(path))
    try page.folder.write(new, text)
    try FileManager.default.removeItem(atPath: page.folder.path + "/" + path)
  }

  private func save(_ page: PageInTest, _ etag: String) -> PageAnswerInTest {
    page.post("/api/change", "{\"notes\":[{\"ref\":\"a.md\",\"etag\":\"\(etag)\"}],\"body\":\"ONE\\n\"}")
  }

  @Test func aMovedFileIsFoundByItsBytes() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("a.md")
    try move(page, "a.md", to: "sub/moved.md")
    // The watch has not told of it yet.
    let read = page.get("/api/note?ref=a.md&etag=\(etag)")
    #expect(read.status == 200, "\(read.text)")
    #expect((read.json["note"] as? [String: Any])?["path"] as? String == "sub/moved.md")
    let answer = save(page, etag)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.notes.first?["path"] as? String == "sub/moved.md")
    #expect(page.text("sub/moved.md") == "---\ntitle: A\n---\nONE\n")
    #expect(page.get("/api/note?ref=a.md").status == 404)
    #expect(page.get("/api/note?ref=a.md&etag=\(etag)").status == 404)
    #expect(page.get("/api/note?ref=a.md&etag=x").status == 400)
  }

  @Test func severalOrNoneAreNotFound() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("a.md")
    try move(page, "a.md", to: "c.md")
    try page.folder.write("d.md", page.text("c.md") ?? "")
    #expect(save(page, etag).code == "not-found")
    try FileManager.default.removeItem(atPath: page.folder.path + "/d.md")
    try page.folder.write("c.md", "changed")
    #expect(save(page, etag).code == "not-found")
  }

  @Test func aNoteWhoseIDAnotherOneHasIsNamedByItsPath() throws {
    let page = try PageInTest([
      "a.md": "---\nid: kqzmvtrb\ntitle: A\n---\none\n", "b.md": "---\nid: kqzmvtrb\ntitle: B\n---\ntwo\n",
      "c.md": "---\nid: bbbbbbbc\ntitle: C\n---\n",
    ])
    #expect(page.get("/api/note?ref=kqzmvtrb").code == "ambiguous")
    #expect(page.get("/api/note?ref=b.md").json["ref"] as? String == "b.md")
    #expect(page.get("/api/note?ref=c.md").json["ref"] == nil)
  }
}
