import Foundation
import SlipboxTesting
import Testing

/// Which notes a site leaves out, in states that other programs made.
@Suite struct SitePublicationTests {
  @Test(arguments: [
    ("\"My secrets/**\" filter=git-crypt diff=git-crypt\n", "My secrets/n.md"),
    ("\"H/**\" filter=git-crypt\n", "H/n.md"), ("\"\\303\\274/**\" filter=git-crypt\n", "ü/n.md"),
    ("\"a/b/t\\141b.md\" filter=git-crypt\n", "a/b/tab.md"),
    ("C/** secretmac\n[attr]secretmac filter=git-crypt\n", "C/n.md"),
  ])
  func `patterns in quotes and macros encrypt notes and files`(rules: String, path: String) throws {
    let site = try ExportedSite(
      repository: [
        ".gitattributes": rules + "\"Attach/scan of*.png\" filter=git-crypt\n", path: "Xyzzy.\n",
        "p.md": "Shown ![[scan of passport.png]]\n", "Attach/scan of passport.png": "xyzzypicture",
      ],
      before: "git config filter.git-crypt.clean cat")
    let said = try site.export()
    #expect(said.contains("left out: 1 note: 1 encrypted"), "\(said)")
    #expect(try site.sh("grep -rail xyzzy site; ls site/files").output.isEmpty)
    // A new note in such a folder is stored by the filter.
    let added = try site.sh(
      "cd box && git config filter.git-crypt.clean 'sed s/Xyzzy/Hidden/' && echo Xyzzy again >> '\(path)'"
        + " && slip commit -q && git show HEAD:'\(path)'")
    #expect(added.output.contains("Hidden again") && !added.output.contains("Xyzzy"), "\(added)")
  }

  @Test(arguments: [
    "[cascade]\ndraft = true\n", "[[cascade]]\ndraft = true\n[cascade.target]\nkind = \"page\"\n",
    "cascade = {draft = true}\n", "cascade = [{draft = true, _target = {kind = \"page\"}}]\n",
    "cascade = [\n  {draft = true},\n]\n", "cascade.draft = true\n", "[ \"cascade\" ]\nprivate = true # x\n",
    "[cascade.build]\nrender = \"never\"\n", "[[cascade]]\n[cascade.build]\nrender = 'never'\n",
    "[cascade]\npublishDate = 2999-01-01\n", "[cascade]\nbuild = {list = true, render = \"never\"}\n",
  ])
  func `a cascade in TOML hides the notes of a section`(cascade: String) throws {
    let site = try ExportedSite([
      "hugo.toml": "baseURL = \"https://example.org/\"\n",
      "content/sec/_index.md": "+++\ntitle = \"Sec\"\n\(cascade)+++\n",
      "content/sec/a.md": "+++\ntitle = \"a\"\n+++\nXyzzy.\n",
      "content/sec/deep/b.md": "---\ntitle: b\n---\nXyzzy.\n", "content/p.md": "Shown.\n",
    ])
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(!site.page("notes/content/p.html").isEmpty)
  }

  @Test func `the configuration of a Hugo site hides notes, and its own files are no notes`() throws {
    let site = try ExportedSite([
      "hugo.toml": "baseURL = \"https://example.org/\"\n[[cascade]]\nprivate = true\n[params]\nx = 1\n",
      "content/a.md": "Xyzzy.\n", "content/p.md": "+++\nprivate = false\n+++\nShown.\n",
      "archetypes/default.md": "Xyzzy.\n", "themes/t/README.md": "Xyzzy.\n",
    ])
    let said = try site.export()
    #expect(said.contains("1 private") && said.contains("2 files of the site program"), "\(said)")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty && !site.page("notes/content/p.html").isEmpty)
  }

