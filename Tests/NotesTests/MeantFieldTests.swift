import Testing

@testable import Notes

@Suite struct MeantFieldTests {
  @Test(arguments: [
    ("task", "repeat", "recur"), ("task", "every", "recur"), ("task", "Deadline", "due"),
    ("task", "start", "scheduled"), ("task", "project", "group"), ("issue", "state", "status"),
    ("book", "by", "author"), ("task", "due", nil), ("task", "by", nil), ("issue", "project", nil),
  ])
  func namesTheDeclaredField(_ kind: String, _ name: String, _ field: String?) throws {
    #expect(try #require(Schema.builtIn.kind(named: kind)).fieldMeant(by: name) == field)
  }

  @Test func warnsAndKeepsTheField() throws {
    let task = Kinds.text("title: A", "kind: task")
    let result = try Kinds.editor().apply([.set(field: "repeat", value: "weekly")], to: task, isNew: true)
    #expect(result.warnings == ["repeat is not a field of kind task: did you mean recur?"])
    #expect(Kinds.field("repeat", result.text) == "weekly")
  }
}
