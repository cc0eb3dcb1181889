import Notes
import SlipboxTesting
import Testing

/// The names of the tags in a body.
private func tags(_ body: String) -> [String] { BodyScan(NoteText(Array(body.utf8))).tags.map(\.name) }

/// The links of a body as `form target`.
private func links(_ body: String) -> [String] {
  BodyScan(NoteText(Array(body.utf8))).links.map { "\($0.form) \($0.target)" }
}

@Suite struct BodyScanTagTests {
  @Test(arguments: [
    ("#tag", ["tag"]), ("a #tag, b", ["tag"]), ("#a/b/c", ["a/b/c"]), ("#a-b_c9", ["a-b_c9"]),
    ("#y2024", ["y2024"]),
    ("#1a #2024-05", ["1a", "2024-05"]), ("(#tag)", ["tag"]), ("[#tag]", ["tag"]), ("**#tag**", ["tag"]),
    ("|#a|#b|", ["a", "b"]),
    ("#a #b\n#c", ["a", "b", "c"]), ("- #a\n* #b\n1. #c\n> #d", ["a", "b", "c", "d"]), ("#a/", ["a"]),
    ("#a.", ["a"]),
    ("#żółw #日本語 #тест", ["żółw", "日本語", "тест"]), ("#🎉 #a🎉b #👩‍👩‍👧", ["🎉", "a🎉b", "👩‍👩‍👧"]),
    ("„#a“ «#b» （#c） “#d”", ["a", "b", "c", "d"]), ("x\u{3000}#a\u{A0}#b", ["a", "b"]), ("#a:#b", ["a"]),
    ("# Heading #tag", ["tag"]), ("#tag\r\n#other\r\n", ["tag", "other"]), ("\t#a", []),
    ("text\n\t#a", ["a"]),
    ("<br>#a", ["a"]), ("a <b and #c > d", ["c"]), ("#a\u{301}", ["a\u{301}"]), ("#e-mail", ["e-mail"]),
    ("#_", ["_"]),
  ])
  func areFound(body: String, expected: [String]) {
    #expect(tags(body) == expected)
  }

  @Test(arguments: [
    "# Title", "## tag", "##tag", "#", "# ", "#123", "#12-", "#12/", "#1/0/2", "#/a", "a#b", "C#", "&#39;",
    "\\#tag",
    "#!/bin/sh",
    "https://x.org/#frag", "https://x.org/a/#/b", "<https://x.org/#a>", "[a](#b)", "[a](x#b \"#c\")",
    "![a](#b)",
    "[[a#b]]", "[[a #b]]", "[[#b]]", "`#a`", "`` #a ` #b ``", "`a\n#b`", "```\n#a\n```", "~~~ #a\n#b\n~~~",
    "```\n#a",
    "````\n```\n#a\n````", "    #a", "\t#a", "para\n\n    #a\n\n    #b", "<!-- #a -->", "<!--\n\n#a\n\n-->",
    "<!-- #a",
    "x <!-- #a\n#b --> y", "<pre>\n#a\n\n#b</pre>", "<script>\n#a\n</SCRIPT>", "<STYLE>\n#id { }\n</style>",
    "<a href=\"#x\" title=' #y'>", "{{#each}}", "{#id}", "[x]: #y", "[x]: <#y> ' #z'", "> ```\n> #a\n> ```",
    "- a\n\n      #code", "#️⃣", "{ color: #123 }", "#\u{200D}a", "\u{1F}#a", "=#a",
  ])
  func areNotFound(body: String) {
    #expect(tags(body) == [])
  }

