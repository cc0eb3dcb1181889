import Foundation
import Notes
import Testing

@testable import Presentation

/// Markdown as HTML in which nothing of a note is markup.
@Suite struct MarkdownHTMLTests {
  /// The HTML of a body in which our own marks stand.
  private func html(_ markdown: [UInt8], shift: Int = 0) -> String {
    let text = NoteText(markdown)
    let scan = BodyScan(text)
    var marks = scan.tags.map { BodyMark(range: $0.range, content: .tag($0.name, address: "t")) }
    for link in scan.links {
      switch link.form {
      case .wiki: marks.append(BodyMark(range: link.range, content: .link(link.target, .page("p"))))
      case .embed:
        marks.append(BodyMark(range: link.range, content: .embed(link.target, .file("f", .image), size: nil)))
      default:
        guard let place = LinkPlace(link, in: text.bytes) else { continue }
        let isOwn = link.target.hasSuffix(".md")
        marks.append(
          BodyMark(range: place.target, content: .target(isOwn ? .page("p") : .url(Array(link.target.utf8)))))
      }
    }
    var writer = MarkupWriter()
    MarkdownHTML.write(MarkedBody(text, marks: marks), shift: shift, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func html(_ markdown: String, shift: Int = 0) -> String { html(Array(markdown.utf8), shift: shift) }

  @Test(arguments: [
    ("*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>\n"),
    ("# A\n\nb\n===", "<h1>A</h1>\n<h1>b</h1>\n"),
    (
      "[[A]] [[a_b_c]] **[[*x*]]**",
      "<p><a href=\"p\">A</a> <a href=\"p\">a_b_c</a> <strong><a href=\"p\">*x*</a></strong></p>\n"
    ),
    (
      "`[[A]]` #tag `#no`",
      "<p><code>[[A]]</code> <a class=\"tag\" href=\"t\">#tag</a> <code>#no</code></p>\n"
    ),
    ("![[a b.png]]", "<p><img loading=\"lazy\" src=\"f\" alt=\"a b.png\"></p>\n"),
    ("[x](a.md \"T\")", "<p><a href=\"p\" title=\"T\">x</a></p>\n"),
    ("[x][1]\n\n[1]: a.md", "<p><a href=\"p\">x</a></p>\n"),
    ("[x](javascript:alert(1)) [y](JAVASCRIPT:x) [z](data:text/html,x)", "<p>x y z</p>\n"),
    (
      "[x](https://a.org/?a=1&b=\"')",
      "<p><a class=\"external\" rel=\"noopener noreferrer\" href=\"https://a.org/?a=1&amp;b=%22&#39;\">x</a></p>\n"
    ),
    (
      "see https://a.org/b_c(d), ok",
      "<p>see <a class=\"external\" rel=\"noopener noreferrer\" href=\"https://a.org/b_c(d)\">https://a.org/b_c(d)</a>, ok</p>\n"
    ),
    ("[see [[A]] #t](a.md)", "<p><a href=\"p\">see A #t</a></p>\n"),
    ("- a\n- b\n\n1. c", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>\n"),
    ("3. c\n\n   d", "<ol start=\"3\">\n<li><p>c</p>\n<p>d</p>\n</li>\n</ol>\n"),
    ("> q\n\n---", "<blockquote>\n<p>q</p>\n</blockquote>\n<hr>\n"),
    ("<b>a</b> <b onclick=x>c</b>", "<p><b>a</b> &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n"),
    ("<u>a <!-- no --> <br>", "<p><u>a  <br></u></p>\n"),
    (
      "<div>\n<script>x</script>\n</div>",
      "<pre class=\"source\">&lt;div&gt;\n&lt;script&gt;x&lt;/script&gt;\n&lt;/div&gt;\n</pre>\n"
    ),
    ("<!-- a\nb -->", ""),
    (
      "```swift x\n<a> [[A]] #t\n```",
      "<pre tabindex=\"0\"><code class=\"language-swift\">&lt;a&gt; [[A]] #t\n</code></pre>\n"
    ),
    ("![a *b* [[C]]](x.png)", "<p>a b [[C]]</p>\n"),
    ("a\\\nb  \nc\nd", "<p>a<br>\nb<br>\nc\nd</p>\n"),
    (
      "| a |\n|:-:|\n| [[x\\|y]] |",
      "<div class=\"table\" tabindex=\"0\"><table>\n<thead>\n<tr><th class=\"centre\">a</th></tr>\n</thead>\n<tbody>\n<tr><td class=\"centre\"><a href=\"p\">x</a></td></tr>\n</tbody>\n</table></div>\n"
    ),
  ])
  func isWritten(_ markdown: String, _ expected: String) {
    #expect(html(markdown) == expected)
  }

  @Test func footnotesStandAtTheEndInTheOrderOfTheText() {
    let page = html("a[^y] b[^x] c[^y]\n\n[^x]: one\n[^y]: two\n[^z]: none\n")
    #expect(
      page.contains("href=\"#fn:1\" id=\"ref:1\">1</a></sup> b<sup") && page.contains("href=\"#fn:1\">1</a>"))
    #expect(page.contains("<li id=\"fn:1\"><a class=\"back\" href=\"#ref:1\"") && page.contains("two</p>"))
    #expect(!page.contains("none") && page.hasSuffix("</ol>\n</section>\n"))
  }

  @Test func headingsStandDeeper() {
    #expect(html("# a\n\n###### b", shift: 1) == "<h2>a</h2>\n<h6>b</h6>\n")
  }

  /// Signs that stand for marks can't be written in a note; `<` and `>` stand for their two letters here.
  @Test(arguments: ["<0> [[A]]", "[[<0>]]", "[x](<0>) [[A]]", "`<` #t <99>", "<<0>> [[A]]"])
  func signsAreNotForged(_ text: String) {
    let markdown = text.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "<"): [0xEF, 0xB7, 0x90]
      case UInt8(ascii: ">"): [0xEF, 0xB7, 0x91]
      default: [byte]
      }
    }
    let page = html(Array(markdown))
    #expect(!page.unicodeScalars.contains { (0xFDD0...0xFDEF).contains($0.value) } || text.hasPrefix("[["))
    #expect(page.components(separatedBy: "href=\"p\"").count <= 2)
  }

  @Test func whatIsNoTextIsShownAsSuch() {
    let page = html(
      [0x61, 0xFF, 0x00, 0x1B, 0x62, 0x0D, 0x0A] + Array("[[A]] ".utf8) + [0xEF, 0xBF, 0xBE, 0xC3])
    #expect(page.contains("<a href=\"p\">A</a>") && page.contains("a\u{FFFD}\u{FFFD}\u{FFFD}b"))
    #expect(
      !page.utf8.contains { $0 < 0x20 && $0 != 0x0A } && !page.unicodeScalars.contains { $0.value == 0xFFFE })
  }

  /// Texts that are slow to parse are shown as they are written; none takes long.
  @Test(arguments: [
    String(repeating: "[^a]", count: 20_000) + "\n\n[^a]: x", String(repeating: "[", count: 100_000),
    String(repeating: "> ", count: 20_000), String(repeating: "[^a]: x\n", count: 20_000),
    String(repeating: "<b>", count: 50_000), String(repeating: "[[a", count: 50_000),
    String(repeating: "![", count: 50_000), String(repeating: "https:", count: 100_000),
    String(repeating: "*a_ ", count: 50_000), String(repeating: "^[", count: 50_000),
    String(repeating: "^[a] ", count: 20_000), String(repeating: "^[`", count: 50_000),
    String(repeating: "- [a] x\n", count: 20_000),
  ])
  func hostileTextsAreQuick(_ markdown: String) {
    let clock = ContinuousClock()
    #expect(clock.measure { _ = html(markdown) } < .seconds(8))
  }

  @Test func lineEndsAreBreaksIfTheLayoutHasThem() {
    let text = NoteText(Array("a\nb  \n*c\nd* ![e\nf](g)\n\n- h\n  i\n".utf8))
    let html = { (breaksLines: Bool) in
      var writer = MarkupWriter()
      MarkdownHTML.write(MarkedBody(text, marks: [], breaksLines: breaksLines), to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    #expect(html(true).components(separatedBy: "<br>\n").count == 5, "\(html(true))")
    #expect(html(true).contains("<em>c<br>\nd</em>") && html(true).contains("<li>h<br>\ni</li>"))
    #expect(html(false).components(separatedBy: "<br>\n").count == 2, "\(html(false))")
  }

  /// `[1]` may be a reference.
  @Test func referencesAtTheBeginningOfItemsAreNoBoxes() {
    let page = html("- [1] a\n- [2] b\n\n[1]: https://a.org\n")
    #expect(page.contains(">1</a> a"), "\(page)")
    #expect(page.contains("data-task=\"2\"") && !page.contains("data-task=\"1\""), "\(page)")
  }

  @Test func linesOfCheckBoxesAreThoseOfTheNote() {
    let text = NoteText(Array("- [ ] a^[x]\n- [x] b^[over\nlines] ^[y]\n\n- [ ] c\n".utf8))
    var writer = MarkupWriter()
    MarkdownHTML.write(MarkedBody(text, marks: [], namesLines: true), to: &writer)
    let page = String(decoding: writer.bytes, as: UTF8.self)
    for line in [1, 2, 5] { #expect(page.contains("data-line=\"\(line)\""), "\(page)") }
    #expect(page.components(separatedBy: "<li id=\"fn:").count == 3 && page.contains("^[over"), "\(page)")
  }
}

/// The lines of check boxes in the HTML are those of `CheckBox.all(in:)`.
@Suite struct CheckBoxPlaceTests {
  @Test(
    arguments: [
      // Other signs.
      ("- [/] a\n- [-] b\n> - [>] c\n1. [!] d\n- - [a] e\n- [\"] f\n\n    - [/] g\n", [1, 2, 3, 4, 5, 6, 8]),
      ("```\n- [/] no\n```\n\n- [//] no\n- [/]x\n[/] no\n- [?]\n", [8]),
      // Formulas.
      ("$$\na + b\n$$\n\n- [ ] a\n- [x] b\n", [5, 6]),
      ("$$\n- [ ] no\n$$\n\n- [ ] a $$x$$ and $$y\nz$$\n- [ ] b\n", [5, 7]),
      ("> $$\n> x\n> $$\n> - [ ] a\n\n- [ ] $x$\n", [4, 6]), ("- [ ] a $$ b\n- [ ] c\n", [1, 2]),
      // Code.
      ("```\n- [ ] no\n```\n\n- [ ] a\n\n    - [ ] b\n", [5, 7]), ("`$$`\n- [ ] a `$$`\n- [ ] b\n", [2, 3]),
      // Callouts and quotes.
      ("> [!note] T\n> - [ ] a\n>   - [x] b\n>\n> 1. [X] c\n\n- [ ] d\n", [2, 3, 5, 7]),
      ("> - [ ] a\n> > - [ ] b\n\n- > [ ] no\n- > - [ ] c\n", [1, 2, 5]),
      // Comments and HTML.
      ("%%\n- [ ] no\n%%\n\n<!--\n- [ ] no\n-->\n\n- [ ] a %% b\nc %%\n- [X] d\n", [9, 11]),
      ("<div>\n- [ ] no\n\n- [ ] a\n</div>\n\n<p>\n\n- [ ] b\n\n</p>\n- [ ] no\n", [4, 9]),
      // Lists in lists, and marks that are no boxes.
      ("- - [ ] a\n- 1. [ ] b\n- [ ]x\n- [] y\n- [x]\tz\n- [ ]\n", [1, 2, 5, 6]),
      ("Text\n- [ ] a\n\n\t- [ ] b\n\n2. [ ] c\n3) [ ] d\n", [2, 4, 6, 7]),
      ("| a | b |\n|---|---|\n| - [ ] x | y |\n\n- [ ] a\n\nA\nB\n===\n- [ ] b\n", [5, 10]),
      ("- [ ] [a\n  b](c.md) ^[d]\n- [ ] e\r\n- [ ] f\n", [1, 3, 4]),
    ] as [(String, [Int])])
  func areThoseOfTheNote(_ markdown: String, _ expected: [Int]) {
    for front in ["", "---\ntitle: A\n---\n"] {
      let text = NoteText(Array((front + markdown).utf8))
      let lines = front.isEmpty ? 0 : 3
      #expect(CheckBox.all(in: text).map { $0.line - lines } == expected, "\(markdown)")
      var writer = MarkupWriter()
      MarkdownHTML.write(MarkedBody(BodyComments.blanked(text), marks: [], namesLines: true), to: &writer)
      let page = String(decoding: writer.bytes, as: UTF8.self)
      let shown = page.components(separatedBy: "data-line=\"").dropFirst().compactMap { part in
        Int(part.prefix { $0.isNumber })
      }
      #expect(shown == expected, "\(page)")
      #expect(page.components(separatedBy: "type=\"checkbox\"").count == expected.count + 1, "\(page)")
    }
  }

  private static let pieces = [
    "a ", "b ", "`", "`", "` ", " `", "``", "```", "\n", "\n", "\n\n", "\n \t\n", "- ", "  - ", "> ", ">",
    "# ", "1. ",
    "| ", " |", "\n|--|--|\n", "\n***\n", "\n===\n", "\n```\n", "\n~~~\n", "\n    ", "\n> [!note] ",
    "\n- [ ] ",
    "\n- ", "\n> ", "\n\n[^1]: ", "[^1]", "\n\n[r]: ", "<b title=\"`\">", "<b title='", "<https://x/`>",

    "[x](y`z)", "$a`b$", "$", "$$", "]", "==", "\n<div>\n", "\n</div>\n", "<pre>\n", "\\` ",
  ]
  private static let comments = [
    "%%zq%%", " %%zq%% ", "<!-- zq -->", "\n\n<!--\nzq\n-->\n", "\n%%\nzq\n%%\n", "<!-- zq ` -->",
    "%%zq zq%%",
  ]

  /// The parts of a page outside of code.
  private static func outsideOfCode(_ page: String) -> String {
    page.components(separatedBy: "<code").enumerated().map { number, part in
      number == 0 ? part : part.components(separatedBy: "</code>").dropFirst().joined()
    }.joined()
  }

  @Test(arguments: 0..<8) func commentsAreShownInCodeAlone(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<600 {
      var text = "Start\n\n"
      for _ in 0..<Int.random(in: 3...16, using: &random) {
        text +=
          (Int.random(in: 0..<4, using: &random) == 0 ? Self.comments : Self.pieces)
          .randomElement(using: &random) ?? ""
      }
      var pages: [String] = []
      for text in [text, text.replacing("\n", with: "\r\n")] {
        let shown = BodyComments.removed(from: NoteText(Array(text.utf8)))
        var writer = MarkupWriter()
        MarkdownHTML.write(MarkedBody(shown, marks: []), to: &writer)
        let page = String(decoding: writer.bytes, as: UTF8.self)
        #expect(!Self.outsideOfCode(page).contains("zq"), "\(text.debugDescription)\n\(page)")
        let words = WordIndex.words(of: [], shown).map { String(decoding: $0, as: UTF8.self) }
        #expect(!words.contains("zq") || page.contains("zq"), "\(text.debugDescription)\n\(page)")
        pages.append(page.replacing("\r\n", with: "\n"))
      }
      #expect(pages[0] == pages[1], "\(text.debugDescription)")
    }
  }

  @Test func boxesInQuotesAreShownAsSuch() {
    var writer = MarkupWriter()
    MarkdownHTML.write(MarkedBody(NoteText(Array("> - [x] **\"a\"**\n".utf8)), marks: []), to: &writer)
    let page = String(decoding: writer.bytes, as: UTF8.self)
    #expect(
      page.contains("<li class=\"task\"><input type=\"checkbox\" disabled checked> <strong>"), "\(page)")
  }
}
