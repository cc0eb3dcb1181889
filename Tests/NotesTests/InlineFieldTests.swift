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
  ]) func `finds fields`(_ text: String, _ expected: [String]) {
    #expect(fields(text) == expected)
  }

  @Test(arguments: [
    ("1, 2, 3", FieldValue.list([.text("1"), .text("2"), .text("3")])),
    ("\"yes\", \"or\", \"no\"", .list([.text("yes"), .text("or"), .text("no")])),
    ("[[A]], [[B, C]]", .list([.text("[[A]]"), .text("[[B, C]]")])),
    ("one, two", .text("one, two")), ("\"quoted\"", .text("quoted")), ("", .empty), ("true", .text("true")),
  ]) func `reads values`(_ written: String, _ expected: FieldValue) throws {
    let field = try #require(InlineFields.found(in: NoteText(Array("k:: \(written)".utf8))).first)
    #expect(field.value == expected)
  }

  @Test func `reads nothing unless it is asked to`() {
    #expect(InlineFields.all(in: NoteText(Array("a:: b".utf8))).isEmpty)
  }
}
