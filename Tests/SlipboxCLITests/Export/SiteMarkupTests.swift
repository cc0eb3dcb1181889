import Foundation
import SlipboxTesting
import Testing

/// A site shows callouts, highlights, math, sized pictures and embedded notes.
@Suite struct SiteMarkupTests {
  static let notes = [
    "main.md":
      "# Main\n\n> [!warning] Mind the *gap*\n> Text [[Part]].\n>\n> More.\n\n> [!tip]-\n> Folded.\n\n> [!note]+ Open\n\n"
      + "> Plain [!note] quote\n\nA ==marked *word*== and a == b, `==code==`, *x ==y* z==, ==open\n\n"
      + "Inline $a_1 \\, *b* < c$ costs $5 and $6. \n\n$$\n\\sum_{i} x_i \\\\ \n[[Part]] #notag\n$$\n\n## After math\n\n"
      + "![A loaf|300x200](loaf.png)\n\n![[Part]]\n\n![[Part#Two]]\n\n![[Part#^here]]\n\n![[Part#Nowhere]] inline ![[Part]]\n\n"
      + "```\n> [!note]\n==no== $x$\n```\n",
    "part.md":
      "---\ntitle: Part\n---\n# Part\n\nFirst[^1] [[Main]] %%xyzzy%%.\n\n## Two\n\nSecond.\n\n### Deep\n\n## Three\n\n- item ^here\n- other\n\n[^1]: Foot.\n",
    "one.md": "# One\n\n![[Two]]\n",
    "two.md": "# Two\n\nText of two.\n\n![[One]]\n",
    "secret.md": "---\ntitle: Xyzzysecret\nprivate: true\n---\nxyzzybody\n",
    "holder.md": "# Holder\n\n## Visible\n\nShown with [[Xyzzysecret|a label]].\n",
    "outer.md": "# Outer\n\n![[Holder#Visible]]\n",
  ]

  static func page(_ path: String) throws -> String {
    let site = try ExportedSite(notes)
    try site.shell.folder.write("box/loaf.png", [0x89, 0x50, 0x4E, 0x47])
    try site.export("--url https://example.org/")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    return site.page(path)
  }

  /// A later export notices that a setting of Obsidian changed.
  @Test func lineEndsOfAVaultAreBreaks() throws {
    let site = try ExportedSite([
      ".obsidian/app.json": "{}", "a.md": "One\ntwo\n\n![[b]]\n", "b.md": "Three\nfour\n",
    ])
    let breaks = { site.page("notes/a.html").components(separatedBy: "<br>\n").count - 1 }
    try site.export()
    #expect(breaks() == 2, "\(site.page("notes/a.html"))")
    try site.shell.folder.write("box/.obsidian/app.json", "{\"strictLineBreaks\":true}")
    try site.export()
    #expect(breaks() == 0, "\(site.page("notes/a.html"))")
  }

