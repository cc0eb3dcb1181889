import Testing

@testable import Notes

@Suite struct FrontMatterElementsTests {
  struct Row: CustomTestStringConvertible {
    let block: String
    let expected: String
    let isReversible: Bool
    let element: String
    let name: String
    var testDescription: String { block.debugDescription }

    init(
      _ block: String, _ expected: String, element: String = "x", to name: String = "tags",
      reversible: Bool = true
    ) {
      self.block = block
      self.expected = expected
      self.element = element
      self.name = name
      isReversible = reversible
    }
  }

  static let additions: [Row] = [
    Row("", "tags: [x]\n"),
    Row("a: b\n", "a: b\ntags: [x]\n"),
    Row("tags: [a, b]\n", "tags: [a, b, x]\n"),
    Row("tags: [a]\n", "tags: [a, x]\n"),
    Row("tags: [ a,b ] # c\n", "tags: [ a,b,x ] # c\n"),
    Row("tags: [a,]\n", "tags: [a, x,]\n"),
    Row("tags: ['a', 'b']\n", "tags: ['a', 'b', 'x']\n"),
    Row("tags: [a, \"b\"]\n", "tags: [a, \"b\", \"x\"]\n"),
    Row("tags: [\n  a,\n  b\n]\n", "tags: [\n  a,\n  b,\n  x\n]\n"),
    Row("tags: [a, # c\n  b]\n", "tags: [a, # c\n  b, x]\n"),
    Row("tags:\n  [a, b]\n", "tags:\n  [a, b, x]\n"),
    Row("tags: []\n", "tags: [x]\n", reversible: false),
    Row("tags: [ ]\n", "tags: [x ]\n", reversible: false),
    Row("tags:\n", "tags: [x]\n", reversible: false),
    Row("tags: # c\n", "tags: [x] # c\n", reversible: false),
    Row("tags: ~\n", "tags: [x]\n", reversible: false),
    Row("tags: ''\n", "tags: ['x']\n", reversible: false),
    Row("tags:\n  - a\n  - b\n", "tags:\n  - a\n  - b\n  - x\n"),
    Row("tags:\n- a # c\n# d\ne: f\n", "tags:\n- a # c\n- x\n# d\ne: f\n"),
    Row("tags:\n    -  'a'\n", "tags:\n    -  'a'\n    -  'x'\n"),
    Row("tags:\r\n  - a\r\n", "tags:\r\n  - a\r\n  - x\r\n"),
    Row("tags:\n  - \"a\n    b\"\n", "tags:\n  - \"a\n    b\"\n  - \"x\"\n"),
    Row("tags:\n  - \n", "tags:\n  - x \n", reversible: false),
    Row("tags:\n  -\n  - a\n", "tags:\n  -\n  - a\n  - x\n"),
    Row("tags:\n  - a\n  -\n", "tags:\n  - a\n  -\n  - x\n"),
    Row("tags: a\n", "tags: [a, \" p\"]\n", element: " p", reversible: false),
    Row("tags: a\n", "tags: [a, \"p \"]\n", element: "p ", reversible: false),
    Row("tags: a, b\n", "tags: a, b, x\n"),
    Row("tags: a\n", "tags: a, x\n"),
    Row("tags: \"a,b\" # c\n", "tags: \"a,b, x\" # c\n"),
    Row("tags: a b\n", "tags: a b, x\n"),
    Row("keywords: a\n", "keywords: a, x\n", to: "keywords"),
    Row("tags: a, b\n", "tags: [a, b, \"p, q\"]\n", element: "p, q", reversible: false),
    Row("aliases: A, b\n", "aliases: [\"A, b\", x]\n", to: "aliases", reversible: false),
    Row("aliases: A\n", "aliases: [A, x]\n", to: "aliases", reversible: false),
    Row("aliases: \"A\" # c\n", "aliases: [\"A\", \"x\"] # c\n", to: "aliases", reversible: false),
    Row("aliases: [A]\n", "aliases: [A, a]\n", element: "a", to: "aliases"),
    Row("tags: [a]\n", "tags: [a, \"Tag: 1\"]\n", element: "Tag: 1"),
    Row("tags: [a]\n", "tags: [a, Tag 1]\n", element: "Tag 1"),
    Row("tags: [a]\n", "tags: [a, work/clients]\n", element: "work/clients"),
    Row("tags: [a]\n", "tags: [a, \"no\"]\n", element: "no"),
    Row("tags: [a]\n", "tags: [a, \"#x\"]\n", element: "#x"),
    Row("tags:\n  - a\n", "tags:\n  - a\n  - \"- b\"\n", element: "- b"),
    Row("tags: [a]\n", "tags: [a, żółw]\n", element: "żółw"),
    Row("tags: [[A]]\n", "tags: \"[[A]], x\"\n", reversible: false),
    Row("tags: [[[A]], b]\n", "tags: [[[A]], b, x]\n"),
    Row("x: &x y\ntags: [a]\n", "x: &x y\ntags: [a, x]\n"),
  ]

