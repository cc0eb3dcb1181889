import Foundation
import SlipboxTesting
import Testing

/// A site says what the exported notes say, leads where they lead, and writes no more than it has to.
@Suite struct ExportSiteTests {
  static let notes = [
    "a/bread.md":
      "---\nid: kqzmvtrp\ntitle: Bread\ntags: [food/baking]\ncreated: 2026-01-02T10:00:00+01:00\n---\n"
      + "# Bread\n\nSee [[Sourdough|the starter]] and [salt](../salt.md#How-much). ![[loaf.png|300]] #daily\n\n"
      + "- [x] mix\n- [ ] bake ^steps\n\n| a | b |\n|---|--:|\n| [[Sourdough\\|x]] | 2 |\n\n"
      + "[[Nowhere]] `[[code]] #code` <br> text[^1] <kbd>Ctrl</kbd>\n\n[^1]: A note.\n\n```swift\nlet a = \"<b>\" // #no\n```\n",
    "sourdough.md":
      "---\nid: bcdfghjk\ntitle: Sourdough\ncreated: 2026-01-03\nup: \"[[Bread]]\"\n---\nFlour and water. It began with [[Bread#Bread]], see [[Bread#^steps]]. Then it grew.\n",
    "salt.md":
      "---\ncreated: 2026-01-01\n---\n# Salt\n\n## How much\n\nTwo per cent. https://example.org/salt_a.\n",
    "home.md": "---\nkind: group\ntitle: Home\nid: cdfghjkl\ncreated: 2026-01-04\n---\n",
    "task.md":
      "---\nkind: task\ntitle: Bake\nid: dfghjklm\ngroup: cdfghjkl\ndue: 2026-02-01\ncreated: 2026-01-05\n---\n[[bcdfghjk]]\n",
  ]

