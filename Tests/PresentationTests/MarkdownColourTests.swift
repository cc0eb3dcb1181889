import Presentation
import Testing

/// Renders with all that a terminal can show; ESC is written as `^`.
private func rich(_ markdown: String, width: Int = 40) -> String {
  let text = MarkdownRendering.terminal(
    Array(markdown.utf8)[...], width: width, style: Style(colour: true, unicode: true, hyperlinks: true))
  return String(decoding: text.utf8.map { $0 == 0x1B ? UInt8(ascii: "^") : $0 }, as: UTF8.self)
}

@Suite struct MarkdownColourTests {
  @Test(arguments: [
    ("# A *b*", "^[0;2m#^[0m ^[0;1;35mA ^[0;3;1;35mb^[0m\n"), ("**a** b", "^[0;1ma^[0m b\n"),
    ("~~a~~ `b`", "^[0;9ma^[0m ^[0;35mb^[0m\n"),
    ("[a](https://x.org)", "^]8;;https://x.org^\\^[0;4ma^]8;;^\\^[0m\n"),
    ("[](https://x.org)", "^[0;2m(https://x.org)^[0m\n"), ("[a](b.md)", "^[0;4ma^[0;2m (b.md)^[0m\n"),
    ("see https://x.org/a_(b).", "see ^]8;;https://x.org/a_(b)^\\^[0;4mhttps://x.org/a_(b)^]8;;^\\^[0m.\n"),
    ("(https://x.org)", "(^]8;;https://x.org^\\^[0;4mhttps://x.org^]8;;^\\^[0m)\n"),
    ("[a](javascript:x)", "^[0;4ma^[0;2m (javascript:x)^[0m\n"),
    ("[[a b]] #c/d #1 a#b", "^[0;4m[[a b]]^[0m ^[0;32m#c/d^[0m #1 a#b\n"),
    ("`[[a]] #b`", "^[0;35m[[a]] #b^[0m\n"),
    ("[[a #b https://c.d]]", "^[0;4m[[a #b https://c.d]]^[0m\n"), ("**[[a]]**", "^[0;1;4m[[a]]^[0m\n"),
    ("[[a *b* c]]", "[[a ^[0;3mb^[0m c]]\n"),
    ("<b>x</b>", "^[0;2m<b>^[0mx^[0;2m</b>^[0m\n"), ("- [x] a", "^[0;32m☑^[0m a\n"),
    ("<https://x.org/ż>", "^]8;;https://x.org/%C5%BC^\\^[0;4mhttps://x.org/ż^]8;;^\\^[0m\n"),
  ])
  func isStyled(markdown: String, expected: String) {
    #expect(rich(markdown) == expected)
  }

  @Test func everyLineIsCompleteInItself() {
    #expect(rich("**aaaa bbbb cccc**", width: 10) == "^[0;1maaaa bbbb^[0m\n^[0;1mcccc^[0m\n")
    let link = rich("[aaaa bbbb cccc](https://x.org)", width: 10).split(separator: "\n")
    #expect(
      link.count == 2
        && link.allSatisfy { $0.hasPrefix("^]8;;https://x.org^\\") && $0.hasSuffix("^]8;;^\\^[0m") })
  }

  @Test func addressesThatAreUsedOftenDoNotFillTheScreen() {
    let markdown =
      "[a]: " + String(repeating: "x", count: 900) + "\n\n" + String(repeating: "[a] ", count: 20_000)
    #expect(rich(markdown).utf8.count < 2_000_000)
  }
}
