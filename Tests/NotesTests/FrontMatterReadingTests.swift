import Testing

@testable import Notes

@Suite struct FrontMatterReadingTests {
  /// One block whose only field or fields are expected, with whether the quick reader takes it.
  struct Row: CustomTestStringConvertible {
    let block: String
    let values: [(name: String, value: FieldValue)]
    let isQuick: Bool
    var testDescription: String { block.debugDescription }

    init(_ block: String, _ name: String, _ value: FieldValue, quick: Bool = true) {
      self.init(block, [(name, value)], quick: quick)
    }

    init(_ block: String, _ values: [(name: String, value: FieldValue)], quick: Bool = true) {
      self.block = block
      self.values = values
      isQuick = quick
    }
  }

  static let usual: [Row] = [
    Row("", []),
    Row("# only a comment\n\n  \n", []),
    Row("a: b\n", "a", .text("b")),
    Row("a:   b  \n", "a", .text("b")),
    Row("a: b # c\n", "a", .text("b")),
    Row("a: b#c\n", "a", .text("b#c")),
    Row("a: # c\n", "a", .empty),
    Row("tags: #x\n", "tags", .empty),
    Row("a:\n", "a", .empty),
    Row("a: \n", "a", .empty),
    Row("a: ~\n", "a", .empty),
    Row("a: null\nb: Null\nc: NULL\n", [("a", .empty), ("b", .empty), ("c", .empty)]),
    Row("a: nULL\n", "a", .text("nULL")),
    Row("a: 'null'\n", "a", .text("null")),
    Row("a: no\nb: 012\nc: 12:30\n", [("a", .text("no")), ("b", .text("012")), ("c", .text("12:30"))]),
    Row("a: 2026-11-21T09:30:00+01:00\n", "a", .text("2026-11-21T09:30:00+01:00")),
    Row("a: \"b\"\n", "a", .text("b")),
    Row("a: \"b: # c\" # d\n", "a", .text("b: # c")),
    Row("a: \"b \\\" \\\\ c\"\n", "a", .text("b \" \\ c")),
    Row("a: ''\nb: \"\"\n", [("a", .text("")), ("b", .text(""))]),
    Row("a: 'it''s'\n", "a", .text("it's")),
    Row("a: it's \"so\"\n", "a", .text("it's \"so\"")),
    Row("a: https://x.y/z?q=1#f\n", "a", .text("https://x.y/z?q=1#f")),
    Row("a: -1\nb: --x\nc: -\u{E9}\n", [("a", .text("-1")), ("b", .text("--x")), ("c", .text("-é"))]),
    Row("a: [-1, -b]\n", "a", .texts("-1", "-b")),
    Row("a: []\nb: [ ]\n", [("a", .list([])), ("b", .list([]))]),
    Row("a: [b, c]\n", "a", .texts("b", "c")),
    Row("a: [b,c ,  d ] # e\n", "a", .texts("b", "c", "d")),
    Row("a: [b c, 'd, e', \"f]\"]\n", "a", .texts("b c", "d, e", "f]")),
    Row("a: [b, ]\n", "a", .texts("b")),
    Row("a: [~, b]\n", "a", .list([.empty, .text("b")])),
    Row("a:\n  - b\n  - c\n", "a", .texts("b", "c")),
    Row("a:\n- b\n- c\nd: e\n", [("a", .texts("b", "c")), ("d", .text("e"))]),
    Row(
      "a: # x\n  # y\n\n  -  b # z\n# w\n  - 'c'\n\n# v\nd: e\n",
      [("a", .texts("b", "c")), ("d", .text("e"))]),
    Row("a:\n  - \"[[B]]\"\n  - ~\n", "a", .list([.text("[[B]]"), .empty])),
    Row("a:\nb:\n  - c\n", [("a", .empty), ("b", .texts("c"))]),
    Row(
      "creation date: x\nöäü: y\n日本: z\n",
      [("creation date", .text("x")), ("öäü", .text("y")), ("日本", .text("z"))]),
    Row("a: 😀 שלום\n", "a", .text("😀 שלום")),
    Row("a: “b” – 5 € or ₩\n", "a", .text("“b” – 5 € or ₩")),
    Row("a: \u{FFFD} \u{FF01}\n", "a", .text("\u{FFFD} \u{FF01}")),
    Row("a: e\u{301}\n", "a", .text("e\u{301}")),
    Row("a: b\r\nc:\r\n  - d\r\ne: [f]\r\n", [("a", .text("b")), ("c", .texts("d")), ("e", .texts("f"))]),
    Row("2026: a\n_b: c\nd.e/f-g: h\n", [("2026", .text("a")), ("_b", .text("c")), ("d.e/f-g", .text("h"))]),
    Row("a: x{y}\n", "a", .text("x{y}")),
    Row("a: b\n    # indented\nc: d\n", [("a", .text("b")), ("c", .text("d"))]),
  ]

