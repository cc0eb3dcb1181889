import Foundation
import SlipboxTesting
import Synchronization
import Testing

@testable import SlipboxPage

/// A change that is requested a second time with the same idempotency key is not applied again.
struct IdempotencyKeysTests {
  private static let files = ["a.md": "---\nid: kqzmvtrb\ntitle: A\n---\none\n"]

  private func save(_ page: PageInTest, _ key: String, _ rest: String) -> PageAnswerInTest {
    page.send("/api/change", "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\(rest),\"idempotencyKey\":\"\(key)\"}")
  }

  @Test func `answers a repeated key with the first outcome and the present note`() throws {
    let page = try PageInTest(Self.files)
    let first = save(page, "aA-1", "\"body\":\"two\\n\"")
    #expect(first.json["already"] == nil)
    #expect(page.post("/api/undo", "{}").status == 200)
    let again = save(page, "aA-1", "\"body\":\"two\\n\"")
    #expect(again.status == 200)
    #expect(again.json["already"] as? Bool == true)
    #expect(again.json["operation"] as? String == first.json["operation"] as? String)
    #expect(again.json["subject"] as? String == first.json["subject"] as? String)
    #expect(again.titles == ["A"])
    #expect(again.notes[0]["etag"] as? String == page.etag("kqzmvtrb"))
    #expect(page.text("a.md") == Self.files["a.md"])
    #expect(save(page, "other", "\"body\":\"two\\n\"").json["operation"] is String)
  }

  @Test func `applies a key again after a refusal`() throws {
    let page = try PageInTest(Self.files)
    #expect(save(page, "x", "\"changes\":[\"id:bbbbbbbc\"]").status == 422)
    #expect(save(page, "x", "\"changes\":[\"+t\"]").json["operation"] is String)
    for key in ["", "a b", "ä", String(repeating: "a", count: 41)] {
      #expect(save(page, key, "\"changes\":[\"+u\"]").status == 400)
    }
  }

  @Test func `refuses every write without a key`() throws {
    let page = try PageInTest(Self.files)
    for route in WriteRoutes.all where route.path != RequestGuard.attachPath {
      let answer = page.send(route.path, "{}")
      #expect(answer.status == 400, "\(route.path)")
      #expect(answer.text.contains("idempotencyKey is missing"), "\(answer.text)")
    }
    #expect(page.commits == 1)
  }

  @Test(arguments: [
    ("/api/new", "\"title\":\"B\"", 2), ("/api/rm", "\"notes\":[{\"ref\":\"kqzmvtrb\"}]", 2),
    ("/api/filter", "\"name\":\"f\",\"query\":\"kind:note\"", 2),
    ("/api/change", "\"where\":\"@all\",\"expect\":1,\"changes\":[\"+t\"]", 2),
  ])
  func `applies a repeated write of every route once`(_ path: String, _ body: String, _ commits: Int) throws {
    let page = try PageInTest(Self.files)
    let first = page.send(path, "{\(body),\"idempotencyKey\":\"k\"}")
    #expect(first.status == 200, "\(first.text)")
    let again = page.send(path, "{\(body),\"idempotencyKey\":\"k\"}")
    #expect(again.status == 200, "\(again.text)")
    #expect(again.json["operation"] as? String == first.json["operation"] as? String)
    #expect(again.titles == first.titles)
    #expect(page.commits == commits)
  }

