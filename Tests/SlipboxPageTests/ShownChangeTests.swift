import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// A change of many notes is made as it was shown, or not at all.
struct ShownChangeTests {
  private static func issue(_ id: String, _ more: String = "") -> String {
    "---\nid: \(id)\ntitle: \(id)\nkind: issue\nstatus: open\ncreated: 2026-01-04\n\(more)---\ntext\n"
  }

  private static let files = ["a.md": issue("bbbbbbbc"), "b.md": issue("cccccccd"), "n.md": "# Other\n"]
  private static let change = "\"where\":\"kind:issue status:open\",\"changes\":[\"+all\"]"

  private func shown(
    _ page: PageInTest, _ body: String, at path: String = "/api/change"
  ) throws -> String {
    let answer = page.post(path, "{\(body),\"preview\":true}")
    #expect(answer.status == 200)
    return try #require(answer.json["seen"] as? String)
  }

  @Test func whatWasShownIsDone() throws {
    let page = try PageInTest(Self.files)
    let seen = try shown(page, Self.change)
    #expect(try shown(page, Self.change) == seen)
    let answer = page.post("/api/change", "{\(Self.change),\"seen\":\"\(seen)\"}")
    #expect(answer.status == 200)
    #expect(Set(answer.titles) == ["bbbbbbbc", "cccccccd"])
    #expect(page.commits == 2)
    #expect(page.post("/api/change", "{\(Self.change),\"seen\":\"\(seen)\"}").code == "changed")
  }

  /// As many notes as were shown, but others, or others of their bytes.
  @Test(arguments: ["other set", "other bytes", "fewer"])
  func anythingElseIsRefused(_ what: String) throws {
    let page = try PageInTest(Self.files)
    let seen = try shown(page, Self.change)
    switch what {
    case "other set":
      try page.folder.write("a.md", Self.issue("bbbbbbbc").replacingOccurrences(of: "open", with: "closed"))
      try page.folder.write("c.md", Self.issue("dddddddf"))
    case "other bytes": try page.folder.write("a.md", Self.issue("bbbbbbbc") + "more\n")
    default: try page.folder.write("a.md", "gone")
    }
    let before = page.text("a.md")
    for expect in ["", ",\"expect\":2"] {
      let answer = page.post("/api/change", "{\(Self.change),\"seen\":\"\(seen)\"\(expect)}")
      #expect(answer.status == 409)
      #expect(answer.code == "changed")
    }
    #expect(page.commits == 1)
    #expect(page.text("a.md") == before)
    #expect(page.text("b.md") == Self.files["b.md"])
    let answer = page.post("/api/change", "{\(Self.change),\"seen\":\"\(try shown(page, Self.change))\"}")
    #expect(answer.status == 200)
  }

  @Test func actionsAndDeletionsToo() throws {
    let page = try PageInTest(Self.files)
    let close = "\"where\":\"kind:issue\",\"action\":\"close\""
    let seen = try shown(page, close, at: "/api/do")
    let deletion = try shown(page, "\"where\":\"kind:issue\"", at: "/api/rm")
    try page.folder.write("n.md", "# Not meant\n")
    #expect(page.post("/api/do", "{\(close),\"seen\":\"\(seen)\"}").status == 200)
    let refused = page.post("/api/rm", "{\"where\":\"kind:issue\",\"seen\":\"\(deletion)\"}")
    #expect(refused.status == 409)
    let again = try shown(page, "\"where\":\"kind:issue\"", at: "/api/rm")
    #expect(page.post("/api/rm", "{\"where\":\"kind:issue\",\"seen\":\"\(again)\"}").status == 200)
    #expect(page.text("a.md") == nil)
    // Notes that are named one by one, and an operation that is taken back.
    let named = "\"notes\":[{\"ref\":\"n.md\"}],\"changes\":[\"+x\"]"
    let word = try shown(page, named)
    try page.folder.write("n.md", "# Changed\n")
    #expect(page.post("/api/change", "{\(named),\"seen\":\"\(word)\"}").status == 409)
    let undo = page.post("/api/undo", "{\"preview\":true}").json["seen"] as? String ?? ""
    #expect(page.post("/api/undo", "{\"seen\":\"\(undo)\"}").status == 200)
    #expect(page.text("a.md") != nil)
  }
}