  @Test(arguments: [
    ("```\n#a\n```\n#b", ["b"]), ("~~~\n```\n~~~\n#b", ["b"]), ("```a`b\n#c", ["c"]), ("`a #b", ["b"]),
    ("`` a ` #b", ["b"]), ("- `a\n- #b `c", ["b"]), ("`a\n\n#b `c", ["b"]),
    ("x <!-- #a\n\n#b -->", ["a", "b"]),
    ("<!-- a --> #b", ["b"]), ("<!-->\n#b", ["b"]), ("<!-- a\n--> #b\n#c", ["b", "c"]),
    ("<pre>#a</pre>\n#b", ["b"]),
    ("<prefix>\n#b", ["b"]),
    ("> ```\n> #a\n#b", ["b"]), ("- ```\n  #a\n  ```\n- #b", ["b"]), ("- x\n  ```\n  #a\n#b", ["b"]),
    ("- a\n\n    #b", ["b"]), ("1. a\n\n   - b\n\n     #c", ["c"]), ("- a\n```\n#x\n```\n#b", ["b"]),
    ("para\n    #a", ["a"]), ("    #code\n#b", ["b"]), ("# h\n    #code\n#b", ["b"]),
    ("- a\n\npara\n\n    #code\n", []),
    ("$$\n#a\n$$ #b", ["b"]), ("$#a$ #b $5 #c 6", ["b", "c"]), ("%% #a %% #b", ["b"]), ("%% #a", []),
    ("%%\nx %%#a", ["a"]), ("` " + String(repeating: "`", count: 81) + " #a", ["a"]),
    ("a %% #b\n\n#c", ["b", "c"]), ("%%\n```\n%%\n#a", ["a"]),
    ("<!-- slip: yours -->\n#a\n<!-- slip: theirs -->\n#b\n<!-- slip: end -->", ["a", "b"]),
    ("```\r\n#a\r\n```\r\n#b", ["b"]), ("[^1]: see #b", ["b"]), ("[x]: not a target #b", ["b"]),
    ("    ```\n#b", ["b"]), ("text\n```\n#a\n```", []), ("- - #a\n  - #b", ["a", "b"]),
    ("-     #code\n- #b", ["b"]),
    ("* * *\n    #code", []), ("Title\n===\n    #code\n#b", ["b"]), (">     #code\n> #b", ["b"]),
  ])
  func theEndOfCodeIsSeen(body: String, expected: [String]) {
    #expect(tags(body) == expected)
  }

  @Test func standWhereTheyAre() throws {
    let text = NoteText(Array("---\ntitle: x\n---\nŻ #tag and #żółw\n".utf8))
    for tag in BodyScan(text).tags {
      #expect(Array(text.bytes[tag.range]) == Array("#\(tag.name)".utf8))
    }
    #expect(BodyScan(text).tags.count == 2)
  }

  @Test func invalidUTF8EndsAName() {
    #expect(BodyScan(NoteText(Array("#ab".utf8) + [0xFF, 0x23, 0x63])).tags.map(\.name) == ["ab"])
    #expect(BodyScan(NoteText([0x23, 0xC5])).tags.isEmpty)
    #expect(BodyScan(NoteText([0xBC, 0x23, 0x61])).tags.isEmpty)
  }

  @Test func longNamesAreNone() {
    #expect(tags("#" + String(repeating: "a", count: 255)).count == 1)
    #expect(tags("#" + String(repeating: "a", count: 100_000)).isEmpty)
  }
}

