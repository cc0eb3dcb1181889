import Presentation
import Testing

/// Renders without escape sequences.
private func plain(_ markdown: String, width: Int = 40, unicode: Bool = true) -> String {
  MarkdownRendering.terminal(
    Array(markdown.utf8)[...], width: width, style: Style(colour: false, unicode: unicode, hyperlinks: false))
}

@Suite struct MarkdownRenderingTests {
  @Test(
    arguments: [
      ("", ""), ("word", "word\n"), ("a\nb", "a b\n"), ("a  \nb", "a\nb\n"), ("a<br>b", "a\nb\n"),
      ("a\r\n\r\nb\r\n", "a\n\nb\n"),
      ("# One\ntext\n### Three", "# One\n\ntext\n\n### Three\n"), ("One\n===", "# One\n"),
      ("*a* **b** ~~c~~ `d`", "a b ~~c~~ `d`\n"), ("a ~ b ~ c", "a ~ b ~ c\n"),
      ("- a\n- b\n  - c\n    - d\n", "• a\n• b\n  ◦ c\n    ▪ d\n"), ("- a\n\n- b", "• a\n\n• b\n"),
      ("-\n- b", "•\n• b\n"),
      ("- a\n\n  b\n- c\n\nd", "• a\n\n  b\n\n• c\n\nd\n"),
      ("9. a\n10. b", " 9. a\n10. b\n"), ("1) a\n2) b", "1) a\n2) b\n"),
      ("- [ ] a\n- [x] b\n- c", "☐ a\n☑ b\n• c\n"), ("1. [x] a", "1. ☑ a\n"),
      ("> a\n>\n> b\n\nc", "│ a\n│\n│ b\n\nc\n"), ("> - a\n>   > b", "│ • a\n│   │ b\n"), (">", ""),
      ("```swift\nlet a\n\n\tb\n```", "    let a\n\n        b\n"), ("    a\n     b", "    a\n     b\n"),
      ("a\n\n***\n\nb", "a\n\n────────────────────────────────────────\n\nb\n"),
      ("[a](https://x.org)", "a (https://x.org)\n"), ("<https://x.org>", "https://x.org\n"),
      ("<a@b.org>", "a@b.org\n"), ("<https://x.org/ż[>", "https://x.org/ż[\n"),
      ("[x](#part) [](y.md)", "x (y.md)\n"), ("[a][r]\n\n[r]: b.md \"t\"", "a (b.md)\n"),
      ("![alt *x*](a/b.png) ![](a/b.png)", "[image: alt x] [image: b.png]\n"),
      ("[![b](i.png)](u.md)", "[image: b] (u.md)\n"),
      ("[[a|b]] ![[c.png]] #tag", "[[a|b]] ![[c.png]] #tag\n"), ("a <!-- b --> c", "a c\n"),
      ("<!-- a\nb -->\n\nc", "c\n"),
      ("<div>\n<!-- x -->a\n</div>", "<div>\na\n</div>\n"),
      ("x[^1]\n\n[^1]: note words", "x[^1]\n\n[^1]: note words\n"),
      ("&lt;b&gt; \\*x\\*", "<b> *x*\n"),
    ] as [(String, String)])
  func isReadable(markdown: String, expected: String) {
    #expect(plain(markdown) == expected)
  }

  @Test(arguments: [
    ("one two three four", 10, "one two\nthree four\n"), ("- one two three", 10, "• one two\n  three\n"),
    ("abcdefghijklmnop q", 10, "abcdefghij\nklmnop q\n"), ("日本語日本語", 10, "日本語日本\n語\n"),
    ("日本語日本。語", 10, "日本語日\n本。語\n"),
    ("a日本語日本語", 10, "a日本語日\n本語\n"), ("12345678👩‍💻👩‍💻", 10, "12345678👩‍💻\n👩‍💻\n"),
    ("> one two three", 10, "│ one two\n│ three\n"),
    ("# one two three", 10, "# one two\n  three\n"),
    ("10. one two three", 10, "10. one\n    two\n    three\n"),
    ("`a code span that wraps`", 10, "`a code\nspan that\nwraps`\n"),
    ("    code that is longer than the width", 10, "    code that is longer than the width\n"),
    ("a   b", 10, "a b\n"),
    (
      "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301} abcdef", 10,
      "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}\nabcdef\n"
    ),
  ])
  func wrapsByCells(markdown: String, width: Int, expected: String) {
    #expect(Array(plain(markdown, width: width).utf8) == Array(expected.utf8))
  }

  @Test func alignsTables() {
    let table = "| Name | N | C |\n|:--|--:|:-:|\n| a | 1 | x |\n| 日本 | 1000 | `y` |\n"
    #expect(
      plain(table) == """
        Name │    N │  C
        ─────┼──────┼────
        a    │    1 │  x
        日本 │ 1000 │ `y`

        """)
  }

  @Test func wrapsTheCellsOfWideTables() {
    let table = "|A|B|\n|-|-|\n|one two three four five|six seven eight|\n|x|y|\n"
    #expect(
      plain(table, width: 20, unicode: false) == """
        A         | B
        ----------+---------
        one two   | six
        three     | seven
        four five | eight
        ----------+---------
        x         | y

        """)
  }

  @Test func hasAnASCIIForm() {
    let text = plain("- [x] a\n- [ ] b\n- c\n\n> d\n\n***\n", width: 10, unicode: false)
    #expect(text == "[x] a\n[ ] b\n- c\n\n> d\n\n----------\n")
  }

  @Test func deepNestingIsBounded() {
    for piece in ["> ", "- ", "1. "] {
      let text = plain(String(repeating: piece, count: 10_000) + "a", width: 40)
      #expect(text.utf8.count < 200)
      #expect(text.contains("a"))
    }
    let many = plain(String(repeating: "> ", count: 300) + "word word word word\n", width: 40)
    #expect(many.split(separator: "\n").allSatisfy { $0.count <= 40 })
  }
}
