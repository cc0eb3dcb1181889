import Testing

@testable import Notes

@Suite struct FrontMatterSettingTests {
  struct Row: CustomTestStringConvertible {
    let block: String
    let value: FieldValue
    let expected: String
    let isReversible: Bool
    var testDescription: String { "\(block.debugDescription) \(value)" }

    init(_ block: String, _ value: FieldValue, _ expected: String, reversible: Bool = true) {
      self.block = block
      self.value = value
      self.expected = expected
      isReversible = reversible
    }
  }

  /// Blocks whose field `a` is set.
  static let rows: [Row] = [
    Row("a: b\n", .text("c"), "a: c\n"),
    Row("x: 1\na:   b   # c\ny: 2\n", .text("d"), "x: 1\na:   d   # c\ny: 2\n"),
    Row("a: b\r\n", .text("c d"), "a: c d\r\n"),
    Row("a: 'b'\n", .text("c"), "a: 'c'\n"),
    Row("a: 'b'\n", .text("it's: #"), "a: 'it''s: #'\n"),
    Row("a: 'b'\n", .text("c\nd"), "a: \"c\\nd\"\n", reversible: false),
    Row("a: \"b\"\n", .text("c \"d\" \\"), "a: \"c \\\"d\\\" \\\\\"\n"),
    Row("a: \"b\"\n", .text("4"), "a: \"4\"\n"),
    Row("a: b\n", .text("no"), "a: \"no\"\n", reversible: false),
    Row("a: b\n", .text("c: d"), "a: \"c: d\"\n", reversible: false),
    Row("a: b\n", .text(""), "a: \"\"\n", reversible: false),
    Row("a: b\n", .text("4"), "a: 4\n"),
    Row("a: false\n", .text("true"), "a: true\n"),
    Row("a: 2026-11-21\n", .text("2026-11-22T09:30:00+01:00"), "a: 2026-11-22T09:30:00+01:00\n"),
    Row("a: 3.5\n", .text("4.25"), "a: 4.25\n"),
    Row("a: b\n", .text("3.5"), "a: \"3.5\"\n", reversible: false),
    Row("a:\n", .text("b"), "a: b\n"),
    Row("a: # c\n", .text("b"), "a: b # c\n"),
    Row("a: ~\n", .text("b"), "a: b\n", reversible: false),
    Row("a: b # c\n", .empty, "a: # c\n"),
    Row("a: \"b\"\n", .empty, "a:\n", reversible: false),
    Row("a: [b, c] # d\n", .empty, "a: # d\n"),
    Row("a: [b, c]\n", .text("d"), "a: d\n"),
    Row("a:\n  - b # x\n  # y\n  - c\nd: e\n", .text("f"), "a: f\n  # y\nd: e\n", reversible: false),
    Row("a:\n  - b\n", .empty, "a:\n", reversible: false),
    Row("a: b\n  c\nd: e\n", .text("f"), "a: f\nd: e\n", reversible: false),
    Row("a: \"b\n  c\" # d\n", .text("e"), "a: \"e\" # d\n", reversible: false),
    Row("a: |\n  b\n\n  c\n\nd: e\n", .text("f"), "a: f\n\nd: e\n", reversible: false),
    Row("a: |\n  b\nd: e\n", .text("f\ng\n"), "a: \"f\\ng\\n\"\nd: e\n", reversible: false),
    Row("a:\n  b\n", .text("c"), "a:\n  c\n"),
    Row("a: [[L]]\n", .text("M"), "a: M\n", reversible: false),
    Row("a: {{date}}\n", .text("2026-11-21"), "a: 2026-11-21\n", reversible: false),
    Row("a: \"\\u0041\"\n", .text("b"), "a: \"b\"\n", reversible: false),
    Row("\"a\": b\n", .text("c"), "\"a\": c\n"),
    Row("a : b\n", .text("c"), "a : c\n"),
    Row("a\t: b\n", .text("c"), "a\t: c\n"),
    Row("  a: b\n  c: d\n", .text("e"), "  a: e\n  c: d\n"),
    Row("a: b\n", .text("e\u{301} 😀 שלום"), "a: e\u{301} 😀 שלום\n"),
    Row("a: [b, c]\n", .texts("b", "c", "d"), "a: [b, c, d]\n"),
    Row("a: [b,c]\n", .texts("b", "c", "d"), "a: [b,c,d]\n"),
    Row("a: [ b , c ]\n", .texts("b", "c", "d"), "a: [ b , c , d ]\n"),
    Row("a: ['b', \"c\"] # x\n", .texts("b", "d", "e"), "a: ['b', \"d\", \"e\"] # x\n"),
    Row("a: [b, c, d]\n", .texts("b", "d"), "a: [b, d]\n"),
    Row("a: [b, c, d]\n", .texts("c", "d"), "a: [c, d]\n"),
    Row("a: [b, c]\n", .texts("x", "b", "c"), "a: [x, b, c]\n"),
    Row("a: [b]\n", .list([]), "a: []\n"),
    Row("a: []\n", .texts("b", "c d"), "a: [b, c d]\n"),
    Row("a: b\n", .texts("c"), "a: [c]\n"),
    Row("a:\n", .texts("c"), "a: [c]\n", reversible: false),
    Row("a:\n  - b\n", .list([]), "a: []\n", reversible: false),
    Row("a:\n  - 'b' # x\n  # y\n  - c\n", .texts("d", "c", "e"), "a:\n  - 'd' # x\n  # y\n  - c\n  - e\n"),
    Row("a:\n- b\n- c\n", .texts("c"), "a:\n- c\n"),
    Row("a:\n-   b\nc: d\n", .texts("x", "b"), "a:\n-   x\n-   b\nc: d\n"),
    Row("a:\n  - b\n", .list([.text("b"), .empty]), "a:\n  - b\n  - ~\n"),
    Row("a: |\n  b\n", .texts("c", "d"), "a: [c, d]\n", reversible: false),
    Row("a: [b,\n    c,  # x\n  ]\n", .texts("b", "c", "d"), "a: [b,\n    c,\n    d,  # x\n  ]\n"),
    Row("a: [\"x, y\"]\n", .texts("x, y", "p]q", "r: s"), "a: [\"x, y\", \"p]q\", \"r: s\"]\n"),
    Row(
      "a: [x]\n", .texts("x", "p, q", "https://z", "#t", "2026-11-21"),
      "a: [x, \"p, q\", \"https://z\", \"#t\", 2026-11-21]\n"),
  ]

