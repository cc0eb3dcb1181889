import Foundation
import SlipboxTesting
import Testing

/// Addresses of a site last, and search engines, messengers and readers of feeds know them.
@Suite struct SiteAddressTests {
  static let notes = [
    "bread.md":
      "---\nid: kqzmvtrp\ntitle: Bread\npermalink: /baking/bread/\naliases: [Loaf]\ntags: [food/baking]\n---\n"
      + "The **first** paragraph of [[Salt]].\n\n![[loaf.png]]\n",
    "salt.md": "---\ntitle: Salt\nslug: Two Per Cent\n---\n# Salt\n\nMore text.\n",
    "same.md": "---\ntitle: Same\npermalink: baking/bread/\n---\n",
    "up.md": "---\ntitle: Up\npermalink: ../../etc/passwd\n---\n",
    "map.md": "---\ntitle: Map\npermalink: search/map\n---\n",
    "secret.md": "---\nid: bcdfghjk\ntitle: Xyzzyplan\nprivate: true\naliases: [xyzzyalias]\n---\n",
  ]

  @Test func permalinksAndSlugsSetThePathOfThePage() throws {
    let site = try ExportedSite(Self.notes)
    let said = try site.export()
    #expect(said.contains("invalid or duplicate permalinks: ") && said.contains(" and 2 more"), "\(said)")
    let files = try site.files()
    for path in [
      "baking/bread/index.html", "notes/two-per-cent.html", "notes/same.html", "notes/up.html",
      "notes/map.html",
    ] {
      #expect(files.contains(path), "\(path) \(files)")
    }
    let bread = site.page("baking/bread/index.html")
    #expect(bread.contains("href=\"../../notes/two-per-cent.html\""), "\(bread)")
    try site.sh("cd box && slip retitle kqzmvtrp 'Bread and butter' -q")
    try site.export()
    #expect(site.page("baking/bread/index.html").contains("Bread and butter"))
    // The usual address and the aliases lead to the page.
    for path in ["notes/bread.html", "notes/loaf.html"] {
      let page = site.page(path)
      #expect(page.contains("content=\"0; url=../baking/bread/index.html\""), "\(path) \(page)")
    }
    #expect(!files.contains { $0.contains("xyzzy") || $0.contains("secret") })
  }

  @Test func earlierPathsLeadToThePage() throws {
    let site = try ExportedSite([
      "a.md": "---\nid: kqzmvtrp\ntitle: A\n---\nText of the first note.\n",
      "b.md": "# B\n\nText of the second note, which has no id.\n",
      "xyzzy-old.md": "---\ntitle: C\nprivate: true\n---\nText of the third note.\n",
      "d.md": "---\nid: bcdfghjk\ntitle: D\n---\nText.\n",
    ])
    try site.sh("cd box && slip commit -q && slip mv a.md one/a.md -q && slip mv one/a.md two/a.md -q")
    try site.sh("cd box && mkdir -p folder && git mv b.md folder/bee.md && git commit -qm moved")
    try site.sh("cd box && git mv xyzzy-old.md c.md && git commit -qm moved && slip set c.md private: -q")
    try site.sh("cd box && slip mv d.md e.md -q && slip set e.md private:true -q")
    try site.export("--url https://example.org/n")
    for (old, new) in [
      ("notes/a.html", "two/a.html"), ("notes/one/a.html", "url=../../notes/two/a.html"),
      ("notes/b.html", "folder/bee.html"),
    ] {
      let page = site.page(old)
      #expect(page.contains("url=") && page.contains(new), "\(old) \(page)")
      #expect(page.contains("<link rel=\"canonical\" href=\"https://example.org/n/notes/"), "\(page)")
    }
    let files = try site.files()
    #expect(files.contains("notes/c.html") && !files.contains { $0.contains("xyzzy") }, "\(files)")
    #expect(!files.contains("notes/d.html") && !files.contains("notes/e.html"))
    #expect(try !site.sh("grep -c notes/a.html site/sitemap.xml").output.hasPrefix("1"))
    // A second export writes nothing.
    #expect(try site.export("--url https://example.org/n").contains(": 0 files written, 0 removed"))
  }

