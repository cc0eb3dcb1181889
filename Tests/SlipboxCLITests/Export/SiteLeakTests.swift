import Foundation
import SlipboxTesting
import Testing

/// Search, descriptions, redirects and the graph say no more than the pages.
@Suite struct SiteLeakTests {
  private static let secret = ["secret.md": "---\ntitle: Xyzzyplan\nprivate: true\n---\n\n## Xyzzypart\n"]

  @Test(arguments: [
    // Names and headings of embeds, titles of links, definitions, removed targets, names behind labels.
    "![[Xyzzyplan]] ![[Xyzzyplan#Xyzzypart]]", "[it](secret.md \"xyzzy long title\")",
    "[it]( secret.md\n'xyzzy title')", "[it][r] and [r]\n\n[r]: secret.md \"xyzzy title\"",
    "[it](file:///home/xyzzy) [it](obsidian://open?vault=xyzzy) [it](wiki:xyzzy \"xyzzy\")",
    "[[../hid/xyzzy|label]] ![[xyzzy.png|label]]",
    "text[^xyzzy] [it][xyzzy]\n\n[^xyzzy]: Note.\n\n[xyzzy]: b.md",
    "```swift title=xyzzy\nlet a = 1\n```", "A line. ^xyzzy", "## Heading {#xyzzy}",
    "    printf %%d\n\nshown %%xyzzy%% too", "$a%%b$ and %%xyzzy%% end", "[a](b%%20c.md) %%xyzzy%% end",
  ])
  func theSearchHasTheWordsThatPagesShow(_ text: String) throws {
    let first = "# A\n\nFirst words.\n\n"
    let site = try ExportedSite(
      Self.secret.merging(["a.md": first + text + "\n", "b.md": "# B\n\n[[A]]\n"]) { $1 })
    try site.export("--skip --url https://example.org/")
    let found = try site.sh("grep -ril xyzzy site/search site/index.html site/graph.html")
    #expect(found.output.isEmpty, "\(text): \(found.output)")
    // Nor has a preview or a description, if the text is the first paragraph.
    try site.shell.folder.write("box/a.md", "# A\n\n" + text + "\n")
    try site.export("--skip --url https://example.org/")
    let described = try site.sh("grep -ril xyzzy site/search; grep -i 'meta.*xyzzy' site/notes/a.html")
    #expect(described.output.isEmpty, "\(text): \(described.output)")
  }

  @Test(arguments: [
    "the ` key\n\npara %%xyzzy%% <!-- xyzzy -->\n\nthe ` key\n", "a `\n  \npara %%xyzzy%%\n\t\nb `\n",
    "> a `\n>\n> para %%xyzzy%%\n>\n> b `\n", "- the ` key %%xyzzy%% <!-- xyzzy -->\n- or the ` key\n",
    "The ` key %%xyzzy%% is\n# or ` that\n", "# H ` %%xyzzy%%\ntext ` y\n",
    "| Foot | Inch |\n|--|--|\n| 3` %%xyzzy%% | 4` |\n", "<b title=\"`\"> %%xyzzy%% ` b\n",
    "- ` a\n- see %%xyzzy%% [[B]]\n- ` c\n", "> [!note] a ` %%xyzzy%%\n>\n> b ` c\n",
  ])
  func `lone backticks show no comments`(text: String) throws {
    let site = try ExportedSite(["a.md": text, "c.md": text.replacing("\n", with: "\r\n"), "b.md": "# B\n"])
    try site.export("--url https://example.org/")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
  }

  @Test(arguments: ["sed -i '/\\/slip/d' A.md", "sed -i 's/^/> /' A.md", "sed -i 's/^/- /' A.md"])
  func `a damaged list shows nothing of private notes`(damage: String) throws {
    let site = try ExportedSite([
      ".slipbox/kinds/film.yaml": "comment: f\nfields:\n  title: {type: text}\n  who: {type: text}\n",
      "Xyzzy.md": "---\nkind: film\nprivate: true\nwho: xyzzywho\n---\nx\n", "P.md": "Shown.\n",
      "A.md": "Intro\n\n<!-- slip: table kind:film --columns title,who -->\n<!-- /slip -->\n\nend\n",
    ])
    try site.sh("cd box && slip bake -q")
    #expect(try site.sh("cd box && grep -c xyzzywho A.md; \(damage)").output == "1\n")
    let said = try site.export("--url https://example.org/")
    #expect(said.contains("the list at A.md:3 is left out: it is damaged"), "\(said)")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(site.page("notes/A.html").contains("Intro"))
  }

  /// A merge puts its own comments into the text, which end no comment of the note.
  @Test func `a conflict in a comment stays hidden`() throws {
    let text = """
      # A

      Shown.

      <!--
      <!-- slip: version 1 -->
      xyzzy one
      <!-- slip: version 2, 2026-11-29 10:15, Ann, desk -->
      xyzzy two
      <!-- slip: end of versions -->
      -->

      Also shown.

      """
    let site = try ExportedSite(["a.md": text])
    try site.export("--url https://example.org/")
    #expect(try site.sh("grep -ril xyzzy site").output == "")
    #expect(try site.sh("grep -c 'Also shown' site/notes/a.html").output == "1\n")
  }