  @Test(arguments: rows) func changesOnlyTheField(_ row: Row) throws {
    let text = note(row.block)
    let old = try #require(FrontMatter(text)["a"])
    let changed = try text.setting("a", to: row.value)
    #expect(changed.string == note(row.expected).string)
    #expect(FrontMatter(changed)["a"] == row.value)
    expectKept(text, changed, except: "a")
    expectAlike(changed)
    #expect(try changed.setting("a", to: row.value) == changed)
    let back = try changed.setting("a", to: old)
    #expect(FrontMatter(back)["a"] == old)
    if row.isReversible { #expect(back.string == text.string) }
  }

  @Test func keepsBytesWhereTheValueIsThere() throws {
    for block in ["a: 'b'\n", "a: \"\\u0062\"\n", "a: >-\n  b\n", "a: b # c\n"] {
      #expect(try note(block).setting("a", to: .text("b")) == note(block))
    }
    #expect(try note("a: [ b,c ]\n").setting("a", to: .texts("b", "c")) == note("a: [ b,c ]\n"))
    #expect(try note("a: ~\n").setting("a", to: .empty) == note("a: ~\n"))
  }

  @Test(arguments: [
    ("Body\n", "---\na: b\n---\nBody\n"), ("", "---\na: b\n---\n"),
    ("\u{FEFF}Body\r\nx", "\u{FEFF}---\r\na: b\r\n---\r\nBody\r\nx"),
    ("---\n---\nBody", "---\na: b\n---\nBody"), ("---\n---", "---\na: b\n---"),
    ("---\r\n...", "---\r\na: b\r\n..."), ("---\nA rule.\n", "---\na: b\n---\n---\nA rule.\n"),
    ("---\nx: 1\n---", "---\nx: 1\na: b\n---"),
    ("---\nx: 1\n# c\n\n---\n", "---\nx: 1\n# c\na: b\n\n---\n"),
    ("---\n# c\n---\n", "---\n# c\na: b\n---\n"), ("---\n\n---\n", "---\na: b\n\n---\n"),
    ("---\nx: |+\n  y\n\n---\n", "---\nx: |+\n  y\n\na: b\n---\n"),
    ("---\n  x: 1\n---\n", "---\n  x: 1\n  a: b\n---\n"),
    ("---\nx:\n  - y\n---\n", "---\nx:\n  - y\na: b\n---\n"),
    ("---\nx: 1\r\n---\n", "---\nx: 1\r\na: b\r\n---\n"),
  ])
  func makesNewFields(_ file: String, _ expected: String) throws {
    let text = NoteText(file)
    let changed = try text.setting("a", to: .text("b"))
    #expect(changed.string == expected)
    if text.block != nil {
      #expect(try changed.clearing("a") == text)
      expectKept(text, changed, except: "a")
    }
  }

  @Test func `adds several fields to a note without front matter`() throws {
    let fields = [(name: "a", value: FieldValue.text("b")), (name: "c", value: .text("d"))]
    let changed = try FrontMatterEditor(NoteText("Body\n")).appending(fields)
    #expect(changed.string == "---\na: b\nc: d\n---\nBody\n")
  }

  @Test func putsNewKeysInOrder() throws {
    let order = ["id", "title", "kind", "created", "tags"]
    let text = note("id: 1 # c\n# d\nkind: x\nother: y\n")
    func block(_ name: String) throws -> String {
      let changed = try text.setting(name, to: .text("v"), order: order)
      return String(decoding: changed.bytes[try #require(changed.frontMatter)], as: UTF8.self)
    }
    #expect(try block("title") == "id: 1 # c\ntitle: v\n# d\nkind: x\nother: y\n")
    #expect(try block("tags") == "id: 1 # c\n# d\nkind: x\ntags: v\nother: y\n")
    #expect(try block("new") == "id: 1 # c\n# d\nkind: x\nother: y\nnew: v\n")
    #expect(try note("b: 1\n").setting("id", to: .text("v"), order: order) == note("b: 1\nid: v\n"))
    let literal = note("title: |+\n  x\n\n\nb: 1\n")
    #expect(
      try literal.setting("kind", to: .text("v"), order: order) == note("title: |+\n  x\n\n\nkind: v\nb: 1\n")
    )
  }

  @Test func writesListsInTheStyleAskedFor() throws {
    let value = FieldValue.texts("b: 1", "c")
    #expect(try note("").setting("a", to: value, lists: .block) == note("a:\n  - \"b: 1\"\n  - c\n"))
    #expect(
      try note("a: x\nb: y\n").setting("a", to: value, lists: .block)
        == note("a:\n  - \"b: 1\"\n  - c\nb: y\n"))
    #expect(try note("a: [x]\n").setting("a", to: value, lists: .block) == note("a: [\"b: 1\", c]\n"))
    #expect(try note("").setting("a", to: .list([]), lists: .block) == note("a: []\n"))
  }

  @Test(arguments: [
    ("a: b\nc: d\n", "a", "c: d\n"), ("a: b\nc: d\n", "c", "a: b\n"), ("a: b\n", "a", ""),
    ("a:\n  - x\n\n  # y\n  - z\n# end\nb: c\n", "a", "# end\nb: c\n"),
    ("a: |\n  x\n\n  y\n\nb: c\n", "a", "\nb: c\n"), ("# x\na: b # y\n\nc: d\n", "a", "# x\n\nc: d\n"),
    ("a: b\n", "x", "a: b\n"), ("a: \"b\n  c\"\nd: e\n", "a", "d: e\n"), ("a: [b,\n c]\n", "a", ""),
    ("?\ns:\n# x\n", "s", "?\n# x\n"), ("? b\na: c\n\n  # x\n# y\n", "a", "? b\n\n  # x\n# y\n"),
    ("? b # x\na:\n", "a", "? b # x\n"), ("? \"b\n  # c\"\na:\n# x\n", "a", "? \"b\n  # c\"\n# x\n"),
  ])
  func clears(_ block: String, _ name: String, _ expected: String) throws {
    let text = note(block)
    let cleared = try text.clearing(name)
    #expect(cleared.string == note(expected).string)
    expectKept(text, cleared, except: name)
  }

  @Test(arguments: [
    ("a:\n  b: c\n", 2, "map"), ("x: y\na: {b: c}\n", 3, "map"), ("a: &x b\n", 2, "anchor"),
    ("x: &x b\na: *x\n", 3, "alias"), ("a: *x\n", 2, "alias"), ("a: !!str b\n", 2, "tag"),
    ("a:\n  - b: c\n", 2, "map"),
    ("a: [[b], [c]]\n", 2, "list in a list"), ("? a\n: b\n", 2, "key"), ("{a: b}\n", 2, "braces"),
    ("a: | # x\n  b\n", 2, "comment"), ("a: [b,\n # x\n c]\n", 2, "comment"),
    ("a: b\u{85}c: d\n", 2, "another field"), ("x: y\u{2028}a: d\n", 2, "key"),
    ("a: # x\n  b\n", 2, "comment"),
  ])
  func refusesOpaqueFields(_ block: String, _ line: Int, _ part: String) {
    let text = note(block)
    #expect(FrontMatter(text).problems == [])
    do throws(EditError) {
      let changed = try text.setting("a", to: .empty)
      Issue.record("\(changed.string)")
    } catch {
      guard case .opaque("a", line, let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.contains(part), "\(reason)")
    }
  }

  @Test func refusesWhatCannotBeSet() {
    let text = note("a: b\n")
    for name in ["", "a\nb", "<<", String(repeating: "x", count: 201)] {
      #expect(throws: EditError.self) { try text.setting(name, to: .text("x")) }
    }
    for (value, reason) in [
      (FieldValue.map([]), "maps can't be set"), (.list([.list([])]), "nested lists can't be set"),
      (.list([.text("x"), .map([])]), "nested lists can't be set"),
    ] {
      #expect(throws: EditError.unsettable(field: "a", reason: reason)) { try text.setting("a", to: value) }
    }
    #expect(throws: EditError.self) { try note("{a: b}\n").setting("new", to: .text("x")) }
    #expect(throws: Never.self) { try note("{a: b}\n").setting("a", to: .text("b")) }
  }

  @Test func quotesNamesThatNeedIt() throws {
    let names = ["a: b", "no", "2026", "#x", "- a", "it's", "ключ", "a  b", "?", "[x]", "true", " a "]
    var text = note("")
    for name in names { text = try text.setting(name, to: .text("v")) }
    #expect(FrontMatter(text).fields.map(\.name) == names)
    #expect(text.string.contains("\nключ: v\n") && text.string.contains("\n\"no\": v\n"))
  }
}