  @Test func calloutsHaveATitleAndMayBeFolded() throws {
    let page = try Self.page("notes/main.html")
    for part in [
      "<div class=\"callout\" data-callout=\"warning\">\n<p class=\"callout-title\">Mind the <em>gap</em></p>\n<p>Text <a href=\"../notes/part.html\">Part</a>.</p>\n<p>More.</p>\n</div>",
      "<details class=\"callout\" data-callout=\"tip\">\n<summary class=\"callout-title\">Tip</summary>\n<p>Folded.</p>\n</details>",
      "<details class=\"callout\" data-callout=\"note\" open>\n<summary class=\"callout-title\">Open</summary>\n</details>",
      "<blockquote>\n<p>Plain [!note] quote</p>",
      "<pre tabindex=\"0\"><code>&gt; [!note]\n==no== $x$\n</code></pre>",
    ] { #expect(page.contains(part), "\(part)\n\(page)") }
  }

  @Test func highlightsMathAndSizes() throws {
    let page = try Self.page("notes/main.html")
    for part in [
      "A <mark>marked <em>word</em></mark> and a == b, <code>==code==</code>, <em>x <mark>y</mark></em> z==, ==open",
      "costs $5 and $6.",
      "<h2 id=\"after-math\">After math</h2>",
      "alt=\"A loaf\" width=\"300\" height=\"200\">",
    ] { #expect(page.contains(part), "\(part)\n\(page)") }
  }

  @Test func notesAndTheirPartsAreEmbedded() throws {
    let page = try Self.page("notes/main.html")
    let embeds = page.components(separatedBy: "<section class=\"embed\">")
    #expect(embeds.count == 4, "\(page)")
    guard embeds.count == 4 else { return }
    #expect(
      embeds[1].hasPrefix(
        "\n<p class=\"embed-title\"><a href=\"../notes/part.html\">Part</a></p>\n<p>First"))
    #expect(
      embeds[1].contains("<h3>Two</h3>") && embeds[1].contains("Foot.")
        && !embeds[1].contains("id=\"fn:1\""), "\(embeds[1])")
    #expect(embeds[1].contains("<a href=\"../notes/main.html\">Main</a>"))
    #expect(
      embeds[2].contains("Second.") && embeds[2].contains("Deep") && !embeds[2].contains("Three"),
      "\(embeds[2])")
    #expect(embeds[3].contains("<li>item") && !embeds[3].contains("other"), "\(embeds[3])")
    #expect(page.contains("inline <a href=\"../notes/part.html\">Part</a>"), "\(page)")
  }

  @Test func embedsOfEachOtherEnd() throws {
    let page = try Self.page("notes/one.html")
    #expect(page.components(separatedBy: "Text of two.").count == 2, "\(page)")
    #expect(page.contains("<a href=\"../notes/one.html\">One</a>"))
  }

  @Test func embeddedPartsSayNothingOfPrivateNotes() throws {
    let page = try Self.page("notes/outer.html")
    #expect(page.contains("Shown with a label."), "\(page)")
  }

  /// The text of a page between its fields and its end.
  static func article(_ text: String, _ others: [String: String] = [:]) throws -> String {
    let site = try ExportedSite(others.merging(["n.md": text]) { $1 })
    try site.export()
    let page = site.page("notes/n.html")
    return String(
      page.components(separatedBy: "</dl>\n").last?.components(separatedBy: "</article>").first ?? "")
  }

  @Test(arguments: [
    ("para\n- %%c%%\n\n- a\n  - %% c %%\n- b\n", 0), ("para\n<!-- c -->===\n", 0), ("para\n--%%c%%-\n", 0),
    ("para\n- %%\nc\n%%\nmore\n", 0), ("para\n=%%a%%%%b%%=\n", 0), ("> para\n> - %%c%%\n", 0),
    ("Text\n\npara %%c%%\n===\n", 1),
  ])
  func `marks that a comment leaves alone make no heading`(text: String, headings: Int) throws {
    let article = try Self.article(text)
    #expect(article.components(separatedBy: "<h2").count - 1 == headings, "\(article)")
    #expect(!article.contains("%") && !article.contains("<hr>"), "\(article)")
  }

  @Test func `an ordered item with a comment alone stays an item`() throws {
    #expect(try Self.article("para\n\n1. %%c%%\n2. b\n").contains("<li>b</li>\n</ol>"))
    #expect(try Self.article("para\n1. %%c%%\n2. b\n").contains("<ol>"))
  }

  @Test func `emphasis around a comment stays emphasis`() throws {
    let article = try Self.article("~~s %%c%%~~ **b %%c%%** *%%c%% i* a %%c%% *d* e %%c%%*f*\n")
    #expect(
      article.contains("<p><del>s</del> <strong>b</strong> <em>i</em> a <em>d</em> e <em>f</em></p>"),
      "\(article)")
  }

  @Test func `the box of a task in a loose list is beside its text`() throws {
    let article = try Self.article("- [ ] a\n\n- [x] b\n\n  more\n\n- [/] c\n")
    #expect(article.contains("<li class=\"task\"><p><input type=\"checkbox\" disabled> a</p>"), "\(article)")
    #expect(
      article.contains("<p><input type=\"checkbox\" disabled checked> b</p>\n<p>more</p>"), "\(article)")
    let tight = try Self.article("- [ ] a\n- [x] b\n")
    #expect(tight.contains("<li class=\"task\"><input type=\"checkbox\" disabled> a</li>"), "\(tight)")
  }

  @Test func `each footnote of a page has an id of its own`() throws {
    let article = try Self.article(
      "Own[^1].\n\n![[p]]\n\n![[p]]\n\n![[p#^x]]\n\n[^1]: Foot.\n",
      ["p.md": "A[^1] and B[^2] ^x\n\n[^1]: One.\n[^2]: Two.\n"])
    let ids = article.matches(of: /id="([^"]*)"/).map { String($0.output.1) }
    #expect(ids.count == Set(ids).count && ids.count > 8, "\(ids)")
    let targets = article.matches(of: /href="#([^"]*)"/).map { String($0.output.1) }
    #expect(Set(targets).isSubset(of: ids), "\(targets) \(ids)")
  }

  @Test func `a link to a missing block or heading leads to the note`() throws {
    let article = try Self.article(
      "[[#^nope]] [[p#^nope|a]] [[p#^here|b]] [[p#nope|c]] [d](p.md#^nope) [e](p.md#^here)\n",
      ["p.md": "Text ^here\n"])
    #expect(!article.contains("nope\"") && !article.contains("#%5Enope"), "\(article)")
    #expect(article.contains("<a href=\"../notes/p.html#%5Ehere\">b</a> <a href=\"../notes/p.html\">c</a>"))
    #expect(article.contains("<a href=\"../notes/p.html\">d</a> <a href=\"../notes/p.html#%5Ehere\">e</a>"))
  }
}