  @Test(arguments: ["\n", "<!-- a comment -->\n", " \n<!-- one --><!-- two -->\n\n"])
  func `front matter below blank lines and comments hides a note`(before: String) throws {
    let site = try ExportedSite(["a.md": before + "---\nprivate: true\n---\n\nXyzzy.\n", "b.md": "# B\n"])
    try site.export()
    #expect(try site.sh("grep -ril xyzzy site").output == "")
  }

  @Test func `a title that a merge did not take is on no page`() throws {
    let text = "---\ntitle: Plan\nconflicts:\n  - \"title: Xyzzy\"\n---\n\nText.\n"
    let site = try ExportedSite(["a.md": text])
    try site.export("--url https://example.org/")
    #expect(try site.sh("grep -ril xyzzy site").output == "")
  }

  @Test func `a misspelt name of the setting publish exports nothing`() throws {
    let site = try ExportedSite(["a.md": "# A\n", ".slipbox/config.yaml": "publsh: required\n"])
    let ran = try site.sh("cd box && slip export html -o ../site")
    #expect(ran.status == 78 && ran.errors.contains("did you mean: publish"), "\(ran)")
    #expect(try site.sh("cd box && slip doctor").output.contains("publsh is not a setting"))
  }

  @Test func theSearchKeepsTheWordsOfLabels() throws {
    let site = try ExportedSite([
      "a.md":
        "# A\n\n[labelone](b.md \"t\") [[b|labeltwo]] [labelthree][r] text[^n]\n\n[r]: b.md\n[^n]: footnotetext\n\n"
        + "```c\ncodeword\n```\n", "b.md": "# B\n",
    ])
    try site.export()
    let words = try site.sh("cat site/search/*.js").output
    for word in ["labelone", "labeltwo", "labelthree", "footnotetext", "codeword"] {
      #expect(words.contains("\"\(word)\""), "\(word)")
    }
  }

  @Test func codeAndFormulasHoldNoComments() throws {
    let site = try ExportedSite([
      "a.md": "# A\n\n    printf %%d\n\nOne %%xyzzy%% two, $a%%b$ three %%xyzzy%% four.\n\n100%% sure.\n"
    ])
    try site.export()
    let page = site.page("notes/a.html")
    #expect(page.contains("printf %%d") && page.contains("One two, "), "\(page)")
    #expect(page.contains("$a%%b$ three four.") || page.contains("three four."), "\(page)")
    #expect(!page.contains("xyzzy") && !page.contains("\u{2060}"), "\(page)")
    let check = try site.sh("cd box && slip export html --check")
    #expect(check.status == 65 && check.output == "-\ta.md\t7\tcomment\t%% sure.\n", "\(check)")
  }

  @Test func aMergeKeyHidesANote() throws {
    let site = try ExportedSite([
      "a.md": "---\ndefaults: &d {publish: false}\n<<: *d\n---\n# Xyzzyone\n",
      "b.md": "---\n<<: {private: true}\n---\n# Xyzzytwo\n",
      "c.md": "---\nx: &x\n  draft: true\n\"<<\": *x\ntitle: [broken\n---\n# Xyzzythree\n",
      "d.md": "# Shown\n",
    ])
    let said = try site.export()
    #expect(said.contains("left out: 3 notes: 3 private (<<: ...)"), "\(said)")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
  }

  @Test func datesAndBuildOptionsHideNotesInHugo() throws {
    let hidden = [
      "publishDate: 2999-01-01", "date: 2999-01-01T10:00:00Z", "expiryDate: 2020-01-01", "headless: true",
      "build: {render: never}", "_build:\n  render: false",
    ]
    var notes = [
      "content/shown.md":
        "---\ntitle: Shown\npublishDate: 2020-01-01\nexpiryDate: 2999-01-01\nbuild: {list: never}\n---\n"
    ]
    for (number, field) in hidden.enumerated() {
      notes["content/n\(number).md"] = "---\ntitle: Xyzzy\(number)\n\(field)\n---\n"
    }
    let site = try ExportedSite(notes)
    try site.export()
    #expect(!(try site.sh("grep -rail xyzzy site").output.isEmpty))
    try site.sh("cd box && slip config layout hugo -q")
    let said = try site.export()
    #expect(said.contains("3 outside of their dates") && said.contains("3 without a page in Hugo"), "\(said)")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(try site.sh("grep -rl Shown site").output.contains("notes/content/shown.html"))
  }