  @Test func pagesHaveCanonicalAddressesDescriptionsAndBreadcrumbs() throws {
    let site = try ExportedSite(Self.notes)
    try site.shell.folder.write("box/loaf.png", [0x89, 0x50, 0x4E, 0x47])
    try site.export("--url https://example.org/n")
    let bread = site.page("baking/bread/index.html")
    for part in [
      "<link rel=\"canonical\" href=\"https://example.org/n/baking/bread/\">",
      "<meta name=\"description\" content=\"The first paragraph of Salt.\">",
      "<meta property=\"og:title\" content=\"Bread - box\">",
      "<meta property=\"og:type\" content=\"article\">",
      "<meta property=\"og:image\" content=\"https://example.org/n/files/loaf.png\">",
      "<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><ol><li><a dir=\"auto\" href=\"../../notes.html\">Notes</a></li></ol></nav>",
    ] { #expect(bread.contains(part), "\(part)\n\(bread)") }
    let map = site.page("sitemap.xml")
    #expect(
      map.contains("<loc>https://example.org/n/baking/bread/</loc><lastmod>")
        && map.contains("<loc>https://example.org/n/</loc>"))
    #expect(!map.contains("bread.html") && !map.lowercased().contains("xyzzy"))
    #expect(site.page("robots.txt").contains("Sitemap: https://example.org/n/sitemap.xml"))
    let missing = site.page("404.html")
    #expect(
      missing.contains("href=\"/n/site.css\"") && missing.contains("href=\"/n/notes.html\""), "\(missing)")
    let changes = site.page("changes.html")
    #expect(changes.contains("<h1>Recent changes</h1>\n<h2>") && changes.contains(">Bread</a>"))
    let feed = site.page("tags/food/baking.xml")
    #expect(
      feed.contains("href=\"https://example.org/n/baking/bread/index.html\"")
        && feed.contains("<summary>The first"), "\(feed)")
    #expect(
      feed.contains(
        "<link rel=\"self\" type=\"application/atom+xml\" href=\"https://example.org/n/tags/food/baking.xml\"/>"
      ))
    #expect(site.page("tags/food/baking.html").contains("href=\"../../tags/food/baking.xml\""))
    try site.export()
    #expect(!(try site.files()).contains { $0.hasPrefix("sitemap") || $0 == "tags/food/baking.xml" })
    #expect(site.page("404.html").contains("href=\"/site.css\""))
  }

  @Test func aStyleAndATemplateChangeTheLook() throws {
    let site = try ExportedSite(Self.notes)
    try site.shell.folder.write("box/.theme.css", "body { color: red; }")
    try site.shell.folder.write(
      "page.html",
      "<!DOCTYPE html><html><head>{{ head }}</head><body id=\"{{site}}\">{{header}}{{content}}<footer><a href=\"{{root}}about.html\">{{title}}</a></footer></body></html>"
    )
    try site.export("--css .theme.css --template ../page.html --title 'A <b>'")
    let page = site.page("notes/same.html")
    #expect(
      page.contains(
        "<link rel=\"stylesheet\" href=\"../site.css\">\n<link rel=\"stylesheet\" href=\"../theme.css\">"),
      "\(page)")
    #expect(
      page.contains("<body id=\"A &lt;b&gt;\">")
        && page.contains("<footer><a href=\"../about.html\">Same - A &lt;b&gt;</a>"))
    #expect(site.page("theme.css") == "body { color: red; }")
    for (text, message) in [
      ("{{head}}{{content}}{{foot}}", "{{foot}} is not a placeholder"),
      ("{{head}}", "has no placeholder {{content}}"),
    ] {
      try site.shell.folder.write("bad.html", text)
      let ran = try site.sh("cd box && slip export html -o ../site --template ../bad.html")
      #expect(ran.status == 65 && ran.errors.contains(message), "\(ran.errors)")
    }
    #expect(try site.sh("cd box && slip export html -o ../site --css none.css").status == 66)
  }
}
