import Testing

@testable import Notes

/// Fields in the text of notes, by the tables of Dataview's documentation.
@Suite struct InlineFieldTests {
  private func fields(_ text: String) -> [String] {
    InlineFields.found(in: NoteText(Array(text.utf8))).map { "\($0.line) \($0.name)=\($0.written)" }
  }

  @Test(arguments: [
    ("Basic Field:: Some random Value", ["1 basic-field=Some random Value"]),
    ("**Bold Field**:: Nice!", ["1 bold-field=Nice!"]),
    ("I would rate this a [rating:: 9]! It was [mood:: acceptable].", ["1 rating=9", "1 mood=acceptable"]),
    ("This will not show the (longKeyIDontNeedWhenReading:: key).", ["1 longKeyIDontNeedWhenReading=key"]),
    ("- key:: value\n- [ ] Send a mail [due:: 2026-12-01]", ["1 key=value", "2 due=2026-12-01"]),
    ("text\n\nkey::value", ["3 key=value"]), ("key::", ["1 key="]),
    ("> quoted:: yes", ["1 quoted=yes"]), ("no field: here", []), ("`std::move` is code", []),
    ("```\nkey:: value\n```", []), ("%% key:: value %%", []), ("<!-- key:: value -->", []),
    ("note:: see me ^ref", ["1 note=see me"]), ("note:: ^ref", ["1 note="]), ("note:: a^b", ["1 note=a^b"]),
    ("[[std::move]]", []), ("[a:: b [c] d]", ["1 a=b [c] d"]), ("::", []), (":: value", []),
    ("noël:: Un sapin", ["1 noël=Un sapin"]), ("日付:: 五月", ["1 日付=五月"]), ("[🎅:: red]", ["1 🎅=red"]),
    ("Last  Seen:: May", ["1 last-seen=May"]), ("CamelKey:: x", ["1 CamelKey=x"]),
    ("a-b_c/d:: x", ["1 a-b_c/d=x"]),
    ("~~old~~:: yes", ["1 old=yes"]),
    ("key:: a :: b", ["1 key=a :: b"]), ("key:: [[Page]] and more", ["1 key=[[Page]] and more"]),
    ("key:: see [url](https://x.org/a::b)", ["1 key=see [url](https://x.org/a::b)"]),
    ("1. key:: value", ["1 key=value"]),
    ("- [x] Done [completion:: 2026-11-28]", ["1 completion=2026-11-28"]),
    ("(a:: 1) [b:: 2] (c:: (3))", ["1 a=1", "1 b=2", "1 c=(3)"]), ("# Title\nkey:: value", ["2 key=value"]),
    ("grocery:: flour\ntext\ngrocery:: soap", ["1 grocery=flour", "3 grocery=soap"]),
    ("*key*:: yes", ["1 key=yes"]), ("key:: one\ntwo", ["1 key=one"]), ("[a :: b]", ["1 a=b"]),
    ("[key:: ]", ["1 key="]),
  ]) func `finds fields`(_ text: String, _ expected: [String]) {
    #expect(fields(text) == expected)
  }

  @Test(arguments: [
    ("1, 2, 3", FieldValue.list([.text("1"), .text("2"), .text("3")])),
    ("\"yes\", \"or\", \"no\"", .list([.text("yes"), .text("or"), .text("no")])),
    ("[[A]], [[B, C]]", .list([.text("[[A]]"), .text("[[B, C]]")])),
    ("6", .text("6")), ("2.4", .text("2.4")), ("-80", .text("-80")),
    ("2026-04-18T04:19:35.000", .text("2026-04-18T04:19:35.000")),
    ("9 years, 8 months, 4 days", .text("9 years, 8 months, 4 days")), ("[[A|shown]]", .text("[[A|shown]]")),
    ("\"a, b\", c", .text("\"a, b\", c")),
    ("1, \"two\", [[Three]]", .list([.text("1"), .text("two"), .text("[[Three]]")])),
    ("one, two", .text("one, two")), ("\"quoted\"", .text("quoted")), ("", .empty), ("true", .text("true")),
  ]) func `reads values`(_ written: String, _ expected: FieldValue) throws {
    let field = try #require(InlineFields.found(in: NoteText(Array("k:: \(written)".utf8))).first)
    #expect(field.value == expected)
  }

  @Test func `several fields of one name are a list`() {
    let text = NoteText(Array("grocery:: flour\n\ngrocery:: 1, 2\n".utf8))
    let note = Note(path: Array("a.md".utf8), text: text, inlineFields: InlineFields.found(in: text))
    #expect(note.frontMatter["grocery"] == .list([.text("flour"), .text("1"), .text("2")]))
  }

  @Test(arguments: [
    (
      "title:: A title\ntags:: food, [[two words]], #three\nalias:: B, [[C d]]\n\n- text", "A title",
      ["food", "two words", "three"], ["B", "C d"]
    ),
    ("- tags:: a\n  alias:: b\n- text", "page", ["a"], ["b"]),
    ("text\n\ntags:: a", "page", [], []),
    ("---\ntags: [own]\n---\ntags:: a\nalias:: b", "page", ["own"], ["b"]),
  ]) func `properties of a page are its title, tags and aliases`(
    _ text: String, _ title: String, _ tags: [String], _ aliases: [String]
  ) {
    let text = NoteText(Array(text.utf8))
    let fields = InlineFields.markingPageProperties(InlineFields.found(in: text), of: text)
    let note = Note(path: Array("page.md".utf8), text: text, inlineFields: fields)
    #expect(note.title == title)
    #expect(note.tags == tags)
    #expect(note.aliases == aliases)
  }

  @Test(arguments: [
    ("Alpha, PA", ["Alpha", "PA"]), ("[[PP]], QQ", ["[[PP]]", "QQ"]), ("\"a, b\", c", ["a, b", "c"]),
    ("one", ["one"]), ("", []),
  ]) func `lists of a page have commas between their elements`(_ written: String, _ elements: [String]) {
    let text = NoteText(Array("alias:: \(written)\n".utf8))
    let field = InlineFields.markingPageProperties(InlineFields.found(in: text), of: text)[0]
    #expect(field.value.strings == elements)
    let value = FieldValue.list(elements.map(FieldValue.text))
    #expect(InlineField.bytes(of: value, isCommaList: true) == Array(written.utf8))
  }

  @Test func `reads nothing unless it is asked to`() {
    #expect(InlineFields.all(in: NoteText(Array("a:: b".utf8))).isEmpty)
  }
}