  @Test func titlesOfHiddenTimesRedirectNowhere() throws {
    let site = try ExportedSite([
      "n.md": "---\nid: kqzmvtrp\ntitle: Xyzzywork\nprivate: true\n---\nText.\n",
      "b.md": "---\nid: bcdfghjk\ntitle: Second\n---\nText.\n",
      "c.md": "---\nid: dfghjklm\ntitle: Third\ndraft: true\naliases: [Loaf]\npermalink: old/\n---\nText.\n",
      "e.md": "---\nid: cdfghjkl\ntitle: Fourth\npermalink: first/\n---\nText.\n",
    ])
    try site.sh("cd box && slip commit -q && slip retitle kqzmvtrp Public -q && slip retitle bcdfghjk Two -q")
    try site.sh(
      "cd box && slip set kqzmvtrp private: aliases:Xyzzywork -q && slip set bcdfghjk aliases:Second -q")
    try site.sh(
      "cd box && slip set dfghjklm draft: permalink:new/ -q && slip set cdfghjkl permalink:second/ -q")
    try site.export()
    let files = try site.files()
    #expect(try site.sh("grep -rail xyzzy site; find site -iname '*xyzzy*'").output.isEmpty, "\(files)")
    for path in [
      "notes/second.html", "notes/loaf.html", "new/index.html", "second/index.html", "first/index.html",
    ] {
      #expect(files.contains(path), "\(path) \(files)")
    }
    #expect(site.page("first/index.html").contains("url=../second/index.html"))
    // A permalink of a draft was never public.
    #expect(!files.contains("old/index.html"), "\(files)")
  }

  @Test func theCheckReadsTagsAliasesAndPermalinks() throws {
    let site = try ExportedSite(
      Self.secret.merging([
        "a.md":
          "---\ntitle: A\ntags: [xyzzyplan, food]\naliases: [About Xyzzyplan]\npermalink: a/\n---\nText.\n",
        "b.md": "---\ntitle: B\npermalink: a/\n---\n", "c.md": "---\ntitle: C\npermalink: ../c\n---\n",
      ]) { $1 })
    let check = try site.sh("cd box && slip export html --check")
    #expect(check.status == 65)
    let rows = check.output.split(separator: "\n").map(String.init)
    for row in [
      "secret.md\ta.md\t3\ttags:\txyzzyplan", "secret.md\ta.md\t4\taliases:\tXyzzyplan",
      "-\tb.md\t3\tpermalink:\ta/", "-\tc.md\t3\tpermalink:\t../c",
    ] { #expect(rows.contains(row), "\(row)\n\(rows)") }
    let said = try site.export()
    #expect(said.contains("B (b.md), whose permalink is the address of another page and 1 more"), "\(said)")
  }

  @Test func embedsOutsideOfTheQueryAreCounted() throws {
    let site = try ExportedSite(["a.md": "# A\n\n![[B]] #food\n", "b.md": "# B\n"])
    let said = try site.export("+food")
    #expect(said.contains("1 embed of notes outside of the query is not shown: A (a.md), line 3"), "\(said)")
    #expect(!(try site.export().contains("outside of the query")))
  }

  @Test func aSiteOfThePastTellsOfNotesThatAreHiddenNow() throws {
    let site = try ExportedSite(["a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n"])
    try site.sh("cd box && slip commit -q && git tag old && slip set a.md private:true -q")
    #expect(try site.export("--as-of old").contains("1 of these notes is private now"))
    try site.sh("cd box && slip set b.md draft:true -q && slip mv b.md sub/b.md -q")
    let said = try site.export("--as-of old")
    #expect(said.contains("of these notes") && said.contains("now"), "\(said)")
  }

  @Test func noncharactersAreReplaced() throws {
    let site = try ExportedSite(["a.md": "# A\n\nx&#xFFFE;y&#xFFFF;z `&#xFFFE;` [l](http://e.org/&#xFFFF;)\n"]
    )
    try site.export("--url https://example.org/")
    for path in ["feed.xml", "notes/a.html"] {
      let bytes = try #require(site.shell.folder.read("site/" + path))
      #expect(String(validating: bytes, as: UTF8.self) != nil, "\(path)")
      #expect(site.page(path).contains("x\u{FFFD}y\u{FFFD}z"))
    }
  }

  @Test func foldersOfTheBoxAndNamesOfBranchesAreRefused() throws {
    let site = try ExportedSite(["a.md": "# A\n"])
    for folder in [".slipbox/site", ".site", "sub/.site"] {
      let ran = try site.sh("cd box && slip export html -o \(folder)")
      #expect(ran.status == 73 && ran.errors.contains("is in the box"), "\(ran)")
    }
    for name in ["HEAD", "refs/tags/x", "@", "a b", "-x/..", "x.", "a@{1}", "x/.y", "refs/heads/HEAD"] {
      let ran = try site.sh("cd box && slip export html --commit='\(name)'")
      #expect(ran.status == 73, "\(name): \(ran)")
    }
    #expect(try site.sh("cd box && slip export html --commit refs/heads/pub").status == 0)
    let refs = try site.sh("cd box && git for-each-ref --format='%(refname)'").output
    #expect(refs.contains("refs/heads/pub\n") && !refs.contains("HEAD") && !refs.contains("heads/refs"))
    let empty = try ExportedSite([:])
    let ran = try empty.sh(
      "mkdir -p box && cd box && slip init -q && slip export html -o ../site; echo $?; ls ../site 2> /dev/null"
    )
    #expect(ran.output == "73\n", "\(ran)")
  }
}