  @Test func aNoteHasItsLinksItsFieldsAndWhoLinksToIt() throws {
    let site = try ExportedSite(Self.notes, fields: "up")
    try site.shell.folder.write("box/loaf.png", [0x89, 0x50, 0x4E, 0x47])
    #expect(try site.export().contains("files written, 0 removed, 0 unchanged"))
    let bread = site.page("notes/a/bread.html")
    for part in [
      "<a href=\"../../notes/sourdough.html\">the starter</a>",
      "<a href=\"../../notes/salt.html#how-much\">salt</a>",
      "<img loading=\"lazy\" src=\"../../files/loaf.png\" alt=\"loaf.png\" width=\"300\">",
      "<a class=\"tag\" href=\"../../tags/daily.html\">#daily</a>", "disabled checked>", "id=\"^steps\"",
      "<td><a href=\"../../notes/sourdough.html\">x</a></td><td class=\"right\">2</td>",
      "<span class=\"broken\">Nowhere</span>", "<code>[[code]] #code</code>", "<kbd>Ctrl</kbd>",
      "<a href=\"#fn:1\" id=\"ref:1\">1</a>", "let a = &quot;&lt;b&gt;&quot; // #no",
      "<a dir=\"auto\" href=\"../../notes/sourdough.html\">Sourdough</a>",
      "It began with <mark>Bread#Bread</mark>",
      "<h1 id=\"bread\">Bread</h1>", "href=\"../../tags/food/baking.html\"",
    ] { #expect(bread.contains(part), "\(part)\n\(bread)") }
    #expect(bread.components(separatedBy: "<h1").count == 2)
    let sourdough = site.page("notes/sourdough.html")
    #expect(
      sourdough.contains("href=\"../notes/a/bread.html#bread\"")
        && sourdough.contains("bread.html#%5Esteps\""))
    #expect(sourdough.contains("<dt>up</dt><dd dir=\"auto\"><a href=\"../notes/a/bread.html\">Bread</a>"))
    #expect(site.page("notes/task.html").contains(">Sourdough</a>"))
    #expect(
      site.page("notes/task.html").contains("<dd dir=\"auto\"><a href=\"../notes/home.html\">Home</a></dd>"))
    #expect(site.page("notes/home.html").contains("Referred to by"))
    #expect(
      site.page("notes/salt.html").contains(
        "href=\"https://example.org/salt_a\">https://example.org/salt_a</a>."))
    #expect(
      site.page("tags/food.html").contains(">Bread</a>")
        && site.page("tags/food/baking.html").contains(
          "<li><a dir=\"auto\" href=\"../../tags/food.html\">#food</a></li>")
    )
    let tasks = site.page("kinds/task.html")
    #expect(
      tasks.contains("<a href=\"../notes/home.html\">Home</a>")
        && tasks.contains("<td dir=\"auto\" class=\"whole\">2026-02-01</td>"))
    #expect(site.page("index.html").contains("task 1") && site.page("notes.html").contains("2026-01-01"))
    #expect(site.page("graph.html").contains("notes/a/bread.html"))
    #expect(site.shell.folder.read("site/files/loaf.png") == [0x89, 0x50, 0x4E, 0x47])
  }

  /// Every link of a page leads to a file of the site, or to an address elsewhere.
  @Test func everyLinkLeadsSomewhere() throws {
    let site = try ExportedSite(Self.notes)
    try site.export("--url https://example.org/n")
    for path in try site.files() where path.hasSuffix(".html") && !["graph.html", "404.html"].contains(path) {
      let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
      for match in site.page(path).matches(of: /(?:href|src)="(?!data:)([^"]*)"/) {
        let address = String(match.output.1)
        guard !address.hasPrefix("https:"), let file = address.components(separatedBy: "#").first,
          !file.isEmpty
        else {
          continue
        }
        let target = folder.appendingPathComponent(file.removingPercentEncoding ?? file).standardized.path
        #expect(site.shell.folder.read("site" + target) != nil, "\(path): \(address)")
      }
    }
  }

  @Test func onlyWhatDiffersIsWritten() throws {
    let site = try ExportedSite(Self.notes)
    let count = try site.export().components(separatedBy: " ")[2]
    #expect(try site.export() == "5 notes: 0 files written, 0 removed, \(count) unchanged")
    try site.sh("cd box && slip append Salt 'And more.' -q")
    let second = try site.export()
    #expect(second.contains(" 0 removed") && !second.contains(": 0 files"), "\(second)")
    #expect(try site.sh("ls site/notes/task.html site/notes/home.html").status == 0)
    try site.sh("cd box && slip rm dfghjklm -q")
    try site.shell.folder.write("site/CNAME", "example.org")
    #expect(!(try site.export().contains(" 0 removed")))
    #expect(
      site.shell.folder.read("site/notes/task.html") == nil
        && site.shell.folder.read("site/kinds/task.html") == nil)
    #expect(site.shell.folder.read("site/CNAME") != nil)
  }

  @Test func nothingIsSaidOfWhatIsNotExported() throws {
    var notes = Self.notes
    notes["secret.md"] =
      "---\nid: zzzzzzzz\ntitle: Xyzzyplan\ntags: [private, xyzzytag]\nkind: group\n---\nxyzzyword [[Bread]] and [[Salt]]\n"
    notes["b/labels.md"] =
      "---\ntitle: Labels\nup: \"[[Xyzzyplan]]\"\nkind: task\ngroup: \"[[secret]]\"\n---\n"
      + "Not [[Xyzzyplan|this]], nor ![[secret.md|that]] nor [it](../secret.md), but [[Salt]] and ![[Salt]].\n"
    notes["a/link.md"] =
      "---\ntitle: Links\ngroup: zzzzzzzz\nkind: task\n---\n[[zzzzzzzz]] ![[zzzzzzzz]] [it](../secret.md) [[zzzzzzzz|there]]\n"
    let site = try ExportedSite(notes, fields: "up, group")
    try site.export("'NOT +private' --url https://example.org/")
    let found = try site.sh("grep -ril xyzzy site; grep -rlE 'secret|zzzzzzzz' site")
    #expect(found.output.isEmpty, "\(found.output)")
    let page = site.page("notes/a/link.html")
    #expect(page.contains("<p>… … it there</p>"), "\(page)")
    #expect(!page.contains("<dt>group</dt>"))
    #expect(!site.page("notes/a/bread.html").contains("secret"))
    let labels = site.page("notes/b/labels.html")
    #expect(!labels.contains("<dt>up</dt>"), "\(labels)")
    // What a note embeds is a link with its title.
    #expect(labels.contains("and <a href=\"../../notes/salt.html\">Salt</a>"), "\(labels)")
    #expect(site.page("notes/salt.html").contains("this, nor that nor"))
  }

  @Test func draftsAndCommentsStayAtHome() throws {
    var notes = Self.notes
    notes["draft.md"] = "---\ntitle: Xyzzydraft\ndraft: true\n---\nxyzzybody\n"
    notes["private.md"] = "---\ntitle: Xyzzyprivate\nPrivate: true\n---\n"
    notes["unpublished.md"] = "---\ntitle: Xyzzyunpublished\npublish: false\n---\n"
    notes["public.md"] =
      "---\ntitle: Public\npublish: true\ndraft: false\n---\nBefore %%xyzzyone [[Bread]] #xyzzytag%% after.\n\n%%\nxyzzytwo\n\n"
      + "![[xyzzy.png]]\n%%\n\n%%xyzzyfour%% Here.\n\n<!-- xyzzythree -->\n\n`%%code%%`\n\n```\n%% fenced %%\n```\n\n100%% sure, [[draft]].\n"
    let site = try ExportedSite(notes)
    try site.shell.folder.write("box/xyzzy.png", [0x89, 0x50, 0x4E, 0x47])
    #expect(try site.export().contains("left out: 3 notes: 1 private, 1 with publish: false, 1 draft"))
    let found = try site.sh("grep -ril xyzzy site; find site -name '*xyzzy*'")
    #expect(found.output.isEmpty, "\(found.output)")
    let page = site.page("notes/public.html")
    for part in ["<code>%%code%%</code>", "%% fenced %%", "100%% sure", "after.", "Here.</p>"] {
      #expect(page.contains(part), "\(page)")
    }
    #expect(!site.page("notes/a/bread.html").contains("public.html"))
  }

  @Test func aPathInsideOfAFieldIsNotTold() throws {
    var notes = Self.notes
    notes["hr/layoffs-2027.md"] = "---\ntags: [private]\n---\nSecret.\n"
    notes["source.md"] =
      "---\ntitle: Source\nsource: \"cf. [[hr/layoffs-2027]] and [[hr/layoffs-2027|the memo]], [[Bread]]\"\n---\n"
    let site = try ExportedSite(notes, fields: "source")
    try site.export("'NOT +private'")
    #expect(try site.sh("grep -ril layoffs site").output == "")
    let page = site.page("notes/source.html")
    #expect(page.contains("cf. … and the memo, <a"), "\(page)")
  }

  @Test func otherFoldersAreLeftAlone() throws {
    let site = try ExportedSite(Self.notes)
    try site.shell.folder.write("full/thesis.tex", "all of it")
    let refused = try site.sh("cd box && slip export html -o ../full")
    #expect(refused.status == 73 && refused.errors.contains("holds other files, such as thesis.tex"))
    #expect(try site.sh("ls -A full").output == "thesis.tex\n")
    #expect(try site.sh("cd box && slip export html -o .").status == 73)
    // A page that somebody else has put where a new one would go.
    try site.export("+food")
    try site.shell.folder.write("site/notes/salt.html", "mine")
    let inTheWay = try site.sh("cd box && slip export html -o ../site")
    #expect(inTheWay.status == 73 && inTheWay.errors.contains("notes/salt.html exists"))
    #expect(site.page("notes/salt.html") == "mine")
  }

  /// A list of files that somebody has written does not make an export remove files elsewhere.
  @Test func aForgedListRemovesNothingOutside() throws {
    let site = try ExportedSite(Self.notes)
    try site.export()
    try site.shell.folder.write("precious.txt", "mine")
    try site.shell.folder.write("away/precious.txt", "mine")
    try site.sh(
      "ln -s ../away site/linked && printf '../precious.txt\\n/etc/x\\nlinked/precious.txt\\n' >> site/.slip-export"
    )
    _ = try site.sh("cd box && slip export html -o ../site")
    #expect(
      site.shell.folder.read("precious.txt") != nil && site.shell.folder.read("away/precious.txt") != nil)
  }

  @Test func addressesStayWhatTheyWere() throws {
    let site = try ExportedSite(
      Self.notes.merging(["a.md": "x", "a.markdown": "y", "C++.md": "#c++ \n---\n"]) { $1 })
    try site.sh("cd box && slip set a.md +C++ +C +'Two Words' -q")
    try site.export()
    let files = try site.files()
    for path in ["notes/a.html", "notes/a.markdown.html", "notes/C++.html", "tags/c.html"] {
      #expect(files.contains(path), "\(path) \(files)")
    }
    #expect(files.contains { $0.hasPrefix("tags/c-") } && files.contains { $0.hasPrefix("tags/two-words-") })
    try site.sh("cd box && slip retitle kqzmvtrp 'Bread and butter' -q")
    try site.export()
    #expect(site.page("notes/a/bread.html").contains("Bread and butter"))
  }

  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func theFeedIsWellFormed() throws {
    let site = try ExportedSite(
      Self.notes.merging(["odd.md": "---\ntitle: \"]]> & \\u0001 <x>\"\n---\na\u{1}b <![CDATA[\n"]) {
        $1
      })
    for options in ["", "--url https://example.org/n --author 'A & B'"] {
      try site.export(options)
      let script =
        "import sys,xml.etree.ElementTree as e; t=e.parse('site/feed.xml').getroot(); n='{http://www.w3.org/2005/Atom}';"
        + "assert t.tag==n+'feed'; assert all(t.find(n+x) is not None for x in ['id','title','updated','author']);"
        + "es=t.findall(n+'entry'); assert len(es)==6, len(es); ids=[x.find(n+'id').text for x in es]; assert len(set(ids))==6;"
        + "assert all(i.startswith('urn:uuid:') for i in ids); assert all(x.find(n+'updated') is not None for x in es)"
      let ran = try site.sh("python3 -c \"\(script)\"")
      #expect(ran.status == 0, "\(ran.errors)")
    }
    #expect(site.page("feed.xml").contains("<name>A &amp; B</name>"))
    // Readers of feeds know nothing of the address of the site: each is whole.
    let feed = site.page("feed.xml")
    #expect(
      feed.contains("<link rel=\"alternate\" type=\"text/html\" href=\"https://example.org/n/notes/"),
      "\(feed)")
    #expect(
      feed.contains("&lt;a href=&quot;https://example.org/n/notes/") && !feed.contains("href=\"notes/"),
      "\(feed)")
  }

  @Test func theSummaryIsJSON() throws {
    let site = try ExportedSite(Self.notes)
    let ran = try site.sh("cd box && slip export html -o ../site --json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(ran.output.utf8)) as? [String: Any])
    #expect(object["schema"] as? Int == 2 && object["notes"] as? Int == 5 && object["removed"] as? Int == 0)
    #expect(object["path"] as? String == site.shell.folder.path + "/site")
  }

  @Test func aSiteOfThePast() throws {
    let site = try ExportedSite(Self.notes)
    try site.shell.folder.write("box/loaf.png", [1, 2, 3])
    try site.sh(
      "cd box && slip commit -q && git tag old && slip set Bread title:Cake -q && git rm -q loaf.png && git commit -qm gone"
    )
    try site.export("--as-of old")
    #expect(site.page("notes/a/bread.html").contains("<h1 id=\"bread\">Bread</h1>"))
    #expect(site.shell.folder.read("site/files/loaf.png") == [1, 2, 3])
  }
}