  @Test func `waits for the first request of a key that is still running`() throws {
    let page = try PageInTest(Self.files)
    let box = page.box
    let server = page.server
    let operations = Mutex<[String?]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let headers = PageInTest.headers + [(name: "Content-Type", value: "application/json")]
      let body = Array("{\"title\":\"B\",\"idempotencyKey\":\"k\"}".utf8)
      let answer = PageAnswerInTest(
        server.answer(PageRequest("POST", "/api/new", headers: headers, body: body)))
      operations.withLock { $0.append(answer.json["operation"] as? String) }
    }
    #expect(Set(operations.withLock { $0 }).count == 1)
    #expect(operations.withLock { $0[0] } != nil)
    #expect(page.commits == 2)
    withExtendedLifetime(box) {}
  }

  /// The answer of the first save is lost while its text is replaced by others: the repeated request tells the version
  /// that the next save is based on.
  @Test func `names the version of a lost save for the next one`() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("kqzmvtrb")
    func send(_ key: String, _ etag: String, _ body: String) -> PageAnswerInTest {
      let note = "\"notes\":[{\"ref\":\"kqzmvtrb\",\"etag\":\"\(etag)\"}]"
      return page.send("/api/change", "{\(note),\"body\":\"\(body)\",\"idempotencyKey\":\"\(key)\"}")
    }
    _ = send("lost", etag, "one two\\n")
    try page.folder.write("a.md", "---\nid: kqzmvtrb\ntitle: A\n---\none two\n\nfrom elsewhere\n")
    let again = send("lost", etag, "one two\\n")
    let version = try #require((again.json["versions"] as? [[String: Any]])?.first)
    #expect(version["ref"] as? String == "kqzmvtrb")
    #expect(send("next", version["etag"] as? String ?? "", "one three\\n").status == 200)
    #expect(page.text("a.md") == "---\nid: kqzmvtrb\ntitle: A\n---\none three\n\nfrom elsewhere\n")
  }

  @Test func `finds the operation of a key after a restart`() throws {
    let page = try PageInTest(Self.files)
    let first = save(page, "lost", "\"body\":\"two\\n\"")
    #expect(save(page, "later", "\"changes\":[\"+t\"]").status == 200)
    let restarted = try page.restarted()
    let again = save(restarted, "lost", "\"body\":\"two\\n\"")
    #expect(again.json["already"] as? Bool == true)
    #expect(again.json["operation"] as? String == first.json["operation"] as? String)
    let versions = { (answer: PageAnswerInTest) in
      (answer.json["versions"] as? [[String: Any]])?.compactMap { $0["etag"] as? String }
    }
    #expect(versions(again) == versions(first))
    #expect(versions(again)?.count == 1)
    #expect(again.notes[0]["etag"] as? String == restarted.etag("kqzmvtrb"))
    #expect(page.commits == 3)
  }

  /// A change can be recorded and fail all the same, if it is interrupted and a later command finishes it.
  @Test func `finds the operation of a change that failed`() throws {
    let page = try PageInTest(Self.files)
    #expect(save(page, "a", "\"changes\":[\"+s\"]").status == 200)
    // Another server stands for the command that finished the change.
    #expect(try save(page.restarted(), "k", "\"body\":\"two\\n\"").status == 200)
    page.box.forgetOperations()
    #expect(save(page, "k", "\"body\":\"two\\n\"").json["already"] as? Bool == true)
    #expect(page.commits == 3)
  }

  @Test func `answers a committed change whose view can't be refreshed`() throws {
    let breaks = Mutex((isArmed: false, contexts: 0))
    let path = Mutex("")
    let page = try PageInTest(Self.files) {
      // The first context of a change reads the notes, the second one refreshes the view.
      let isNow = breaks.withLock { breaks in
        breaks.contexts += breaks.isArmed ? 1 : 0
        return breaks.isArmed && breaks.contexts == 2
      }
      if isNow { try? Data("none".utf8).write(to: URL(fileURLWithPath: path.withLock { $0 })) }
    }
    let head = page.folder.path + "/.git/HEAD"
    path.withLock { $0 = head }
    #expect(save(page, "j", "\"changes\":[\"+s\"]").status == 200)
    breaks.withLock { $0.isArmed = true }
    let answer = save(page, "k", "\"body\":\"two\\n\"")
    breaks.withLock { $0.isArmed = false }
    try Data("ref: refs/heads/main\n".utf8).write(to: URL(fileURLWithPath: head))
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.json["operation"] is String)
    #expect((answer.json["hints"] as? [String])?.first?.contains("the change was saved") == true)
    #expect((answer.json["versions"] as? [Any])?.count == 1)
    #expect(page.commits == 3)
    let again = save(page, "k", "\"body\":\"two\\n\"")
    #expect(again.json["already"] as? Bool == true)
    #expect(page.commits == 3)
    // The next refresh takes over the changes that this one missed.
    #expect(save(page, "l", "\"changes\":[\"+t\"]").status == 200)
    #expect(page.get("/api/note?ref=kqzmvtrb").text.contains("two"))
  }

  @Test func `stores keys for the next server`() throws {
    let folder = try TemporaryFolder()
    let file = IdempotencyKeys.file(besideRecord: folder.bytes + Array("/state/page-1".utf8))
    let keys = IdempotencyKeys(keptIn: file)
    for number in 0..<520 { keys.add("w\(number)", WriteOutcome(subject: "s\(number)")) }
    #expect(keys.outcome(of: "w519")?.subject == "s519")
    #expect(keys.contains("w20"))
    #expect(!keys.contains("w19"))
    let later = IdempotencyKeys(keptIn: file)
    #expect(later.contains("w320"))
    #expect(later.outcome(of: "w320") == nil)
    #expect(!later.contains("w319"))
    let page = try PageInTest(Self.files, idempotencyKeys: later)
    let answer = save(page, "w519", "\"body\":\"two\\n\"")
    #expect(answer.json["already"] as? Bool == true)
    #expect(page.commits == 1)
  }

  @Test func `works without a file of keys`() throws {
    let keys = IdempotencyKeys(keptIn: Array("/proc/none/keys".utf8))
    keys.add("a", WriteOutcome(subject: "s"))
    #expect(keys.contains("a"))
    let folder = try TemporaryFolder()
    try folder.write("keys", "a\nnot a key\nb-c\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/keys")
    let read = IdempotencyKeys(keptIn: folder.bytes + Array("/keys".utf8))
    #expect(read.contains("b-c"))
    #expect(!read.contains("not a key"))
  }
}
