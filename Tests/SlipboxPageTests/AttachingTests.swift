import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// Pictures that a page attaches to a note.
@Suite struct AttachingTests {
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
  static let files = [
    "ada.md": "---\nid: kqzmvtrb\ntitle: Ada\n---\nBefore.\r\nä𝄞 after.\n",
    "Notes/My Garden!.md": "---\nid: bbbbbbbc\n---\nText\n",
  ]

  private func attach(
    _ page: PageInTest, _ ref: String = "kqzmvtrb", place: Int = 0, _ bytes: [UInt8] = png,
    key: String = UUID().uuidString, type: String = "application/octet-stream", etag: String? = nil
  ) -> PageAnswerInTest {
    let target =
      "/api/attach?ref=\(ref)&etag=\(etag ?? page.etag(ref))&place=\(place)&idempotencyKey=\(key)"
    let headers = PageInTest.headers + [(name: "Content-Type", value: type)]
    return PageAnswerInTest(page.server.answer(PageRequest("POST", target, headers: headers, body: bytes)))
  }

  @Test func `adds the file and its link in one commit`() throws {
    let page = try PageInTest(Self.files)
    // In units of UTF-16, with a line feed for each line end.
    let answer = attach(page, place: 8 + 4)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(page.text("ada.md")?.hasSuffix("Before.\r\nä𝄞 ![](images/ada.png)after.\n") == true)
    #expect(page.folder.read("images/ada.png") == Self.png)
    #expect(page.commits == 2)
    #expect(try page.folder.git("status", "--porcelain").isEmpty)
    #expect(answer.json["subject"] as? String == "Attach ada.png: Ada")
    #expect(Set(page.get("/api/list?q=").titles) == ["Ada", "My Garden!"])
    #expect(page.get("/api/file?path=images/ada.png").response.bytes == Self.png)
    let undo = page.post("/api/undo", "{}")
    #expect(undo.status == 200, "\(undo.text)")
    #expect(page.folder.read("images/ada.png") == nil)
    #expect(page.text("ada.md") == Self.files["ada.md"])
  }

  @Test func `names files after the note, and no file twice`() throws {
    let page = try PageInTest(Self.files)
    #expect(attach(page, "bbbbbbbc").status == 200)
    #expect(attach(page, "bbbbbbbc", [0xFF, 0xD8, 0xFF]).status == 200)
    #expect(attach(page, "bbbbbbbc").status == 200)
    #expect(page.folder.read("Notes/images/my-garden.png") == Self.png)
    #expect(page.folder.read("Notes/images/my-garden.jpg") != nil)
    #expect(page.folder.read("Notes/images/my-garden-2.png") == Self.png)
  }

  @Test func `applies a repeated request once`() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("kqzmvtrb")
    for _ in 1...2 { #expect(attach(page, key: "k1", etag: etag).status == 200) }
    #expect(page.commits == 2)
    #expect(page.folder.read("images/ada-2.png") == nil)
  }

  @Test func `merges with a change of the text elsewhere`() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("kqzmvtrb")
    try page.folder.write("ada.md", (Self.files["ada.md"] ?? "") + "More.\n")
    #expect(attach(page, place: 0, etag: etag).status == 200)
    let text = page.text("ada.md") ?? ""
    #expect(text.contains("![](images/ada.png)Before.") && text.hasSuffix("More.\n"), "\(text)")
  }

  @Test(arguments: [
    "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<!doctype html>", "", "GIF", "RIFF0000WAVE", "%PDF-1.7",
  ])
  func `refuses what is no picture`(_ text: String) throws {
    let page = try PageInTest(Self.files)
    #expect(attach(page, "kqzmvtrb", Array(text.utf8)).status == 422)
    #expect(page.commits == 1)
    #expect(page.text("ada.md") == Self.files["ada.md"])
  }

  @Test func `refuses other types, long files, ignored files and unknown notes`() throws {
    let page = try PageInTest(Self.files)
    #expect(attach(page, type: "image/png").status == 415)
    #expect(attach(page, type: "application/json").status == 415)
    #expect(attach(page, etag: "x").status == 400)
    #expect(attach(page, key: "").status == 400)
    #expect(attach(page, "zzzzzzzz", etag: page.etag("kqzmvtrb")).status == 404)
    #expect(
      attach(page, "kqzmvtrb", Self.png + [UInt8](repeating: 0, count: RequestGuard.mostPictureBytes)).status
        == 413)
    try page.folder.write(".gitignore", "*.png\n")
    #expect(attach(page).status == 422)
    #expect(page.folder.read("images/ada.png") == nil)
    #expect(page.text("ada.md") == Self.files["ada.md"])
  }

  @Test func `needs the token, and changes nothing in a read-only page`() throws {
    let page = try PageInTest(Self.files, isReadOnly: true)
    #expect(attach(page).status == 403)
    let target = "/api/attach?ref=kqzmvtrb&etag=\(page.etag("kqzmvtrb"))&place=0&idempotencyKey=k"
    let headers = [PageInTest.headers[0], (name: "Content-Type", value: "application/octet-stream")]
    let answer = page.server.answer(PageRequest("POST", target, headers: headers, body: Self.png))
    #expect(answer.status == 401)
    #expect(page.commits == 1)
  }
}