@Suite struct BodyScanLinkTests {
  @Test(arguments: [
    ("[[a]]", ["wiki a"]), ("[[ a b | c ]]", ["wiki a b"]), ("![[a.png|100]]", ["embed a.png"]),
    ("[[a#H1#H2]]", ["wiki a#H1#H2"]),
    ("[[#h]]", ["wiki #h"]), ("[[a#^b]]", ["wiki a#^b"]), ("| [[a\\|b]] |", ["wiki a"]),
    ("[[[a]]]", ["wiki a"]),
    ("[a](b)", ["markdown b"]), ("[a](b.md \"t\")", ["markdown b.md"]),
    ("[a]( <b c> 't' )", ["markdown b c"]),
    ("[a](b (t))", ["markdown b"]), ("![a](b)", ["image b"]), ("\\![a](b)", ["markdown b"]),
    ("[a](b(c)d)", ["markdown b(c)d"]),
    ("[a](b\\)c)", ["markdown b\\)c"]), ("[](b)", ["markdown b"]), ("[a]()", ["markdown "]),
    ("[a](<>)", ["markdown "]),
    ("[![a](b)](c)", ["markdown c", "image b"]), ("[a [b] c](d)", ["markdown d"]),
    ("[a `]` b](c)", ["markdown c"]),
    ("[x]: y", ["reference y"]), ("[x]: <y z> \"t\"\n[w]: v", ["reference y z", "reference v"]),
    ("[a](b)[[c]][d](e)", ["markdown b", "wiki c", "markdown e"]), ("# [a](b)", ["markdown b"]),
    ("[[denote:20210319T202401]]", ["wiki denote:20210319T202401"]),
    ("[a](Ż%20ó.md)", ["markdown Ż%20ó.md"]), ("a\n[[b]]\n> [[c]]", ["wiki b", "wiki c"]),
    ("[a\nb](c)", ["markdown c"]),
    ("[[a]](https://x.org)", ["markdown https://x.org"]), ("[[a]](s)", ["wiki a"]),
    ("<a[b@x](d)>", ["markdown d"]), ("[[a]][b](c)", ["wiki a", "markdown c"]), ("[[a]b](c)", ["markdown c"]),
    ("<!-- x --> [[a]]", ["wiki a"]),
    ("Title [[a]]\n===", ["wiki a"]), ("$5 [[a]] $6", ["wiki a"]), ("$x$ [[a]] $y$", ["wiki a"]),
    ("`$` [[a]] `$`", ["wiki a"]), ("```\n$\n```\n[[a]] $", ["wiki a"]), ("$$\n[[a]]\n\n$$", ["wiki a"]),
    ("\\$[[a]]$", ["wiki a"]), ("[for $5](a) or [6$](b)", ["markdown a", "markdown b"]),
    ("[[a $x$]]", ["wiki a $x$"]), ("%% [[a]] %% [[b]]", ["wiki b"]), ("50%% [[a]]", ["wiki a"]),
    ("<b>[[a]]</b>", ["wiki a"]), ("<details>\n\n[[a]]\n\n</details>", ["wiki a"]),
    ("<img\n  alt='x'\n  src='a'>", ["html a"]), ("<p>\n<img\n  alt='`'\n  src='a'\n>\n`</p>", ["html a"]),
    ("<img\n  src='a'\n>", ["html a"]), ("> <p>\n> <img\n> src=a\n> ></p>", ["html a"]),
    ("<source srcset='a.png, b.png 2x,c.png 3x'>", ["html a.png", "html b.png", "html c.png"]),
    ("<img srcset=a.png src=b.png>", ["html a.png", "html b.png"]),
  ])
  func areFound(body: String, expected: [String]) {
    #expect(links(body) == expected)
  }

  @Test(arguments: [
    "[a]", "[a][b]", "[a] (b)", "[a](b c)", "[a](b", "[a](<b)", "[a](b \"t)", "[a](b 't' x)", "\\[a](b)",
    "[a\\](b)", "`[a](b)`",
    "[[]]", "[[|a]]", "[[ ]]", "[[a", "[[a]", "[[a\nb]]", "[^1]: y", "[]: y", "[x]:", "text\n[x]: y",
    "    [[a]]", "```\n[[a]]\n```",
    "<!-- [[a]] -->", "$[[a]]$", "$[b](a)$", "$$\n[[a]] ![](b)\n$$", "- $$\n  [[a]]\n  $$",
    "<div>\n[[a]]\n</div>", "<p>[[a]] [b](c)</p>", "<div>\n<!--\n[[a]]\n-->\n</div>",
    "%%\n[[a]]\n\n[b](c)\n%%",
    "<source srcset=' , '>", "[ ] task", "[x] task", "\\[[a]", "(b)", "](b)",
  ])
  func areNotFound(body: String) {
    #expect(links(body) == [])
  }

  @Test(arguments: [
    ("x [a](b \"t\") y", "[a](b \"t\")"), ("x ![a](b) y", "![a](b)"), ("x ![[a|b]] y", "![[a|b]]"),
    ("x [[a]] y", "[[a]]"),
    ("[x]: y 't'  \n", "[x]: y 't'"), ("> - [x]: <y>\n", "[x]: <y>"),
  ])
  func rangesAreWhole(body: String, link: String) throws {
    let text = NoteText(Array("---\na: b\n---\n\(body)".utf8))
    let found = try #require(BodyScan(text).links.first)
    #expect(String(decoding: text.bytes[found.range], as: UTF8.self) == link)
  }
}

