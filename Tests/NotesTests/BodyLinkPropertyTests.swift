import CCmark
import Notes
import SlipboxTesting
import Testing

/// The links of our scanner compared with those that cmark-gfm renders.
@Suite struct BodyLinkPropertyTests {
  /// What cmark-gfm calls a link is a link for every command, and no other text is; wiki links aside.
  @Test(arguments: 0..<8)
  func scannerAndCmarkAgreeOnLinks(part: UInt64) {
    for number in 0..<500 {
      var generator = RandomMarkdown(seed: part << 32 + UInt64(number))
      let markdown = generator.lines().joined(separator: "\n")
      if markdown.contains("[[") { continue }
      let (ours, theirs) = (MarkdownLinks.ofScanner(markdown), MarkdownLinks.ofCmark(markdown))
      #expect(ours == theirs, "\(markdown.debugDescription)")
    }
  }

  @Test(arguments: [
    "[a](\nt.md\n)", "[a](t.md\n\"t\")", "[r0]:\nt.md", "> [r0]:\n> t.md", "[a](t&#46;md)",
    "[a](t&period;md)",
    "a | b\n-|-\n`x | [c](t.md)\n` | d", "a | b\n-|-\n`x|y` | [c](t.md)",
    "a | b\n-|-\n[c](t.md) | [d](u.md) | [e](v.md)",
    "<div>\n[a](t.md)\n</div>", "<b>\n[a](t.md)", "x\n<b>\n[a](t.md)", "    [a](t.md)",
    "- a\n\n      [a](t.md)",
    "[a [b](t.md) c](u.md)", "![a [b](t.md) c](u.md)", "[a [r0] c](u.md)\n\n[r0]: t.md", "<a b='[c](t.md)'>",
    "<!-- [a](t.md) -->", "a <!-- [a](t.md) -- -->", "[a](t.md \"b\nc\")", "- [ ] [r0]: t.md",
    "> a\n[a](t.md)",
    "> ```\n[a](t.md)", "``2`[`a`[](t.md)`", "[a](t.md\n\nb)", "[a]( t.md )", "[a](<t\n.md>)",
    "* [a](t.md)\n\n\n  [b](u.md)",
    "-\n\n  [a](t.md)", "1. a\n2. [a](t.md)", "a\n2. [a](t.md)", "\u{C}[r0]: t.md", "[a](t(x.md)",
    "[^f]: [a](t.md)",
  ])
  func scannerAndCmarkAgree(markdown: String) {
    #expect(MarkdownLinks.ofScanner(markdown) == MarkdownLinks.ofCmark(markdown))
  }

  /// The path that a link leads to has the bytes that cmark-gfm gives the address.
  @Test(arguments: [
    "b&#46;md", "b&#x2e;md", "b&period;md", "&Uuml;b.md", "b\\.md", "b\\a.md", "&amp;b.md", "b&hellip;.md",
    "b&nothing;.md",
  ])
  func pathIsThatOfTheAddress(target: String) throws {
    let link = try #require(BodyScan(NoteText(Array("[a](\(target))".utf8))).links.first)
    let address = try #require(MarkdownLinks.ofCmark("[a](\(target))").first)
    guard case .name(let name) = LinkAddress(link) else { throw CancellationError() }
    #expect(name.readings.contains(Array(address.utf8)))
  }
}
