import Foundation
import SlipboxTesting
import Testing

/// A site says nothing about private notes, comments, hidden fields and the origin of pictures.
@Suite struct SitePrivacyTests {
  /// Every private place holds a word that begins with the marker.
  static let notes = [
    "xyzzyfile.md":
      "---\ntitle: Xyzzydraft\naliases: [xyzzyalias]\ndraft: true\ntags: [xyzzytag]\n---\nxyzzybody [[Open]]. ![[xyzzy-draft.png]]\n\n## Xyzzypart\n",
    "private.md": "---\ntitle: Xyzzyprivate\nprivate: yes\n---\nSee [[Open]], xyzzysentence.\n",
    "no.md": "---\ntitle: Xyzzyunpublished\npublish: false\n---\n",
    "broken.md": "---\ntitle: [Xyzzybroken\nprivate: true\n---\n",
    "toml.md": "+++\ntitle = \"Xyzzytoml\"\ndraft = true\n+++\nxyzzytext\n",
    "open.md":
      "---\nid: kqzmvtrp\ntitle: Open\npublish: true\ndraft: false\nxyzzyfield: xyzzyvalue\nup: \"[[Xyzzyprivate]]\" # xyzzyremark\n"
      + "cover: \"[[xyzzy-cover.png]]\"\nsee: \"[[Other]]\"\n---\n"
      + "Before %%xyzzyone [[Other]] #xyzzytag%% after. <!-- xyzzythree -->\n\n%%\n```\nxyzzyfence\n%%\n\n%%xyzzyfour%% Here.\n\n"
      + "[//]: # (xyzzyfive)\n[^none]: xyzzysix\n\n"
      + "[[private|this]] [it](xyzzyfile.md) ![[open.png]] ![a](open.jpg) ![[open.webp]]\n",
    "other.md": "---\ntitle: Other\n---\nText.\n",
  ]

  static let pictures: [String: [UInt8]] = [
    "xyzzy-draft.png": [1], "xyzzy-cover.png": [1], "open.jpg": jpeg, "open.png": png,
    "open.webp": riff([
      ("VP8X", [0x0C] + [UInt8](repeating: 0, count: 9)), ("VP8 ", [1, 2, 3]), ("EXIF", exif(1)),
      ("XMP ", Array("xyzzyxmp".utf8)),
    ]),
  ]

  private static let pixels: [UInt8] = [7, 0xFF, 0, 8, 0xFF, 0xD0, 9, 0xFF, 0xD9]

  private static let jpeg: [UInt8] = {
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += segment(0xE0, Array("JFIF\0\u{1}\u{1}".utf8))
    bytes += segment(0xE1, exif(6))
    bytes += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0xyzzyxmp".utf8))
    bytes += segment(0xED, Array("xyzzyiptc".utf8))
    bytes += segment(0xFE, Array("xyzzycomment".utf8))
    bytes += segment(0xDA, [1])
    return bytes + pixels + Array("xyzzytrailer".utf8)
  }()

  private static let png: [UInt8] = {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", [1]) + chunk("tEXt", Array("xyzzy".utf8))
    bytes += chunk("eXIf", exif(1)) + chunk("iTXt", Array("xyzzyxmp".utf8))
    bytes += chunk("IDAT", [2]) + chunk("IEND", [])
    return bytes + Array("xyzzytrailer".utf8)
  }()