@Suite struct BodyScanHeadingTests {
  @Test(arguments: [
    ("# Title", "Title"), ("# Title ##", "Title"), ("# Title #x", "Title #x"), ("#   a   b  \n", "a b"),
    ("Title\n===", "Title"), ("Title\r\n=====\r\n", "Title"), ("# a\n# b", "a"),
    ("Two\nlines\n===", "Two lines"), ("# *a* **b** _c_ __d__ ~~e~~ `f*`", "a b c d e f*"),
    ("# snake_case 2 * 3", "snake_case 2 * 3"), ("# a__b", "a__b"),
    ("# [a](b) and [[c]] and [[d|e]] ![f](g)", "a and c and e f"), ("# \\*a\\* \\# C#", "*a* # C#"),
    ("# Vec<T>", "Vec<T>"),
    ("# Żółw 🐢", "Żółw 🐢"), ("# a <!-- b --> c", "a c"), ("# [a] [b", "[a] [b"), ("# [**a**](b)", "a"),
    ("# a\\", "a\\"),
    ("# a[^1] [^", "a [^"), ("# `a", "`a"), ("# ``a ` b``", "a ` b"), ("   # a", "a"),
    ("\n\n# a", "a"), ("<!--\n# no\n-->\n# yes", "yes"), ("#\ta", "a"),
  ])
  func isTheOneThatOpensTheBody(body: String, heading: String) {
    #expect(BodyScan(NoteText(Array(body.utf8))).heading?.text == heading)
  }

  @Test(arguments: [
    "", "text", "#tag", "#######x", "####### x", "# ", "#", "    # code", "> # quoted", "- # item", "---",
    "\n===", "- a\n---",
    "| a |\n---", "text\n\n---", "a\n- - -", "> a\n---", "# <!-- a -->", "# **", "===",
    "## Title ##", "#\n# b", "text\n\n### c\n# d", "## a\nB\n===\n# c", "### a\n## b\n#\n", "Title\n---\n",
    "- x\n# a", "- x\n\n# a", "```\n# no\n```\n# yes", "x\n***\n# a",
  ])
  func isNilWithoutOne(body: String) {
    #expect(BodyScan(NoteText(Array(body.utf8))).heading == nil)
  }

  @Test func isCutAtACharacter() throws {
    let heading = try #require(
      BodyScan(NoteText(Array(("# x" + String(repeating: "字", count: 100_000)).utf8))).heading?.text)
    #expect((900...1000).contains(heading.utf8.count))
    #expect(!heading.contains("\u{FFFD}"))
  }
}

@Suite struct BodyScanHostileTests {
  /// Texts that take quadratic time when each opening mark is followed to the end: 300,000 of each in well under a second.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "[", "[[", "![", "]", "](", "[](", "[a](b", "[](<", "[](a \"", "[](a (", "[](a ' \"", "[[a|", "`",
      "``` ", "` `` ", "<", "<a ", "<a b='",
      "<!--", "<!-- -", "<pre", "\\", "#", "#a", "# ", "#/", "> ", ">", "- ", "1. ", "\t", "* ", "> - ",
      "~~~", "[x]: ", "[x]: <", "()",
      "\n", "\r", "`\n", "- a\n ", "~~~\n", "<pre>\n", "<script", "</", "[^", "a\n=", "| #", "$$", "\u{301}",
      "#\u{301}", "[[[a]", "[[a]](b",
    ])
  func takeLinearTime(unit: String) {
    let text = NoteText(Array(String(repeating: unit, count: 300_000 / unit.utf8.count).utf8))
    let seconds = ContinuousClock().measure { _ = BodyScan(text) }
    #expect(seconds < .seconds(5))
  }

  @Test func randomMarksNeverTrapAndRangesAreInside() {
    var generator = SplitMix64(seed: 11)
    let alphabet = Array("[]()<>!`~#\\-*_=|:\"' \t\r\n a1é🎉^/".utf8)
    for _ in 0..<3000 {
      let count = Int.random(in: 0...60, using: &generator)
      let bytes = (0..<count).map { _ in
        Int.random(in: 0..<40, using: &generator) == 0
          ? UInt8.random(in: 0...255, using: &generator)
          : alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let text = NoteText(bytes)
      let scan = BodyScan(text)
      for link in scan.links {
        #expect(text.body.contains(link.range.lowerBound) && link.range.upperBound <= bytes.count)
      }
      for tag in scan.tags { #expect(bytes[tag.offset] == UInt8(ascii: "#") && !tag.name.isEmpty) }
      #expect(zip(scan.tags, scan.tags.dropFirst()).allSatisfy { $0.offset < $1.offset })
    }
  }
}
