import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// A change that is requested a second time with the same idempotency key is not applied again.
struct IdempotencyKeysTests {
  private static let files = ["a.md": "---\nid: kqzmvtrb\ntitle: A\n---\none\n"]

  private func save(_ page: PageInTest, _ word: String, _ rest: String) -> PageAnswerInTest {
    page.post(
      "/api/change", "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\(rest),\"idempotencyKey\":\"\(word)\"}")
  }

  @Test func whatWasTakenBackDoesNotComeBack() throws {
    let page = try PageInTest(Self.files)
    let first = save(page, "aA-1", "\"body\":\"two\\n\"")
    #expect(first.json["already"] == nil)
    #expect(first.json["operation"] is String)
    #expect(page.post("/api/undo", "{}").status == 200)
    let again = save(page, "aA-1", "\"body\":\"two\\n\"")
    #expect(again.status == 200)
    #expect(again.json["already"] as? Bool == true)
    #expect(again.json["operation"] is NSNull)
    #expect(again.titles == ["A"])
    #expect(again.notes[0]["etag"] as? String == page.etag("kqzmvtrb"))
    #expect(page.text("a.md") == Self.files["a.md"])
    #expect(save(page, "other", "\"body\":\"two\\n\"").json["operation"] is String)
  }

  @Test func whatWasRefusedCanBeTriedAgain() throws {
    let page = try PageInTest(Self.files)
    #expect(save(page, "x", "\"changes\":[\"id:bbbbbbbc\"]").status == 422)
    #expect(save(page, "x", "\"changes\":[\"+t\"]").json["operation"] is String)
    for word in ["", "a b", "ä", String(repeating: "a", count: 41)] {
      #expect(save(page, word, "\"changes\":[\"+u\"]").status == 400)
    }
    let deletion = "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"idempotencyKey\":\"a\"}"
    #expect(page.post("/api/rm", deletion).status == 400)
  }

  @Test func wordsOutliveTheServer() throws {
    let folder = try TemporaryFolder()
    let file = IdempotencyKeys.file(besideRecord: folder.bytes + Array("/state/page-1".utf8))
    let words = IdempotencyKeys(keptIn: file)
    for number in 0..<520 { words.add("w\(number)", refs: ["r"]) }
    #expect(words.refs(of: "w519") == ["r"])
    #expect(words.refs(of: "w20") == ["r"])
    #expect(words.refs(of: "w19") == nil)
    let later = IdempotencyKeys(keptIn: file)
    #expect(later.refs(of: "w320") == [])
    #expect(later.refs(of: "w319") == nil)
    let page = try PageInTest(Self.files, idempotencyKeys: later)
    let answer = save(page, "w519", "\"body\":\"two\\n\"")
    #expect(answer.json["already"] as? Bool == true)
    #expect(answer.titles == ["A"])
    #expect(page.commits == 1)
  }

  @Test func whatCanNotBeKeptIsNoFault() throws {
    let words = IdempotencyKeys(keptIn: Array("/proc/none/words".utf8))
    words.add("a", refs: [])
    #expect(words.refs(of: "a") == [])
    let folder = try TemporaryFolder()
    try folder.write("words", "a\nnot a word\nb-c\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/words")
    let read = IdempotencyKeys(keptIn: folder.bytes + Array("/words".utf8))
    #expect(read.refs(of: "b-c") == [])
    #expect(read.refs(of: "not a word") == nil)
  }
}