  static let unusual: [Row] = [
    Row("a: |\n  b\n  c\nd: e\n", [("a", .text("b\nc\n")), ("d", .text("e"))]),
    Row("a: >-\n  b\n  c\n\n", "a", .text("b c")),
    Row("a: b\n  c\n", "a", .text("b c")),
    Row("a: \"b\n  c\\\n  d\"\n", "a", .text("b cd")),
    Row("a:\n  b\n", "a", .text("b")),
    Row("a: [b,\n  c # d\n  ]\n", "a", .texts("b", "c")),
    Row("a:\n  [b]\n", "a", .texts("b")),
    Row("a: \"\\u00e9\\n\\x41\"\n", "a", .text("é\nA")),
    Row("a: [[Link]]\n", "a", .text("[[Link]]")),
    Row("a: [[Smith, John|J]] # c\n", "a", .text("[[Smith, John|J]]")),
    Row("a: [[[A]], b]\n", "a", .texts("[[A]]", "b")),
    Row("a:\n  - [[A]]\n  - b\n", "a", .texts("[[A]]", "b")),
    Row("a: [[b], [c]]\n", "a", .list([.texts("b"), .texts("c")])),
    Row("a: [[\"b\", \"c\"]]\n", "a", .list([.texts("b", "c")])),
    Row("a: {{date}}\n", "a", .text("{{date}}")),
    Row(
      "a: {b: c, d: [e]}\n", "a",
      .map([MapEntry(key: "b", value: .text("c")), MapEntry(key: "d", value: .texts("e"))])),
    Row(
      "a:\n  b: c\n  d:\n", "a",
      .map([MapEntry(key: "b", value: .text("c")), MapEntry(key: "d", value: .empty)])),
    Row("a:\n  - b: c\n", "a", .list([.map([MapEntry(key: "b", value: .text("c"))])])),
    Row("a:\n  -\n  - b\n", "a", .list([.empty, .text("b")])),
    Row("a:\n  - - b\n", "a", .list([.texts("b")])),
    Row("a: &x b\nc: *x\n", [("a", .text("b")), ("c", .text("b"))]),
    Row("a: &x [b, c]\nd: *x\n", [("a", .texts("b", "c")), ("d", .texts("b", "c"))]),
    Row("a: &x b\nc: [*x, d, *y]\n", [("a", .text("b")), ("c", .texts("b", "d", "*y"))]),
    Row("a: &x b\nc: &x d\ne: *x\n", [("a", .text("b")), ("c", .text("d")), ("e", .text("d"))]),
    Row("a: *x\nb: &x c\n", [("a", .text("*x")), ("b", .text("c"))]),
    Row("a: &x\nb: *x\n", [("a", .empty), ("b", .empty)]),
    Row("a: &x [b, *x]\n", "a", .texts("b", "*x")),
    Row("a: |-\n \tb\n", "a", .text("\tb")),
    Row("a: |\n  \tb\n  c\n\n  d\ne: f\n", [("a", .text("\tb\nc\n\nd\n")), ("e", .text("f"))]),
    Row("a: |+\n\n \tb\n\ne: f\n", [("a", .text("\n\tb\n\n")), ("e", .text("f"))]),
    Row("a: >-\n \tb\n c\n d\n", "a", .text("\tb\nc d")),
    Row("a: >\n\n \tb\n c\n", "a", .text("\n\tb\nc\n")),
    Row("a: >\n \tb\n\n c\n d\n\n e\n", "a", .text("\tb\n\nc d\ne\n")),
    Row("a: !x-y |\n \tb\n", "a", .text("\tb\n")),
    Row("a: !<x> |\n \tb\n c\n d\n", "a", .text("\tb\nc\nd\n")),
    Row("a: !x >\n \tb\n c\n d\n", "a", .text("\tb\nc d\n")),
    Row(
      "a:\n  b: |- # c\n   \td\n  e: |\n   \tf\n", "a",
      .map([
        MapEntry(key: "b", value: .text("\td")), MapEntry(key: "e", value: .text("\tf\n")),
      ])),
    Row("a: !!str 12\nb: ! x\n", [("a", .text("12")), ("b", .text("x"))]),
    Row("a: !!null ''\n", "a", .text("")),
    Row(
      "b: &x {c: d}\n<<: *x\n",
      [
        ("b", .map([MapEntry(key: "c", value: .text("d"))])),
        ("<<", .map([MapEntry(key: "c", value: .text("d"))])),
      ]),
    Row("? a\n: b\n", "a", .text("b")),
    Row("\"a b\": c\n'd': e\n", [("a b", .text("c")), ("d", .text("e"))]),
    Row("a : b\n", "a", .text("b")),
    Row("{a: b, c: [d]}\n", [("a", .text("b")), ("c", .texts("d"))]),
    Row("  a: b\n  c: d\n", [("a", .text("b")), ("c", .text("d"))]),
    Row("a: [x:y]\n", "a", .texts("x:y")),
    Row("a: b\u{85}c: d\n", [("a", .text("b")), ("c", .text("d"))]),
    Row("a: b\rc: d\n", [("a", .text("b")), ("c", .text("d"))]),
    Row("a: \"b\u{2028}c\"\n", "a", .text("b\u{2028}c")),
    Row("a:\tb\t# c\n", "a", .text("b")),
    Row("a: \"b\"#c\n", "a", .text("b")),
    Row("a: :b\nc: ?d\n", [("a", .text(":b")), ("c", .text("?d"))]),
  ].map { Row($0.block, $0.values, quick: false) }

