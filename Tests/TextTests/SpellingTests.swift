import Testing
import Text

@Suite struct SpellingTests {
  private static let commands = [
    "new", "show", "set", "list", "search", "status", "sync", "backlinks", "restore",
  ]

  @Test(arguments: [
    ("lst", "list"), ("lsit", "list"), ("hsow", "show"), ("serach", "search"), ("serch", "search"),
    ("stat", "status"),
    ("bakclink", "backlinks"), ("LIST", "list"), ("nwe", "new"), ("restroe", "restore"), ("sett", "set"),
    ("backl", "backlinks"),
  ])
  func findsTheNearest(word: String, expected: String) {
    #expect(Spelling.nearest(to: word, among: Self.commands) == expected)
  }

  @Test(arguments: ["", "x", "frobnicate", "zzzz", "abc", String(repeating: "list", count: 1000)])
  func findsNothingNear(word: String) {
    #expect(Spelling.nearest(to: word, among: Self.commands) == nil)
  }

  @Test(arguments: [
    ("taks", "task"), ("isue", "issue"), ("statsu", "status"), ("rateing", "rating"), ("prio", "priority"),
    ("tag", "tags"),
  ]) func aSlipIsRefused(word: String, expected: String) {
    #expect(Spelling.slip(of: word, among: Self.fields) == expected)
  }

  @Test(arguments: ["dune", "gone", "doing", "uid", "pages", "stage", "starts", "a", "st", "boot", ""])
  func whatIsFarFetchedIsNoSlip(word: String) { #expect(Spelling.slip(of: word, among: Self.fields) == nil) }

  private static let fields = ["id", "task", "issue", "book", "status", "rating", "priority", "tags", "done"]

  @Test func prefersTheNearerThenTheFirst() {
    #expect(Spelling.nearest(to: "state", among: ["status", "stare", "slate"]) == "stare")
    #expect(Spelling.nearest(to: "tag", among: ["tags", "tag"]) == "tag")
    #expect(Spelling.nearest(to: "category", among: ["created", "categories"]) == "categories")
    #expect(Spelling.nearest(to: "żółwik", among: ["zolwik"]) == "zolwik")
  }
}
