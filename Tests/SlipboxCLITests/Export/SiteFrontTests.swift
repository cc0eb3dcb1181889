import Foundation
import SlipboxTesting
import Testing

/// The front page, the graph, policies, and small marks of pages.
@Suite struct SiteFrontTests {
  @Test func aNoteIsTheFrontPage() throws {
    let site = try ExportedSite([
      "README.md": "# Read me\n\nWelcome to [[B]].\n", "b.md": "# B\n", "sub/index.md": "# Sub\n",
    ])
    try site.export("--title 'My notes'")
    let front = site.page("index.html")
    #expect(front.contains("<title>My notes</title>") && front.contains("Read me</h1>"), "\(front)")
    #expect(front.contains("<p>Welcome to <a href=\"notes/b.html\">B</a>.</p>") && front.contains("Newest"))
    #expect(!front.contains("<dl class=\"facts\"") && !site.page("notes/README.html").isEmpty)
    try site.shell.folder.write("box/b.md", "---\npermalink: /\n---\n# Home\n\nHere.\n")
    #expect(!(try site.export().contains("permalinks")))
    #expect(site.page("index.html").contains("Home</h1>\n<p>Here.</p>"), "\(site.page("index.html"))")
    #expect(!site.page("notes/b.html").isEmpty)
  }

  @Test func theGraphLeadsHomeAndNamesNoPaths() throws {
    let site = try ExportedSite(["folder/a.md": "# Title of A\n\n[[B]]\n", "b.md": "# B\n"])
    try site.export()
    let graph = site.page("graph.html")
    #expect(graph.contains("<h1 id=\"home\"><a href=\"index.html\">box</a></h1>"), "\(graph)")
    #expect(!graph.contains("folder/a.md") && graph.contains("notes/folder/a.html"))
  }

  @Test func aStyleSheetMayHaveFontsAndPictures() throws {
    let site = try ExportedSite(["a.md": "# A\n"])
    try site.export()
    #expect(!site.page("index.html").contains("font-src"))
    try site.shell.folder.write("theme.css", "body { color: red; }")
    try site.export("--css ../theme.css")
    #expect(site.page("notes/a.html").contains("img-src 'self' data:; font-src 'self' data:;"))
  }

