import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// Bodies come from a textarea, which knows line feeds alone, and lines that were not changed keep their bytes.
struct SentBodyTests {
  private static let head = "---\nid: kqzmvtrb\ntitle: A\n---\n"

  @Test(arguments: [
    // What equals the base but for line ends is the base.
    ("a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n"), ("a\r\nb\nc\rd\r\n", "a\nb\nc\nd\n", "a\r\nb\nc\rd\r\n"),
    ("a\rb\rc", "a\nb\nc", "a\rb\rc"), ("a\r\r\nb\n", "a\n\nb\n", "a\r\r\nb\n"), ("", "", ""),
    // A changed line takes the usual end, the others keep theirs.
    ("a\r\nb\r\nc\n", "a\nB\nc\n", "a\r\nB\r\nc\n"), ("a\nb\nc\r\n", "a\nb\nC\n", "a\nb\nC\n"),
    ("a\rb\nc\n", "a\nb\nC\n", "a\rb\nC\n"), ("a\r\nb\r\n", "new\na\nb\n", "new\r\na\r\nb\r\n"),
    // A missing last line end.
    ("a\r\nb", "a\nb", "a\r\nb"), ("a\r\nb", "A\nb", "A\r\nb"), ("a\r\nb", "a\nb\n", "a\r\nb\r\n"),
    ("a\nb", "a\nc", "a\nc\n"), ("a\nb", "a\nb\nc", "a\nb\nc\n"), ("a\nb\n", "a\nb", "a\nb\n"),
    ("a\nb", "b\na", "b\na\n"),
    // A return that comes before an empty line ends a line still.
    ("a\r\nb\rc\n\nd\n", "a\nb\n\nd\n", "a\r\nb\r\r\nd\n"),
    ("", "a\nb", "a\nb\n"), ("a\n", "", ""),
  ])
  func keepsLineEnds(_ base: String, _ sent: String, _ wanted: String) {
    let note = NoteText(Array((Self.head + base).utf8))
    #expect(String(decoding: SentBody(sent, changing: note).bytes, as: UTF8.self) == wanted)
  }

  /// A text without lines takes the line end of its front-matter.
  @Test func anEmptyBodyTakesTheEndOfItsFile() {
    let note = NoteText(Array("---\r\ntitle: A\r\n---\r\n".utf8))
    #expect(SentBody("a\nb", changing: note).bytes == Array("a\r\nb\r\n".utf8))
  }

  private func save(_ page: PageInTest, _ etag: String, _ body: String) throws -> PageAnswerInTest {
    let text = try #require(String(data: JSONEncoder().encode(body), encoding: .utf8))
    return page.post(
      "/api/change", "{\"notes\":[{\"ref\":\"kqzmvtrb\",\"etag\":\"\(etag)\"}],\"body\":\(text)}")
  }

  @Test func aBodyThatIsTheSameIsNoCommit() throws {
    let text = "---\r\nid: kqzmvtrb\r\ntitle: A\r\n---\r\none\r\ntwo\nthree\rfour\r\n"
    let page = try PageInTest(["a.md": text])
    let answer = try save(page, page.etag("kqzmvtrb"), "one\ntwo\nthree\nfour\n")
    #expect(answer.status == 200)
    #expect(answer.json["operation"] is NSNull)
    #expect(page.commits == 1)
    #expect(try save(page, page.etag("kqzmvtrb"), "one\nTWO\nthree\nfour\n").status == 200)
    #expect(
      page.text("a.md") == "---\r\nid: kqzmvtrb\r\ntitle: A\r\n---\r\none\r\nTWO\r\nthree\rfour\r\n")
  }

  /// The lines are those of the text that the page has read, also where another one stands there by now.
  @Test func aStaleBodyKeepsTheEndsOfItsBase() throws {
    let page = try PageInTest(["a.md": Self.head + "one\r\n\r\ntwo\r\n\r\nthree\r\n"])
    let etag = page.etag("kqzmvtrb")
    try page.folder.write("a.md", Self.head + "one\r\n\r\ntwo\r\n\r\nTHREE\r\n")
    #expect(try save(page, etag, "ONE\n\ntwo\n\nthree\n").status == 200)
    #expect(page.text("a.md") == Self.head + "ONE\r\n\r\ntwo\r\n\r\nTHREE\r\n")
    #expect(try save(page, etag, "one\n\ntwo\n\nthree\n").json["operation"] is NSNull)
  }
}
