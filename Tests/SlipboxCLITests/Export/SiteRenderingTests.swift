import Foundation
import SlipboxTesting
import Testing

/// A site renders math, code and footnotes, has previews of links, and stays small and valid.
@Suite struct SiteRenderingTests {
  private static let hasKaTeX =
    Machine.has("/usr/bin/node")
    && FileManager.default.fileExists(atPath: "/usr/share/javascript/katex/katex.min.js")
  private static let hasPygments =
    Machine.has("/usr/bin/python3")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/pygments")

  private static let math = #"""
    # Math

    Inline $a_1 < \frac{1}{2}$ and $\bad{$ and $\href{javascript:alert(1)}{x}$.

    $$
    \begin{aligned} x &= 1 \\ y &= \text{<script>} \end{aligned}
    $$

    > $$
    > z^2
    > $$

    """#

  @Test(.enabled(if: hasKaTeX, "needs nodejs and libjs-katex")) func formulasAreMathML() throws {
    let site = try ExportedSite(["math.md": Self.math])
    try site.export("--url https://example.org/")
    let page = site.page("notes/math.html")
    #expect(page.components(separatedBy: "<math ").count == 5, "\(page)")
    #expect(
      page.contains("<mfrac>") && page.contains("<mtable") && page.contains("<msup><mi>z</mi>"), "\(page)")
    // What KaTeX refuses stays as it is written, and no formula is a link.
    #expect(page.contains("<span class=\"math\">$\\bad{$</span>"), "\(page)")
    #expect(!page.contains("<script>") && !page.contains("href=\"javascript"), "\(page)")
    #expect(site.page("feed.xml").contains("&lt;math"))
  }

  @Test(.enabled(if: hasKaTeX, "needs nodejs and libjs-katex")) func formulasAreThoseOfKaTeX() throws {
    let parts = [
      "x", "\\alpha", "\\frac{1}{2}", "\\sqrt{y}", "\\mathbb{R}", "\\sum_{i=1}^n i", "\\vec{v}", "a < b",
    ]
    var random = SplitMix64(seed: 46)
    let formulas = (0..<200).map { _ in
      (0..<4).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined(separator: " + ")
    }
    let text = "# M\n\n" + formulas.map { "$$\($0)$$\n\n" }.joined()
    let site = try ExportedSite(["m.md": text])
    try site.export()
    let data = try JSONSerialization.data(withJSONObject: formulas)
    try site.shell.folder.write("formulas.json", Array(data))
    let script =
      "const k=require('/usr/share/javascript/katex/katex.min.js');for(const f of JSON.parse(require('fs').readFileSync('formulas.json')))"
      + "console.log(k.renderToString(f,{displayMode:true,output:'mathml'}))"
    try site.shell.folder.write("formulas.js", Array(script.utf8))
    let expected = try site.sh("/usr/bin/node formulas.js").output.split(separator: "\n").map(String.init)
    let page = site.page("notes/m.html")
    #expect(expected.count == 200)
    for (formula, markup) in zip(formulas, expected) { #expect(page.contains(markup), "\(formula)") }
  }

  @Test(.enabled(if: hasPygments, "needs python3-pygments")) func codeIsHighlightedIfWanted() throws {
    let code = "# Code\n\n```python\ndef f(x): return \"<b>\"\n```\n\n```nosuch\na < b\n```\n"
    let site = try ExportedSite(["code.md": code])
    try site.export()
    #expect(site.page("notes/code.html").contains("def f(x): return &quot;&lt;b&gt;&quot;\n</code>"))
    try site.export("--highlight")
    let page = site.page("notes/code.html")
    #expect(page.contains("<span class=\"k\">def</span>") && page.contains("&lt;b&gt;"), "\(page)")
    #expect(page.contains("a &lt; b\n</code>"), "\(page)")
  }

  @Test func inlineFootnotesAreFootnotes() throws {
    let text =
      "# Foot\n\nOne^[first *note* with [[Other]] and `]`] two[^a] three^[second\nline].\n\n## Later\n\n"
      + "`^[code]` 2\\^[no] ^[]\n\n```\n^[block]\n```\n\n[^a]: The *labelled* one.\n"
    let site = try ExportedSite([
      "foot.md": text, "other.md": "# Other\n\n    ^[in code]\n\n- [ ] task^[x]\n",
    ])
    try site.export()
    let page = site.page("notes/foot.html")
    #expect(
      page.contains("One<sup class=\"footnote\"><a href=\"#fn:1\" id=\"ref:1\">1</a></sup> two<sup"),
      "\(page)")
    #expect(
      page.contains("first <em>note</em> with <a href=\"../notes/other.html\">Other</a> and <code>]</code>"),
      "\(page)")
    #expect(page.contains("second line") && page.contains("<h2 id=\"later\">Later</h2>"), "\(page)")
    #expect(
      page.contains("<code>^[code]</code> 2^[no] ^[]") && page.contains("<code>^[block]\n</code>"), "\(page)")
    #expect(page.components(separatedBy: "<li id=\"fn:").count == 4, "\(page)")
    let other = site.page("notes/other.html")
    #expect(
      other.contains("<code>^[in code]\n</code>") && other.contains("task<sup class=\"footnote\">"),
      "\(other)")
  }

  @Test func previewsSayWhatThePagesSay() throws {
    let site = try ExportedSite([
      "a.md": "# A\n\nFirst %%xyzzy%% lines with [[Secret|a label]].\n\nMore.\n",
      "secret.md": "---\ntitle: Secret\nprivate: y\n---\nxyzzy\n",
    ])
    try site.export()
    #expect(
      site.page("search/preview-0.js")
        == "slipPreviews(\"0\",[\"notes/a.html\",\"A\",\"First lines with a label.\"]);\n",
      "\(site.page("search/preview-0.js"))")
  }

  @Test(.enabled(if: Machine.has("chromium"), "needs chromium")) func aLinkWithTheFocusHasAPreview() throws {
    let site = try ExportedSite(["a.md": "# A\n\n[[B]]\n", "b.md": "# B\n\nThe <b>text</b> of B.\n"])
    try site.export()
    let page = try site.rendered(
      "notes/a.html", script: "setTimeout(() => document.querySelector('article p a').focus(), 100);")
    #expect(page.contains("role=\"tooltip\"") && page.contains("aria-describedby=\"s:preview\""), "\(page)")
    #expect(page.contains("<strong dir=\"auto\">B</strong>") && page.contains("&lt;b&gt;text"), "\(page)")
  }

  @Test func aNoteOfThousandsOfTagsMakesNoLargeSite() throws {
    let tags = (0..<2_000).map { "t\($0)" }.joined(separator: ", ")
    let site = try ExportedSite(["a.md": "---\ntags: [\(tags)]\n---\n# A\n"])
    try site.export("--url https://example.org/")
    let size = try site.sh("cat $(find site -type f) | wc -c").output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    #expect(Int(size) ?? .max < 16_000_000, "\(size)")
    #expect(site.page("notes/a.html").contains(">#t1999</a>"))
  }

  @Test func wordsForTrueKeepANotePrivate() throws {
    let values = [
      "private: y", "private: \"yes\"", "private: 1", "private: on", "private: TRUE", "private: [true]",
      "private: {a: b}",
      "draft: 1", "draft: \"yes\"", "Draft: y", "publish: n", "publish: \"no\"", "publish: later",
      "published: false",
    ]
    var notes = [
      "shown.md": "---\nprivate: no\ndraft: 0\npublish: yes\npublished: 2026-01-02\n---\n# Shown\n"
    ]
    for (number, value) in values.enumerated() {
      notes["n\(number).md"] = "---\n\(value)\n---\n# Xyzzy\(number)\n"
    }
    let site = try ExportedSite(notes)
    let said = try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(!site.page("notes/shown.html").isEmpty)
    #expect(
      said.contains("left out: 14 notes: 7 private (private: 1, private: [true]")
        || said.contains("7 private (private: "), "\(said)")
    #expect(said.contains("3 drafts (draft: 1, draft: y, draft: yes)"), "\(said)")
    #expect(said.contains("4 with publish: false (publish: later, publish: n, publish: no, ...)"), "\(said)")
  }

  @Test(.enabled(if: Machine.has("tidy"), "needs tidy")) func tidyFindsNoFault() throws {
    let site = try ExportedSite(SiteMarkupTests.notes.merging(["math.md": Self.math]) { $1 })
    try site.export("--url https://example.org/")
    // Elements and attributes of HTML that tidy does not know yet: `div` in `dl`, and `lang=""` for an unknown language.
    let unknown =
      "proprietary attribute|attribute \"lang\" lacks value|<dl>|</dl>|<dt>|<dd>|missing </div>|<math|trimming empty"
    let found = try site.sh("find site -name '*.html' -exec tidy -q -e {} + 2>&1 | grep -vE '\(unknown)'")
    #expect(found.output.isEmpty, "\(found.output)")
    let feeds = try site.sh("find site -name '*.xml' -exec tidy -q -e -xml {} + 2>&1")
    #expect(feeds.output.isEmpty && feeds.errors.isEmpty, "\(feeds)")
  }
}