  @Test(arguments: additions) func adds(_ row: Row) throws {
    let text = note(row.block)
    let changed = try text.adding(row.element, to: row.name)
    #expect(changed.string == note(row.expected).string)
    expectKept(text, changed, except: row.name)
    expectAlike(changed)
    #expect(try changed.adding(row.element, to: row.name) == changed)
    let back = try changed.removing(row.element, from: row.name)
    expectKept(changed, back, except: row.name)
    if row.isReversible { #expect(back.string == text.string) }
  }

  @Test(arguments: [
    ("tags: [a, b, c]\n", "a", "tags: [b, c]\n"), ("tags: [a, b, c]\n", "b", "tags: [a, c]\n"),
    ("tags: [a,  b ,c]\n", "c", "tags: [a,  b]\n"), ("tags: [a]\nx: y\n", "a", "x: y\n"),
    ("tags: [a, b]\n", "z", "tags: [a, b]\n"), ("x: y\n", "z", "x: y\n"), ("tags:\n", "z", "tags:\n"),
    ("tags: [a, A, '#a', b]\n", "a", "tags: [b]\n"), ("tags: [\"#Ä\", b]\n", "ä", "tags: [b]\n"),
    ("tags: [b, a]\n", "#A", "tags: [b]\n"),
    ("tags:\n  # x\n  - a\n  # y\n  - b # z\n  # w\n", "a", "tags:\n  # x\n  # y\n  - b # z\n  # w\n"),
    ("tags:\n  - a\n  # y\n  - b # z\n", "b", "tags:\n  - a\n  # y\n"),
    ("tags:\n  - a\nx: y\n", "a", "x: y\n"), ("tags:\n  - [[A]]\n  - b\n", "[[A]]", "tags:\n  - b\n"),
    ("tags: a , b\n", "a", "tags: b\n"), ("tags: a, b,c\n", "a", "tags: b,c\n"),
    ("tags: a, b,c\n", "b", "tags: a,c\n"),
    ("tags: a, b,c\n", "c", "tags: a, b\n"), ("tags: a\nx: y\n", "A", "x: y\n"),
    ("tags: 'a, b' # c\n", "b", "tags: 'a' # c\n"), ("tags: a b\n", "b", "tags: a b\n"),
    ("tags: [\n  a,\n  b,\n  c\n]\n", "b", "tags: [\n  a,\n  c\n]\n"),
    ("tags: [~, a]\n", "a", "tags: [~]\n"), ("tags: [d, a, # c\n  b]\n", "a", "tags: [d, # c\n  b]\n"),
  ])
  func removes(_ block: String, _ element: String, _ expected: String) throws {
    let text = note(block)
    let changed = try text.removing(element, from: "tags")
    #expect(changed.string == note(expected).string)
    expectKept(text, changed, except: "tags")
  }

  @Test func comparesTextsByBytes() throws {
    let text = note("aliases: [A, a, '#a']\n")
    #expect(try text.removing("a", from: "aliases") == note("aliases: [A, '#a']\n"))
    #expect(try text.removing("a", from: "aliases", kind: .tags) == note(""))
    let accents = try text.adding("\u{E9}", to: "aliases").adding("e\u{301}", to: "aliases")
    #expect(FrontMatter(accents)["aliases"]?.strings.count == 5)
    #expect(try note("tags: A, b\n").removing("A, b", from: "tags", kind: .texts) == note(""))
    #expect(try note("authors: A, b\n").adding("c", to: "authors", kind: .tags) == note("authors: A, b, c\n"))
    #expect(try note("aliases: A\n").removing("A", from: "aliases") == note(""))
    #expect(try note("aliases: A\n").removing("a", from: "aliases") == note("aliases: A\n"))
  }

  @Test func addsToNotesWithoutFrontMatter() throws {
    #expect(
      try NoteText("\u{FEFF}Body\r\n").adding("x", to: "tags").string
        == "\u{FEFF}---\r\ntags: [x]\r\n---\r\nBody\r\n")
    let ordered = try note("title: t\nx: y\n").adding("a", to: "tags", order: ["title", "tags"])
    #expect(ordered == note("title: t\ntags: [a]\nx: y\n"))
  }

  @Test(arguments: [
    "tags: [a, # c\n  b, d]\n", "tags:\n  - a\n  - |\n    b\n", "tags:\n  a: b\n",
    "tags: &x [a, b]\n", "tags: [a, !t b]\n",
  ])
  func refusesWhatWouldLoseBytes(_ block: String) {
    #expect(FrontMatter(note(block)).problems == [])
    #expect(throws: EditError.self) { try note(block).removing("a", from: "tags") }
  }

  @Test(arguments: ["tags:\r- a\r- b\n", "tags:\n  - |\n    a\n  - b\n"])
  func `refuses to change elements that have no line of their own`(_ block: String) {
    let error = EditError.opaque(field: "tags", line: 2, reason: "its elements are not on separate lines")
    #expect(throws: error) { try note(block).adding("x", to: "tags") }
    #expect(throws: error) { try note(block).removing("b", from: "tags") }
    #expect(throws: error) { try note(block).changing("tags", adding: ["x"], removing: []) }
  }

  /// Blocks that a fuzzer broke an older editor with: each edit is refused or keeps all other fields.
  @Test(arguments: [
    (" ?\n", "tags"), ("?\n |\n", "new"), ("a:\rc: \rb:\r\rd:\n", "a"), ("a: \n -  |\n  |\n\n   \n", "a"),
  ])
  func keepsOddBlocks(_ block: String, _ name: String) throws {
    let text = note(block)
    #expect(FrontMatter(text).problems == [])
    for edit in 0..<4 {
      do throws(EditError) {
        expectKept(text, try change(text, name, edit), except: name)
      } catch {
        guard case .opaque = error else { throw error }
      }
    }
  }

  private func change(_ text: NoteText, _ name: String, _ edit: Int) throws(EditError) -> NoteText {
    switch edit {
    case 0: try text.adding("x", to: name)
    case 1: try text.setting(name, to: .texts("x", "y"))
    case 2: try text.setting(name, to: .text("x"))
    default: try text.clearing(name)
    }
  }
}