  @Test(arguments: [
    "draft: true", "headless: true", "private: true", "publishDate: 2999-01-01", "build: {render: never}",
  ])
  func `the notes of a leaf bundle are hidden with it`(flag: String) throws {
    let site = try ExportedSite([
      "hugo.toml": "", "content/post/index.md": "---\n\(flag)\n---\nXyzzy.\n",
      "content/post/part.md": "Xyzzy.\n", "content/post/sub/more.md": "Xyzzy.\n",
      "content/index.md": "---\ntitle: Home\n---\n", "content/other/index.md": "Shown.\n",
      "content/other/part.md": "Shown.\n",
    ])
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(!site.page("notes/content/other/part.html").isEmpty)
  }

  @Test(arguments: ["publishDate: 2099-13-45", "publishDate: tomorrow maybe", "expiryDate: soon"])
  func `a date that can't be read hides a note in Hugo`(field: String) throws {
    let site = try ExportedSite([
      "hugo.toml": "", "content/a.md": "---\n\(field)\n---\nXyzzy.\n", "content/b.md": "Shown.\n",
    ])
    #expect(try site.export().contains("1 outside of its dates (\(field))"))
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
  }

  @Test func `drafts and future posts of Jekyll are left out`() throws {
    let site = try ExportedSite([
      "_config.yml": "title: x\n", "_drafts/d.md": "---\ntitle: d\n---\nXyzzydraft.\n",
      "_posts/2999-01-01-f.md": "---\ntitle: f\n---\nXyzzy.\n", "_includes/i.md": "Xyzzy.\n",
      "_posts/2020-01-01-g.md": "---\ndate: 2999-01-01 10:00:00 +0100\n---\nXyzzy.\n",
      "_posts/2020-01-01-p.md": "---\ntitle: p\n---\nShown.\n",
    ])
    let said = try site.export()
    #expect(said.contains("1 draft (in _drafts)") && said.contains("2 outside of their dates"), "\(said)")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(!site.page("notes/_posts/2020-01-01-p.html").isEmpty)
    try site.export("--drafts")
    #expect(site.page("notes/_drafts/d.html").contains("Xyzzydraft"))
  }