  @Test(arguments: usual + unusual) func readsValues(_ row: Row) {
    let text = note(row.block)
    let front = FrontMatter(text)
    #expect(front.problems == [])
    #expect(front.isWritable)
    #expect(front.fields.map(\.name) == row.values.map(\.name))
    #expect(front.fields.map(\.value) == row.values.map(\.value))
    #expect(expectAlike(text) == row.isQuick)
    let slow = FrontMatterReading(libyaml: text)
    #expect(slow.fields == front.fields)
  }

  @Test func knowsLinesAndSpans() throws {
    let text = NoteText(
      "\u{FEFF}---\n# c\na: b # d\n\nlist:\n  - x\n\n  # e\n  - y\n# f\nlast: |\n  z\n\n---\n")
    let front = FrontMatter(text)
    #expect(front.fields.map(\.line) == [3, 5, 11])
    let spans = front.fields.map { String(decoding: text.bytes[$0.span], as: UTF8.self) }
    #expect(spans == ["a: b # d\n", "list:\n  - x\n\n  # e\n  - y\n", "last: |\n  z\n"])
    #expect(front["list"] == .texts("x", "y"))
    #expect(front["List"] == nil)
    #expect(front.field("last")?.value.text == "z\n")
  }

  @Test func comparesByBytes() {
    #expect(FieldValue.text("\u{E9}") != .text("e\u{301}"))
    #expect(FieldValue.texts("a") != .text("a"))
    #expect(FieldValue.list([.text("a"), .empty, .list([])]).strings == ["a"])
    let text = note("\u{E9}: 1\ne\u{301}: 2\n")
    #expect(FrontMatter(text).problems == [])
    #expect(FrontMatter(text)["e\u{301}"] == .text("2"))
  }

  @Test func notesWithoutFrontMatterHaveNoFields() {
    for file in [
      "", "Body\n", "---\nA rule.\n", "\u{FEFF}x", "---\nword", "---\n",
      "---\nmore words than a name of a field would have: text\n",
    ] {
      let front = FrontMatter(NoteText(file))
      #expect(front.fields.isEmpty && front.problems.isEmpty && front.isWritable)
    }
  }

  @Test func marksWhatCannotBeEdited() {
    let block = """
      map:
        a: b
      maps:
        - a: b
      lists: [[a], [b]]
      anchor: &x y
      alias: *x
      tag: !!str z
      ? key
      : v
      plain: p
      literal: |
        l
      commented: | # c
        l
      hash: |
        # l
      entries:
        - |
          a
        # c
        - b
      link: [[L]]

      """
    let fields = FrontMatter(note(block)).fields
    let editable = fields.filter(\.isEditable).map(\.name)
    #expect(fields.count == 13)
    #expect(editable == ["plain", "literal", "hash", "link"])
  }

  @Test(arguments: ["a: b\rc: d\n", "a: b\u{85}c: d\n"])
  func `fields that share a line can't be edited`(_ block: String) {
    #expect(FrontMatter(note(block)).fields.map(\.isEditable) == [false, false])
  }
}
