import Testing

@testable import Notes

/// Comments of a body, outside of code, formulas and addresses.
@Suite struct BodyCommentsTests {
  private static func comments(_ text: String) -> [String] {
    let note = NoteText(Array(text.utf8))
    return BodyComments.all(in: note).map { String(decoding: note.bytes[$0], as: UTF8.self) }
  }

  @Test(arguments: [
    // Indented code.
    ("# A\n\n    printf %%d\n\ntext %%x%% end\n", ["%%x%%"]),
    ("- item\n\n      a %% b\n\n  %%x%%\n", ["%%x%%"]),
    ("a\n    lazy %%x%%\n", ["%%x%%"]),
    ("    <!-- shown -->\n\n<!-- x -->\n", ["<!-- x -->"]),
    // Formulas.
    ("$a%%b$ and %%x%%\n", ["%%x%%"]), ("$$\na %% b\n$$\n\n%%x%%\n", ["%%x%%"]),
    ("costs $5 %%x $a%% b\n", ["%%x $a%%"]), ("$a %%x%% b$\n", ["%%x%%"]),
    ("$a %%x b$ y%%\n", ["%%x b$ y%%"]), ("$a%%b$ $c%%d$ %%x%%\n", ["%%x%%"]),
    ("$a <!-- x$ --> b\n", ["<!-- x$ -->"]),
    // Addresses.
    ("[a](b%%20c.md) %%x%%\n", ["%%x%%"]), ("[a]: b%%20c.md\n\n%%x%%\n", ["%%x%%"]),
    ("https://example.org/50%%off %%x%%\n", ["%%x%%"]), ("<https://example.org/%%a> %%x%%\n", ["%%x%%"]),
    ("https://example.org/%%x%%\n", ["%%x%%"]), ("(https://example.org)%%x%%\n", ["%%x%%"]),
    ("[%%x](a.md)%%\n", ["%%x](a.md)%%"]),
    // Code and escapes, as before.
    ("`%%a%%` \\%% ```%%``` %%x%%\n", ["%%x%%"]), ("```\n%%\n```\n%%x%%\n", ["%%x%%"]),
    // Code spans end with their block.
    ("a ` b\r\n\r\n%%x%%\r\n\r\nc `\r\n", ["%%x%%"]), ("a `\n \t\n%%x%%\n\t\nb `\n", ["%%x%%"]),
    ("> a `\n>\n> %%x%%\n>\n> b `\n", ["%%x%%"]), ("- a ` %%x%%\n- b `\n", ["%%x%%"]),
    ("a ` %%x%%\n# b `\n", ["%%x%%"]), ("a ` %%x%%\n***\nb `\n", ["%%x%%"]),
    ("| a | b |\n|--|--|\n| 3` %%x%% | 4` |\n", ["%%x%%"]), ("a ` %%x%%\n> b `\n", ["%%x%%"]),
    ("`a\n%%b%%` %%x%%\n", ["%%x%%"]), ("- `a\n  %%b%%` %%x%%\n", ["%%x%%"]),
    // Backticks in tags, addresses, embeds and formulas.
    ("<b title=\"`\"> %%x%% `\n", ["%%x%%"]), ("<https://x/`> %%x%% `\n", ["%%x%%"]),
    ("![[p`.png]] %%x%% `\n", ["%%x%%"]), ("[a](b`c) %%x%% `\n", ["%%x%%"]),
    ("$a ` b$ `c %%d%% ` %%x%% `\n", ["%%d%%", "%%x%%"]), ("```$a`b$%%x%%\n", ["%%x%%"]),
    ("<div>\n` %%x%% `\n</div>\n", ["%%x%%"]),
    // Backticks and a fence inside of a comment.
    ("%% ` %% `%%a%%` %%x%%\n", ["%% ` %%", "%%x%%"]), ("<!-- ` --> %%x%% `\n", ["<!-- ` -->", "%%x%%"]),
    ("%%\n~~~\n%%\n%%x%%\n", ["%%\n~~~\n%%", "%%x%%"]),
  ])
  func areOutsideOfCodeFormulasAndAddresses(_ text: String, _ expected: [String]) {
    #expect(Self.comments(text) == expected, "\(text)")
  }

  @Test(arguments: [
    ("100%% sure\n", [3]), ("%%a%% b %%c\n", [8]), ("a %%b%%\n", []), ("%%to the end\n", []),
    ("%%\n```\n%%\n100%% sure\n", [13]),
    ("`%%` $a%%b$ https://example.org/50%%\n", []),
  ])
  func unclosedMarksAreFound(_ text: String, _ expected: [Int]) {
    #expect(BodyComments.unclosed(in: NoteText(Array(text.utf8))) == expected, "\(text)")
  }

  @Test(arguments: [
    ("a %%x%% b\n", "a b\n"), ("a%%x%%b\n", "ab\n"), ("%%x%%    text\n", "text\n"),
    ("  %%x%%   text\n", "  text\n"), ("%%\nx\n%%    text\n", "\n\ntext\n"), ("a %%x%%\nb\n", "a \nb\n"),
    ("%%x%%", ""), ("a %%x%%", "a "),
  ])
  func removalLeavesOneBlankAndTheLineEnds(_ text: String, _ expected: String) {
    let note = NoteText(Array(text.utf8))
    let removed = BodyComments.removed(BodyComments.all(in: note), from: note)
    #expect(String(decoding: removed.bytes, as: UTF8.self) == expected)
  }

  @Test func manyMarksTakeLinearTime() {
    for part in ["$a%%b$ ", "https://%%", "%%", "    %%\n\n", "[a](b%%) "] {
      let text = String(repeating: part, count: 60_000)
      let time = ContinuousClock().measure { _ = Self.comments(text) }
      #expect(time < .seconds(20), "\(part)")
    }
  }
}
