import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// What a commit changed in a text, and what becomes of records that refer to what is deleted.
struct DiffTests {
  @Test func aCommitShowsTheWordsThatItChanged() throws {
    let page = try PageInTest(["a.md": "---\ntitle: A\n---\none two three\n"])
    let body = "{\"notes\":[{\"ref\":\"a.md\"}],\"body\":\"one 2 three\\n\"}"
    #expect(page.post("/api/change", body).status == 200)
    let entries = page.get("/api/history?ref=a.md").json["entries"] as? [[String: Any]] ?? []
    let commit = try #require(entries.first?["commit"] as? String)
    let hunks = page.get("/api/diff?ref=a.md&commit=\(commit)").json["hunks"] as? [[String: Any]] ?? []
    let pieces = (hunks.first?["pieces"] as? [[String: String]] ?? [])
    #expect(pieces.compactMap { $0["removed"] } == ["two"])
    #expect(pieces.compactMap { $0["added"] } == ["2"])
    #expect(page.get("/api/diff?ref=a.md&commit=0000").status == 404)
    #expect(page.get("/api/diff?ref=x.md&commit=\(commit)").status == 404)
  }

  @Test(arguments: ["detach", "cascade"]) func recordsThatReferAreDealtWithAsAsked(way: String) throws {
    let files = [
      "g.md": "---\nid: kqzmvtrb\ntitle: Home\nkind: group\n---\n",
      "t.md": "---\nid: bbbbbbbc\ntitle: Paint\nkind: task\ngroup: kqzmvtrb\n---\n",
    ]
    let page = try PageInTest(files)
    let notes = "\"notes\":[{\"ref\":\"kqzmvtrb\"}]"
    let refused = page.post("/api/rm", "{\(notes)}")
    #expect(refused.status == 422 && refused.code == "has-referrers")
    // Options of the command are of no use on the page.
    let error = refused.json["error"] as? [String: Any]
    #expect((error?["hints"] as? [String])?.contains { $0.contains("--") } == false)
    #expect(page.post("/api/rm", "{\(notes),\"referrers\":\"all\"}").status == 400)
    #expect(page.post("/api/rm", "{\(notes),\"referrers\":\"\(way)\"}").status == 200)
    #expect(page.text("g.md") == nil)
    #expect(page.text("t.md").map { $0.contains("group:") } == (way == "detach" ? false : nil))
  }

  @Test func `shows and restores a note without an id from before a rename`() throws {
    let old = "# Alpha\n\nThe first line.\nThe second line.\n"
    let before = try PageInTest(["a.md": "# Alpha\n\nThe first line.\n"])
    try before.folder.write("a.md", old)
    try before.folder.git("commit", "-q", "-a", "-m", "Edit")
    try before.folder.git("mv", "a.md", "b.md")
    try before.folder.write("b.md", old + "More.\n")
    try before.folder.git("commit", "-q", "-a", "-m", "Rename")
    let page = try before.restarted()
    let answer = page.get("/api/note?ref=b.md&at=HEAD~1")
    #expect(answer.status == 200 && answer.json["ref"] as? String == "b.md")
    #expect((answer.json["note"] as? [String: Any])?["path"] as? String == "a.md")
    let past = page.get("/api/history?ref=b.md&at=HEAD~1").json["entries"] as? [[String: Any]] ?? []
    #expect(past.count == 2)
    let entries = page.get("/api/history?ref=b.md").json["entries"] as? [[String: Any]] ?? []
    #expect(entries.count == 3)
    for entry in entries.prefix(2) {
      let commit = try #require(entry["commit"] as? String)
      #expect(page.get("/api/diff?ref=b.md&commit=\(commit)").status == 200)
    }
    #expect(page.post("/api/restore", "{\"ref\":\"b.md\",\"at\":\"HEAD~1\"}").status == 200)
    #expect(page.text("b.md") == old && page.text("a.md") == nil)
  }
}