  @Test func calloutsWithMetadataAndInLists() throws {
    let site = try ExportedSite([
      "a.md":
        "# A\n\n> [!note|wide] Wide\n> text\n\n- > [!tip] In a list\n  > text\n- [/] half\n- [-] not\n1. [>] later\n\n"
        + "`- [/] code`\n\n- [/](b.md)\n", "b.md": "# B\n\n> [!warning] See [[A]] now.\n",
    ])
    try site.export()
    let page = site.page("notes/a.html")
    for part in [
      "data-callout=\"note\">\n<p class=\"callout-title\">Wide</p>",
      "data-callout=\"tip\">\n<p class=\"callout-title\">In a list</p>",
      "<input type=\"checkbox\" disabled data-task=\"/\" aria-label=\"/\"> half",
      "data-task=\"-\" aria-label=\"-\"> not", "data-task=\"&gt;\" aria-label=\"&gt;\"> later",
      "<code>- [/] code</code>", "<p lang=\"\" dir=\"auto\">See <mark>A</mark> now.</p>",
    ] { #expect(page.contains(part), "\(part)\n\(page)") }
  }

  @Test func descriptionsHaveNoMarkup() throws {
    let site = try ExportedSite(
      [
        "a.md": "# A\n\nThe [label][r] of [r] and [r][] has [x].\n\n[r]: b.md\n",
        "b.md": "---\ndescription: Own *words*\n---\n# B\n\nText.\n",
      ])
    try site.export()
    let meta = { (text: String) in "<meta name=\"description\" content=\"\(text)\">" }
    #expect(site.page("notes/a.html").contains(meta("The label of r and r has [x].")))
    #expect(site.page("notes/b.html").contains(meta("Text.")))
    try site.sh("cd box && slip config publish.fields description -q")
    try site.export()
    #expect(site.page("notes/b.html").contains(meta("Own words")))
  }

  @Test func `the title, address and author of a site are settings`() throws {
    let site = try ExportedSite(["a.md": "# A\n\nText.\n"])
    try site.sh("cd box && slip config publish.title 'My films' -q && slip config publish.author Ann -q")
    try site.sh("cd box && slip config publish.url https://example.org/films/ -q")
    try site.export()
    #expect(site.page("index.html").contains("<title>My films</title>"))
    #expect(site.page("feed.xml").contains("<name>Ann</name>"))
    #expect(site.page("sitemap.xml").contains("https://example.org/films/"))
    let refused = try site.sh("cd box && slip config publish.url 'example.org'")
    #expect(refused.status != 0 && refused.errors.contains("is not an address such as"), "\(refused)")
    try site.sh("cd box && sed -i 's,https://example.org/films/,javascript:x,' .slipbox/config.yaml")
    let wrong = try site.sh("cd box && slip export html -o ../site")
    #expect(wrong.status == 78, "\(wrong)")
    #expect(wrong.errors.contains("publish.url: javascript:x is not an address"), "\(wrong)")
  }

  @Test(arguments: ["Home.md", "README.md"])
  func `the note of the front page has the address of the front page`(path: String) throws {
    let flag = path == "Home.md" ? "---\npermalink: /\n---\n" : ""
    let site = try ExportedSite([path: "\(flag)Welcome to the garden.\n", "b.md": "[[\(path)]]\n"])
    try site.export("--url https://example.org/")
    let name = path.dropLast(3)
    let canonical = "<link rel=\"canonical\" href=\"https://example.org/\">"
    #expect(
      site.page("notes/\(name).html").contains(canonical) && site.page("index.html").contains(canonical))
    #expect(
      site.page("index.html").contains("<meta name=\"description\" content=\"Welcome to the garden.\">"))
    #expect(!site.page("sitemap.xml").contains(name) && site.page("sitemap.xml").contains("notes/b.html"))
  }

  @Test func `pages have an icon, and the graph says that it needs scripts`() throws {
    let site = try ExportedSite(["a.md": "Text.\n"])
    try site.export()
    let icon = "<link rel=\"icon\" href=\"data:image/svg+xml,"
    #expect(
      site.page("notes/a.html").contains(icon) && site.page("notes/a.html").contains("img-src 'self' data:"))
    #expect(site.page("graph.html").contains("<noscript><p><a href=\"notes.html\">Notes</a>"))
    try site.shell.folder.write(
      "frame.html", "<head>{{head}}<link rel=\"icon\" href=\"own.png\"></head>{{content}}")
    try site.export("--template ../frame.html")
    #expect(!site.page("notes/a.html").contains(icon) && site.page("notes/a.html").contains("own.png"))
  }

  @Test(arguments: [
    ("==Marked== `==x==` words\n", "Marked ==x== words"), ("a == b and c == d\n", "a == b and c == d"),
    ("[A link](https://example.org) first\n", "A link first"), ("`code` first\n", "code first"),
    ("Title\n=====\n\nText\n", "Text"), ("- [ ] one ^x\n- two\n", "one \u{B7} two"),
    ("***\n\n1. one\n", "one"),
    ("![[p.png]]\n\nText\n", "Text"), ("[r]: https://example.org\n\nText\n", "Text"),
    ("- item\n\nText\n", "Text"),
    ("| a |\n|---|\n| b |\n\n> q\n", ""),
  ])
  func `the description of a page is its first text without markup`(text: String, shown: String) throws {
    let site = try ExportedSite(["n.md": text])
    try site.export()
    let found = site.page("notes/n.html").firstMatch(of: /name="description" content="([^"]*)"/)
    #expect(String(found?.output.1 ?? "") == shown)
    #expect(site.page("search/preview-0.js").contains(",\"\(shown)\"]"))
  }

  @Test func `a description in a field is shown only if the field is`() throws {
    let text = "---\ndescription: \"A ==zqfine== one %%zqcomment%%\"\n---\nText. #t\n"
    let hidden = try ExportedSite(["n.md": text])
    try hidden.export("--url https://example.org/")
    #expect(try hidden.sh("grep -rail 'zqfine\\|zqcomment' site").output.isEmpty)
    let site = try ExportedSite(["n.md": text], fields: "description")
    try site.export("--url https://example.org/")
    #expect(site.page("notes/n.html").contains("<meta property=\"og:description\" content=\"A zqfine one\">"))
    #expect(site.page("search/preview-0.js").contains("\"A zqfine one\""))
    #expect(site.page("tags/t.xml").contains("<summary>A zqfine one</summary>"))
    #expect(try site.sh("grep -rail zqcomment site").output.isEmpty)
  }

  @Test func `backlinks show rows of tables and footnotes without marks`() throws {
    let site = try ExportedSite([
      "b.md": "B\n", "t.md": "| x | y |\n|---|---|\n| [[b\\|one\\|two]] | r\\|s |  |\n",
      "f.md": "Hi[^1]\n\n[^1]: See ==the== [[b]].\n",
    ])
    try site.export()
    let page = site.page("notes/b.html")
    #expect(page.contains("<mark>one|two</mark> \u{B7} r|s</p>"), "\(page)")
    #expect(page.contains("See the <mark>b</mark>.</p>"), "\(page)")
  }
}
