import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// An operation that a page names is taken back, whatever came after it.
struct ReversalTests {
  private static let files = [
    "a.md": "---\nid: kqzmvtrb\ntitle: A\nkind: issue\nstatus: open\npriority: low\n---\none\n"
  ]

  private func change(_ page: PageInTest, _ change: String) throws -> String {
    let answer = page.post(
      "/api/change", "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[\"\(change)\"]}")
    return try #require(answer.json["operation"] as? String)
  }

  private func undo(_ page: PageInTest, _ operation: String) -> PageAnswerInTest {
    page.post("/api/undo", "{\"operation\":\"\(operation)\"}")
  }

  @Test func theNamedOneIsTakenBack() throws {
    let page = try PageInTest(Self.files)
    let first = try change(page, "priority:high")
    _ = try change(page, "+later")
    let answer = undo(page, first)
    #expect(answer.status == 200)
    #expect(answer.json["operation"] is String)
    #expect(page.text("a.md")?.contains("priority: low") == true)
    #expect(page.text("a.md")?.contains("tags: [later]") == true)
    let again = undo(page, first)
    #expect(again.status == 422)
    #expect((again.json["error"] as? [String: Any])?["message"] as? String != nil)
    #expect(page.commits == 4)
  }

  @Test func laterWorkIsInTheWay() throws {
    let page = try PageInTest(Self.files)
    let first = try change(page, "priority:high")
    _ = try change(page, "priority:medium")
    let answer = undo(page, first)
    #expect(answer.status == 422)
    #expect(answer.code == "refused")
    let error = answer.json["error"] as? [String: Any]
    #expect(error?["message"] as? String == "“Set priority high: A” can't be undone")
    let why = "“A”: priority was changed again, by “Set priority medium: A”"
    #expect(error?["hints"] as? [String] == [why, "nothing was changed"])
    #expect(page.commits == 3)
    #expect(undo(page, "zzzzzzzz").status == 404)
  }

  @Test func anAnswerNamesTheFilesThatMoved() throws {
    let page = try PageInTest(["people/Ada.md": "Text.\n", "b.md": "# B\n[[Ada]]\n"])
    let moved = { (answer: PageAnswerInTest) -> [String] in
      let moves = answer.json["moved"] as? [[String: String]] ?? []
      return moves.map { "\($0["from"] ?? "") \($0["to"] ?? "")" }
    }
    let renamed = page.post(
      "/api/change", "{\"notes\":[{\"ref\":\"people/Ada.md\"}],\"changes\":[\"title:Countess\"]}")
    #expect(moved(renamed) == ["people/Ada.md people/Countess.md"], "\(renamed.text)")
    #expect(moved(page.post("/api/undo", "{}")) == ["people/Countess.md people/Ada.md"])
    #expect(moved(page.post("/api/redo", "{}")) == ["people/Ada.md people/Countess.md"])
  }

  /// Each answer names the operation that it is of.
  @Test func everyAnswerNamesItsOperation() throws {
    let page = try PageInTest(Self.files)
    let note = "\"notes\":[{\"ref\":\"kqzmvtrb\"}]"
    let requests = [
      ("/api/new", "{\"title\":\"B\"}"), ("/api/change", "{\(note),\"body\":\"two\"}"),
      ("/api/do", "{\(note),\"action\":\"close\"}"), ("/api/undo", "{}"), ("/api/redo", "{}"),
      ("/api/rm", "{\(note)}"), ("/api/restore", "{\"ref\":\"kqzmvtrb\"}"),
      ("/api/filter", "{\"name\":\"mine\",\"query\":\"kind:issue\"}"),
    ]
    var known: Set<String> = []
    for (path, body) in requests {
      let answer = page.post(path, body)
      let operation = try #require(answer.json["operation"] as? String, "\(path) \(answer.text)")
      #expect(known.insert(operation).inserted)
      #expect(try page.folder.git("log", "-1", "--format=%b").contains("Slip-Operation: \(operation)"))
    }
  }
}