  @Test func `a page of Logseq with public false is left out`() throws {
    let site = try ExportedSite([
      "logseq/config.edn": "{}\n", "pages/a.md": "public:: false\n\n- Xyzzy\n",
      "pages/b.md": "public:: true\n\n- Shown\n",
    ])
    #expect(try site.export().contains("1 with publish: false (public: false)"))
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty && !site.page("notes/pages/b.html").isEmpty)
  }

  @Test func `a flag without a value hides a note`() throws {
    let site = try ExportedSite([
      "a.md": "---\nprivate:\n---\nXyzzy.\n", "b.md": "---\npublish:\n---\nXyzzy.\n",
      "c.md": "---\nprivate: \"\"\n---\nXyzzy.\n", "d.md": "Shown.\n",
    ])
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
  }

  @Test func `a note that is not UTF-8 text is left out`() throws {
    let site = try ExportedSite(["d.md": "Shown.\n"])
    try site.sh(
      "cd box && printf -- '---\\nprivate: true\\n---\\nxyzzy\\n' | iconv -t UTF-16 > U.md"
        + " && printf -- 'xyzzy \\344\\n' > L.md")
    let said = try site.export()
    #expect(said.contains("left out: 2 notes: 2 not UTF-8 text"), "\(said)")
    #expect(site.page("notes/U.html").isEmpty && site.page("notes/L.html").isEmpty)
    #expect(try site.sh("grep -railP 'x\\x00?y\\x00?z\\x00?z\\x00?y' site").output.isEmpty)
  }

  @Test(arguments: ["private: true", "draft: yes", "publish: false"])
  func `a flag on one side of a conflict of git hides the note`(flag: String) throws {
    let site = try ExportedSite(repository: ["N.md": "First\nxyzzy\n", "O.md": "Shown.\n"])
    try site.sh(
      "cd box && git checkout -qb b"
        + " && printf 'First edited\\nxyzzy\\n' > N.md && git commit -qam b && git checkout -q -"
        + " && printf -- '---\\n\(flag)\\n---\\nFirst\\nxyzzy\\n' > N.md && git commit -qam p;"
        + " git config --remove-section merge.slipbox; rm -f .git/info/attributes; git merge -q b; git add -A;"
        + " git commit -qm m")
    let text = try site.sh("cat box/N.md").output
    #expect(text.contains("<<<<<<<"), "\(text)")
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
  }

  @Test(arguments: [
    "publish:\n  mode: required", "publish: {required: true}", "publish: [{mode: required}]",
    "exclude: {a: Ex/}",
    "exclude:\n  - a: Ex/", "publish.fields: {a: b}", "publish.title: {a: b}",
  ])
  func `a setting that is no text is refused`(setting: String) throws {
    let site = try ExportedSite(["a.md": "A\n"])
    try site.sh(
      "cd box && sed -i '/publish/d' .slipbox/config.yaml && printf '\(setting)\n' >> .slipbox/config.yaml")
    let ran = try site.sh("cd box && slip export html -o ../site")
    #expect(ran.status == 78 && ran.errors.contains(".slipbox/config.yaml: "), "\(ran)")
    #expect(try site.files().isEmpty)
    #expect(try site.sh("cd box && slip doctor").output.contains(setting.prefix { $0 != ":" }))
  }

  @Test(arguments: [
    "[build]\nrender = \"never\"", "[ _build ]\nlist = false\n'render' = false # x",
    "build = {render = \"link\"}",
    "build.render = \"never\"", "publishDate = 2999-01-01 00:00:00", "date = 2999-01-01 00:00:00Z",
    "expiryDate = 2020-01-01 00:00:00", "publishDate = [2999-01-01]",
  ])
  func `build options and dates in TOML hide a note in Hugo`(fields: String) throws {
    let site = try ExportedSite([
      "hugo.toml": "", "content/a.md": "+++\ntitle = \"a\"\n\(fields)\n+++\nXyzzy.\n",
      "content/b.md": "+++\ndate = 2020-01-01 00:00:00\n[build]\nlist = \"never\"\n+++\nShown.\n",
    ])
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(!site.page("notes/content/b.html").isEmpty)
  }

  @Test(arguments: [
    ["content/sec/_index.en.md": "---\ncascade:\n  draft: true\n---\n"],
    ["content/sec/_index.html": "---\ncascade:\n  draft: true\n---\n"],
    ["content/sec/index.en.md": "---\ndraft: true\n---\n"],
    ["content/sec/index.html": "---\ndraft: true\n---\n"],
    ["config/_default/cascade.yaml": "draft: true\n", "content/p.md": "---\ndraft: false\n---\nShown.\n"],
    ["hugo.toml": "ignoreFiles = [ \"foo\\\\.x$\",\n  \"sec/.*\\\\.md$\" ]\n"],
    ["hugo.toml": "contentDir = \"docs\"\n", "docs/p.md": "Shown.\n"],
    ["hugo.toml": "", "README.md": "Xyzzy.\n", "static/b.md": "Xyzzy.\n", "content/sec/a.md": "Shown.\n"],
  ])
  func `files from which Hugo makes no pages are left out`(files: [String: String]) throws {
    let site = try ExportedSite(
      ["hugo.toml": "", "content/sec/a.md": "Xyzzy.\n", "content/p.md": "Shown.\n"].merging(files) { $1 })
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(!(try site.sh("grep -rl Shown site/notes").output.isEmpty))
  }

  @Test func `files from which Jekyll makes no pages are left out`() throws {
    let post = "---\ntitle: b\n---\n"
    let site = try ExportedSite([
      "_config.yml":
        "exclude: [private/]\ncollections:\n  notes: {output: false}\n  open:\n    output: true\n"
        + "defaults:\n- scope: {path: _posts/2020-01-02-b.md}\n  values: {published: false}\n",
      "private/a.md": "Xyzzy.\n", "_private/a.md": "Xyzzy.\n", "_notes/a.md": "Xyzzy.\n",
      "_open/a.md": "Shown.\n",
      "_posts/2020-01-02-b.md": post + "Xyzzy.\n", "_posts/2099-1-1-c.md": post + "Xyzzy.\n",
      "_posts/2020-13-45-d.md": post + "Xyzzy.\n", "_posts/e.md": post + "Xyzzy.\n",
      "_posts/2020-1-2-f.md": post + "Shown.\n",
    ])
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(try site.sh("grep -rl Shown site/notes | wc -l").output.contains("2"))
  }

  @Test func `the backups of Logseq are no notes`() throws {
    let site = try ExportedSite([
      "logseq/config.edn": "{}\n", "pages/a.md": "private:: true\n\n- Xyzzy\n", "pages/b.md": "- Shown\n",
      "logseq/bak/pages/a/2026-11-01T10_00_00.000Z.Desktop.md": "- Xyzzy before\n",
    ])
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site; cd box; slip list | grep -i desktop").output.isEmpty)
  }

  // MARK: New notes of private ones

  @Test(arguments: [
    ("content/sec/_index.md", "---\ncascade: {draft: true}\n---\n", "content/sec/a.md", ""),
    ("content/sec/_index.md", "", "content/a.md", "---\npublishDate: 2099-01-01\n---\n"),
  ])
  func `split and promote hide the parts of a note without a page`(
    file: String, text: String, path: String, head: String
  ) throws {
    let body = "## Part\nXyzzy.\n\n- [ ] xyzzy box\n"
    let site = try ExportedSite(["hugo.toml": "", file: text, path: head + body, "content/p.md": "Shown.\n"])
    let line = 4 + head.count { $0 == "\n" }
    let promoted = try site.sh("cd box && slip promote \(path):\(line)")
    #expect(promoted.status == 0 && promoted.errors.contains("has draft: true, because"), "\(promoted)")
    let split = try site.sh("cd box && slip split '\(path)#Part'")
    #expect(split.status == 0 && split.errors.contains("has draft: true, because"), "\(split)")
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
  }

  @Test(arguments: ["private: true", "draft: true", "publish: false"])
  func `split and promote keep the flag of the note`(flag: String) throws {
    let site = try ExportedSite([
      "S.md": "---\n\(flag)\n---\n## Part\nxyzzy\n\n- [ ] xyzzytwo\n", "p.md": "Shown.\n",
    ])
    let promoted = try site.sh("cd box && slip promote S.md:7")
    #expect(promoted.status == 0 && promoted.errors.contains("the new note has \(flag)"), "\(promoted)")
    let split = try site.sh("cd box && slip split 'S#Part'")
    #expect(split.status == 0 && split.errors.contains("the new note has \(flag), as S.md has"), "\(split)")
    try site.export()
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    let moved = try site.sh(
      "cd box && printf -- '---\\n\(flag)\\n---\\n## Two\\nz\\n' > T.md && slip mv 'T#Two' p")
    #expect(moved.errors.contains("a part of T.md, which has \(flag), goes to p.md"), "\(moved)")
  }

  // MARK: Earlier states

  @Test func `paths that settings and attributes hid have no redirects`() throws {
    let move = "git mv xyzzy.md New.md && git commit -qm 2"
    let required = try ExportedSite(repository: [:])
    try required.sh(
      "cd box && slip config publish required -q && printf 'one two\\nthree\\n' > xyzzy.md && git add -A"
        + " && git commit -qm 1 && \(move) && slip config publish marked -q")
    try required.export()
    #expect(try required.sh("ls site/notes").output == "New.html\n")
    let encrypted = try ExportedSite(repository: [:])
    try encrypted.sh(
      "cd box && git config filter.git-crypt.clean cat && mkdir -p Enc"
        + " && echo '\"Enc/**\" filter=git-crypt' > .gitattributes && printf 'one two\\nthree\\n' > Enc/xyzzy.md"
        + " && git add -A && git commit -qm 1 && git mv Enc/xyzzy.md New.md && git commit -qm 2"
        + " && git rm -q .gitattributes && git commit -qm 3")
    try encrypted.export()
    #expect(try encrypted.sh("ls site/notes").output == "New.html\n")
    let excluded = try ExportedSite(repository: [:])
    try excluded.sh(
      "cd box && slip config exclude Ex/ -q && mkdir Ex && printf 'one two\\nthree\\n' > Ex/xyzzy.md"
        + " && git add -A && git commit -qm 1 && git mv Ex/xyzzy.md New.md && git commit -qm 2"
        + " && slip config exclude '' -q")
    try excluded.export()
    #expect(try excluded.sh("ls site/notes").output == "New.html\n")
    let shown = try ExportedSite(repository: [:])
    try shown.sh(
      "cd box && printf 'one two\\nthree\\n' > xyzzy.md && git add -A && git commit -qm 1 && \(move)")
    try shown.export()
    #expect(try shown.sh("ls site/notes").output == "New.html\nxyzzy.html\n")
  }

  @Test func `an alias that is spelt like the title of a hidden version has no page`() throws {
    let site = try ExportedSite(["zqold.md": "---\ndraft: true\n---\nb1\nb2\n"])
    try site.sh(
      "cd box && git mv zqold.md New.md"
        + " && printf -- '---\\naliases: [ZQOLD]\\n---\\nb1\\nb2\\n' > New.md && git commit -qam 2")
    try site.export()
    #expect(try site.sh("ls site/notes").output == "New.html\n")
  }

  @Test func `attributes of a past state hide its notes and files`() throws {
    let site = try ExportedSite(repository: [:])
    try site.sh(
      "cd box && git config filter.git-crypt.clean 'tr a-z n-za-m'"
        + " && git config filter.git-crypt.smudge 'tr a-z n-za-m' && mkdir Enc"
        + " && echo '\"Enc/**\" filter=git-crypt' > .gitattributes && echo word > Enc/xyzzy.md"
        + " && echo picture > Enc/scan.png && echo '![[scan.png]]' > P.md && git add -A && git commit -qm 1"
        + " && git rm -q .gitattributes && rm -r Enc && git add -A && git commit -qm 2")
    let said = try site.export("--as-of HEAD~1")
    #expect(said.contains("1 encrypted"), "\(said)")
    #expect(try site.sh("ls -d site/notes/*; ls site/files").output == "site/notes/P.html\n")
  }

  @Test func `a shallow clone makes no redirects and says so`() throws {
    let site = try ExportedSite(["zqold.md": "---\ndraft: true\n---\nbody one two\nthree\n"])
    try site.sh(
      "cd box && git mv zqold.md New.md"
        + " && printf -- '---\\naliases: [zqold]\\n---\\nbody one two\\nthree\\n' > New.md && git commit -qam 2"
        + " && cd .. && git clone -q --depth 1 file://$PWD/box clone")
    let ran = try site.sh("cd clone && slip export html -o ../site")
    #expect(ran.status == 0 && ran.errors.contains("this clone is shallow"), "\(ran)")
    #expect(try site.sh("ls site/notes").output == "New.html\n")
    // The next export says it again.
    #expect(try site.sh("cd clone && slip export html -o ../site").errors.contains("this clone is shallow"))
  }

  @Test func `names that a locked note may have are left out`() throws {
    let site = try ExportedSite(
      repository: [
        ".slipbox/kinds/person.yaml":
          "comment: p\nkey: nick\nfields:\n  title: {type: text}\n  nick: {type: text}\n",
        ".slipbox/kinds/film.yaml":
          "comment: f\nfields:\n  title: {type: text}\n  who: {type: reference, to: person}\n",
        ".gitattributes": "Enc/** filter=git-crypt\n",
        "Enc/Ann.md": "---\nkind: person\ntitle: Ann\nnick: zqnick\n---\nsecret\n",
        "F.md": "---\nkind: film\ntitle: F\nwho: zqnick\n---\nSee [[Enc/zqann]].\n",
      ],
      before: "git config filter.git-crypt.clean 'printf \"\\0GITCRYPT\\0\"; tr a-z n-za-m'"
        + " && git config filter.git-crypt.smudge 'tail -c +11 | tr a-z n-za-m'")
    try site.export()
    #expect(!site.page("notes/F.html").contains("zqnick"))
    let ran = try site.sh("git clone -q box clone; cd clone && slip export html -o ../locked")
    #expect(ran.status == 0 && ran.errors.contains("1 encrypted note is locked"), "\(ran)")
    #expect(try site.sh("grep -rail zqnick locked").output.isEmpty)
  }

  // MARK: Words

  @Test(arguments: [
    "[//]: # (xyzzy)\nSee [[B]] now.\n", "[r]: https://x.org/xyzzy \"xyzzy\"\nSee [[B]] now.\n",
    "See [[B]] now.\n\n[^u]: unused xyzzy [[B]]\nand xyzzy\n\n    more xyzzy [[B]]\n",
    "> [comment]: <> (xyzzy\n> xyzzy)\n> See [[B]] now.\n",
    "[r]:\nhttps://x.org/xyzzy\n'xyzzy'\nSee [[B]] now.\n",
    "- [//]: # \"xyzzy\"\n  See [[B]] now.\n", "[^u]: x\n[r]: https://xyzzy \"xyzzy\"\n\nSee [[B]] now.\n",
    "> [!note|xyzzy] T\n> See [[B]] now.\n", "See [[B]] now.\n\n| a |\n|--|\n| x | xyzzy [[B]] |\n",
    "See [[B]] now.[^1]\n\n[^1]: first\n\n[^1]: xyzzy [[B]]\n",
  ])
  func `backlinks and the search show the words of the page alone`(text: String) throws {
    let site = try ExportedSite(["B.md": "B\n", "A.md": "First.\n\n" + text])
    try site.export("--url https://example.org/")
    let found = try site.sh("grep -ril xyzzy site/notes/B.html site/search site/feed.xml")
    #expect(found.output.isEmpty, "\(text): \(found.output)")
    #expect(site.page("notes/B.html").contains("See <mark>B</mark> now."))
  }

  @Test func `files that only unused definitions name are not copied`() throws {
    let site = try ExportedSite([
      "A.md": "A ![x][used] ![used] [^n]\n\n[r]: xyzzya.png\n[used]: shown.png\n[used]: xyzzyb.png\n\n"
        + "[^u]: ![[xyzzyc.png]]\n\n[^n]: ![[other.png]]\n\n| a |\n|--|\n| x | ![[xyzzyd.png]] |\n"
    ])
    try site.sh("cd box && for f in xyzzya xyzzyb xyzzyc xyzzyd shown other; do echo x > $f.png; done")
    try site.export()
    #expect(try site.sh("ls site/files").output == "other.png\nshown.png\n")
  }

  @Test func `a mark that no other closes is reported`() throws {
    let site = try ExportedSite(["A.md": "x %%xyzzy open\n", "B.md": "`%%` %%closed%%\n"])
    #expect(try site.export().contains("no %% closes the one in A.md:1, so pages show the text after it"))
  }

  @Test func `comments in fields are on no page`() throws {
    let site = try ExportedSite([
      ".slipbox/kinds/film.yaml": "comment: f\nfields:\n  title: {type: text}\n  note: {type: text}\n",
      "F.md": "---\nkind: film\nnote: \"see %%xyzzy%% this <!-- xyzzy -->\"\n---\nx\n",
    ])
    try site.export("--url https://example.org/")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(site.page("notes/F.html").contains("see  this"))
  }

  @Test func `comments of TeX are on no page`() throws {
    let site = try ExportedSite(["A.md": "A\n\n$$\nx \\% y % xyzzy\n+ 1\n$$\n\n50% of $5 and % more\n"])
    try site.export("--url https://example.org/")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(site.page("notes/A.html").contains("and % more"))
  }

  @Test(arguments: ["https://u:xyzzy@example.org/", "https://example.org/a?b=c", "https://example.org/#a"])
  func `an address with a password or a query is refused`(address: String) throws {
    let site = try ExportedSite(["a.md": "A\n"])
    #expect(try site.sh("cd box && slip export html --url '\(address)' -o ../site").status == 64)
    #expect(try site.sh("cd box && slip config publish.url '\(address)'").status == 65)
  }

  // MARK: The search, the graph, and addresses

  @Test func `the search and the graph have the aliases that redirect, and no other`() throws {
    let site = try ExportedSite([
      "zqold.md": "---\ndraft: true\n---\nb1\nb2\n", "gone.md": "---\ndraft: true\ntitle: Zqgone\n---\nx\n",
    ])
    try site.sh(
      "cd box && slip commit -q; git mv zqold.md New.md && git rm -q gone.md"
        + " && printf -- '---\naliases: [ZQOLD, zqgone, Levain]\n---\nb1\nb2\n' > New.md && git commit -qam 2"
    )
    try site.export()
    #expect(site.page("search/notes.js").contains("[\"Levain\"]"), "\(site.page("search/notes.js"))")
    #expect(site.page("graph.html").contains("\"aliases\":[\"Levain\"]"))
    #expect(try site.sh("grep -rail 'zqold\\|zqgone' site").output.isEmpty)
    // A later export has the same names as a new one.
    try site.sh("cd box && echo more >> New.md && sed -i s/Levain/Starter/ New.md")
    try site.export()
    try site.sh("mv site later")
    try site.export()
    #expect(try site.sh("diff -r -x .slip-export later site").output.isEmpty)
    #expect(site.page("search/notes.js").contains("[\"Starter\"]"))
  }

  @Test func `the check lists addresses with a title of a hidden version`() throws {
    let site = try ExportedSite(["p.md": "Shown.\n"])
    try site.sh("cd box && slip new 'Zq secret plan' -q && slip commit -q; ls -R > ../names")
    let path = try site.sh("cd box && git ls-files | grep zq").output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    try site.sh(
      "cd box && sed -i '2i private: true' '\(path)' && git commit -qam a"
        + " && sed -i 's/Zq secret plan/Harmless/' '\(path)' && git commit -qam b")
    #expect(!(try site.sh("cd box && slip export html --check").output.contains("address")))
    try site.sh("cd box && sed -i '/^private/d' '\(path)' && git commit -qam c")
    // The title was public in the first version.
    #expect(!(try site.sh("cd box && slip export html --check").output.contains("address")))
    let other = try ExportedSite([path: "---\nprivate: true\ntitle: Zq secret plan\n---\nText\n"])
    try other.sh(
      "cd box && slip commit -q; printf -- '---\ntitle: Harmless\n---\nText\n' > '\(path)' && git commit -qam b"
    )
    let check = try other.sh("cd box && slip export html --check")
    #expect(check.output.hasSuffix("\t1\taddress\tZq secret plan\n") && check.status == 65, "\(check)")
  }

  @Test func `the check names the line of a title`() throws {
    let site = try ExportedSite([
      "Priv.md": "---\nprivate: true\n---\nx\n", "n.md": "---\ntags: [a]\ntitle: see Priv\n---\nText\n",
    ])
    let check = try site.sh("cd box && slip export html --check")
    #expect(check.output.contains("n.md\t3\ttitle:\tPriv"), "\(check)")
  }

  @Test func `comments of TeX are not on the site`() throws {
    let site = try ExportedSite(["n.md": "Inline $x % zqcomment$ and $% zqcomment$ and $50\\%$ done.\n"])
    try site.export()
    #expect(try site.sh("grep -rail zqcomment site").output.isEmpty)
    #expect(site.page("notes/n.html").contains("50\\%"))
  }
}