  static func exif(_ orientation: UInt8) -> [UInt8] {
    var bytes = Array("Exif\0\0II".utf8)
    bytes += [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0]
    bytes += [orientation, 0, 0, 0, 0, 0, 0, 0]
    return bytes + Array("xyzzyplace".utf8)
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)]
    return head + content
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [0, 0, 0, UInt8(content.count)]
    return head + Array(name.utf8) + content + [0, 0, 0, 0]
  }

  private static func riff(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    var body = Array("WEBP".utf8)
    for (name, content) in chunks {
      body += Array(name.utf8)
      body += [UInt8(content.count), 0, 0, 0]
      body += content
      if content.count % 2 == 1 { body.append(0) }
    }
    return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
  }

  static func site(_ notes: [String: String] = notes) throws -> ExportedSite {
    let site = try ExportedSite(notes)
    for (path, bytes) in pictures { try site.shell.folder.write("box/" + path, bytes) }
    return site
  }

  @Test func markerWordsOfPrivatePlacesAppearNowhere() throws {
    let site = try Self.site()
    let said = try site.export("--url https://example.org/")
    let line = "left out: 5 notes: 2 private (private: yes), 1 with publish: false, 2 drafts"
    #expect(said.contains(line), "\(said)")
    let found = try site.sh("grep -rail xyzzy site; find site -name '*xyzzy*'")
    #expect(found.output.isEmpty, "\(found.output)")
    let page = site.page("notes/open.html")
    #expect(page.contains("after.") && page.contains("Here.") && page.contains("this it <img"), "\(page)")
    #expect(!page.contains("<dt>see</dt>") && !site.page("notes/other.html").contains("Referred to by"))
    let graph = site.page("graph.html")
    #expect(graph.contains("\"edges\":[]"), "\(graph.suffix(400))")
  }

  @Test func picturesKeepTheirPixelsAndOrientation() throws {
    let site = try Self.site()
    try site.export()
    let jpeg = try #require(site.shell.folder.read("site/files/open.jpg"))
    #expect(Array(jpeg.suffix(9)) == Self.pixels)
    #expect(jpeg.count { $0 == 0xE1 } == 1 && jpeg.contains(0x12) && jpeg.contains(6))
    let png = try #require(site.shell.folder.read("site/files/open.png"))
    #expect(
      Array(png.dropFirst(8)) == Self.chunk("IHDR", [1]) + Self.chunk("IDAT", [2]) + Self.chunk("IEND", []))
    let webp = try #require(site.shell.folder.read("site/files/open.webp"))
    #expect(webp == Self.riff([("VP8X", [UInt8](repeating: 0, count: 10)), ("VP8 ", [1, 2, 3])]))
  }

  @Test(.enabled(if: Machine.has("python3"), "needs python3")) func aRealPictureStaysReadable() throws {
    let site = try ExportedSite(["a.md": "![[a.png]]\n"])
    let script =
      "import zlib,struct;c=lambda n,d:struct.pack('>I',len(d))+n+d+struct.pack('>I',zlib.crc32(n+d));"
      + "open('box/a.png','wb').write(b'\\x89PNG\\r\\n\\x1a\\n'+c(b'IHDR',struct.pack('>IIBBBBB',1,1,8,2,0,0,0))+c(b'tEXt',b'Author\\0Xyzzy')"
      + "+c(b'IDAT',zlib.compress(b'\\0abc'))+c(b'IEND',b''))"
    #expect(try site.sh("python3 -c \"\(script)\"").status == 0)
    try site.export()
    let check =
      "import zlib,struct;b=open('site/files/a.png','rb').read()[8:]\nwhile b:\n n=struct.unpack('>I',b[:4])[0];"
      + "assert zlib.crc32(b[4:8+n])==struct.unpack('>I',b[8+n:12+n])[0];assert b[4:8]!=b'tEXt';b=b[12+n:]"
    let ran = try site.sh("python3 -c \"\(check)\"")
    #expect(ran.status == 0, "\(ran.errors)")
  }

  @Test func draftsAndTheSettingsForPublishing() throws {
    let site = try Self.site()
    let drafts = try site.export("--drafts")
    let line = "left out: 3 notes: 2 private (private: yes), 1 with publish: false\n"
    #expect(drafts.contains(line), "\(drafts)")
    #expect(site.page("notes/xyzzyfile.html").contains("xyzzybody"))
    try site.sh("cd box && slip config publish required && slip config publish.fields up,see")
    let required = try site.export()
    #expect(required.contains("2 drafts, 1 without publish: true"), "\(required)")
    #expect(site.page("notes/xyzzyfile.html").isEmpty && site.page("notes/other.html").isEmpty)
    #expect(!site.page("notes/open.html").isEmpty)
    let bad = try site.sh("cd box && slip config publish never")
    #expect(
      bad.status == 65 && bad.errors.contains("is not one of the values: marked, required"), "\(bad.errors)")
    try site.sh("cd box && slip config publish ''")
    try site.export()
    #expect(site.page("notes/other.html").contains("Referred to by"))
    // A name of a private note in a field that is shown is no link.
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
  }

  @Test func `lists that tell of private notes are left out`() throws {
    let block = { (command: String) in "<!-- slip: \(command) -->\n<!-- /slip -->\n" }
    let site = try ExportedSite([
      "private.md":
        "---\ntitle: Xyzzyprivate\nprivate: true\nkind: task\nsecret: xyzzyvalue\ntags: [xyzzytag]\ndue: 2099-12-24\n---\n- [ ] xyzzybox\n",
      "task.md": "---\ntitle: Water\nkind: task\ndue: 2099-12-25\n---\n- [ ] openbox\n",
      "lists.md": "# Lists\n\n"
        + ["table --columns title,secret,tags", "todos", "agenda", "list kind:task", "todos Water"]
        .map(block).joined(separator: "\n"),
    ])
    try site.sh("cd box && slip bake lists.md")
    let said = try site.export()
    #expect(said.contains("the list at lists.md:3 and 3 more is left out"), "\(said)")
    #expect(try site.sh("grep -rail -e xyzzy -e 2099-12-24 site").output.isEmpty)
    #expect(site.page("notes/lists.html").contains("openbox"))
  }

  @Test func anEmbedOfAPrivateNoteIsAnError() throws {
    var notes = Self.notes
    notes["embed.md"] = "---\ntitle: Embed\n---\nText.\n\n![[Xyzzydraft#Xyzzypart|a part]] ![p](private.md)\n"
    let site = try Self.site(notes)
    let ran = try site.sh("cd box && slip export html -o ../site")
    #expect(ran.status == 65)
    #expect(
      ran.errors.contains(
        "slip: Embed (embed.md), line 6, embeds Xyzzydraft (xyzzyfile.md), which is a draft; nothing was written"
      ),
      "\(ran.errors)")
    #expect(
      ran.errors.contains("Embed (embed.md), line 6, embeds Xyzzyprivate (private.md), which is private"))
    #expect(try site.sh("ls site").status != 0)
    try site.export("--skip")
    #expect(try site.sh("grep -rail xyzzy site").output.isEmpty)
    #expect(site.page("notes/embed.html").contains("<p>a part p</p>"))
    // With drafts the note is on the site, and its embed is none of a private note.
    #expect(
      try site.sh("cd box && sed -i 's/ !.p..private.md.//' embed.md && slip export html --drafts -o ../site")
        .status
        == 0)
  }

  @Test func strictRefusesNamesInFields() throws {
    let site = try Self.site()
    try site.export("--strict")
    try site.sh("cd box && slip config publish.fields up")
    let ran = try site.sh("cd box && slip export html -o ../site --strict")
    #expect(
      ran.status == 65
        && ran.errors.contains(
          "Open (kqzmvtrp), line 7, names Xyzzyprivate (private.md) in up, which is private"),
      "\(ran.errors)")
  }

  @Test func theCheckListsWordsAboutPrivateNotes() throws {
    var notes = Self.notes
    notes["talk.md"] =
      "---\ntitle: Talk of Xyzzyunpublished\n---\nThe XYZZYPRIVATE plan, [[Xyzzyprivate]] and [[xyzzyfile.md]].\n\nAn xyzzyalias %%xyzzydraft%%.\n"
    let site = try Self.site(notes)
    let ran = try site.sh("cd box && slip export html --check")
    #expect(ran.status == 65)
    let rows = ran.output.split(separator: "\n").map(String.init).sorted()
    #expect(
      rows == [
        "no.md\ttalk.md\t2\ttitle:\tXyzzyunpublished", "private.md\tkqzmvtrp\t23\tlink\tthis",
        "private.md\ttalk.md\t4\tlink\tXyzzyprivate", "private.md\ttalk.md\t4\tmention\tXYZZYPRIVATE",
        "xyzzyfile.md\tkqzmvtrp\t23\tlink\tit", "xyzzyfile.md\ttalk.md\t6\tmention\txyzzyalias",
      ], "\(rows)")
    #expect(try site.sh("ls site").status != 0)
    let json = try site.sh("cd box && slip export html --check --json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((object["exposures"] as? [Any])?.count == 6)
    let clean = try ExportedSite(["a.md": "Text.\n"]).sh("cd box && slip export html --check")
    #expect(clean.status == 0 && clean.errors.contains("no words about notes"), "\(clean.errors)")
  }

  @Test func `a misspelt flag keeps a note off the site`() throws {
    let site = try ExportedSite([
      "a.md": "---\nprivat: true\n---\nPINONE\n", "b.md": "---\ntitle: B\nprivate true\n---\nPINTWO\n",
      "c.md": "---\ndrafts: yes\n---\nPINTHREE\n", "d.md": "---\npublsh: false\n---\nPINFOUR\n",
      "e.md": "---\npublisher: Ace\ndraught: true\nprivateer: yes\n---\nOPEN\n",
    ])
    let said = try site.export()
    #expect(
      said.contains(
        "left out: 4 notes: 2 private (privat: true), 1 with publish: false (publsh: false), 1 draft"),
      "\(said)")
    #expect(try site.sh("grep -rlE 'PIN[A-Z]' site").output.isEmpty)
    #expect(site.page("notes/e.html").contains("OPEN"))
  }
}
