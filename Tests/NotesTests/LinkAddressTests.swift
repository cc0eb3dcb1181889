import Testing
import Text

@testable import Notes

/// What the one link of a text means, in words.
private func address(_ text: String) -> String? {
  let links = BodyScan(NoteText(Array(text.utf8))).links
  guard links.count == 1, let link = links.first else { return nil }
  switch LinkAddress(link) {
  case .itself: return "itself"
  case .url(let address): return "url " + String(decoding: address, as: UTF8.self)
  case .name(let name):
    let readings = name.readings.map { String(decoding: $0, as: UTF8.self) }
    return "\(name.base) " + readings.joined(separator: " | ")
  }
}

@Suite struct LinkAddressTests {
  @Test(arguments: [
    ("[[kqzmvtrp]]", "box kqzmvtrp"), ("[[A title]]", "box A title"), ("[[ A title | x ]]", "box A title"),
    ("[[a/b.md]]", "box a/b.md"), ("[[Note#Heading]]", "box Note#Heading | Note"),
    ("[[Note #Heading]]", "box Note #Heading | Note"), ("[[Note#^block]]", "box Note#^block | Note"),
    ("[[Note#A#B]]", "box Note#A#B | Note"), ("[[C#]]", "box C# | C"), ("![[Note#A|x]]", "box Note#A | Note"),
    ("[[#Heading]]", "itself"), ("[[#^block]]", "itself"), ("[[./a]]", "onlyFolder ./a"),
    ("[[../a/b]]", "onlyFolder ../a/b"), ("[[/a/b]]", "box a/b"),
    ("[[../../etc/passwd]]", "onlyFolder ../../etc/passwd"),
    ("[[100%20]]", "box 100%20"), ("[[R&amp;D]]", "box R&amp;D"), ("[[std::move]]", "box std::move"),
    ("[[Re: lunch]]", "box Re: lunch"), ("[[https://x.org/a#b]]", "url https://x.org/a#b"),
    ("[[mailto:a@x.org]]", "url mailto:a@x.org"), ("[[//x.org]]", "url //x.org"),
    ("[[denote:20210319T202401]]", "box denote:20210319T202401"), ("[[a\u{0}b\u{7}]]", "box a\u{0}b\u{7}"),
  ]) func wikiLinksAreNamesAsTheyStand(text: String, expected: String) {
    #expect(address(text) == expected)
  }

  @Test(arguments: [
    ("[x](a.md)", "folder a.md"), ("[x](a/b.md#h)", "folder a/b.md"), ("![x](a.png)", "folder a.png"),
    ("[x](a.md \"title\")", "folder a.md"), ("[x]: a.md", "folder a.md"),
    ("[x]: <a b.md> 'title'", "folder a b.md"),
    ("[x](<a b.md>)", "folder a b.md"), ("[x](a%20b.md)", "folder a b.md"),
    ("[x](%C5%BC%C3%B3%C5%82w.md)", "folder żółw.md"),
    ("[x](a%23b.md#c)", "folder a#b.md"), ("[x](100%.md)", "folder 100%.md"),
    ("[x](a%2.md)", "folder a%2.md"),
    ("[x](a\\(b\\).md)", "folder a(b).md"), ("[x](a(b).md)", "folder a(b).md"),
    ("[x](a\\b.md)", "folder a\\b.md"),
    ("[x](R&amp;D.md)", "folder R&D.md"), ("[x](R&#38;D.md)", "folder R&D.md"),
    ("[x](a&#x41;.md)", "folder aA.md"),
    ("[x](a&b.md)", "folder a&b.md"), ("[x](a&#0;.md)", "folder a\u{FFFD}.md"),
    ("[x](a&#+65;.md)", "itself?"),
    ("[x](what?.md)", "folder what?.md | what"), ("[x](a.md?raw=1#h)", "folder a.md?raw=1 | a.md"),
    ("[x](./a.md)", "onlyFolder ./a.md"), ("[x](../../a.md)", "onlyFolder ../../a.md"),
    ("[x](%2E%2E/a.md)", "onlyFolder ../a.md"),
    ("[x](/a/b.md)", "box a/b.md"), ("[x](#h)", "itself"), ("[x]()", "itself"), ("[x](<>)", "itself"),
    ("[x](?a=b)", "itself"),
    ("[x](https://x.org/a.md)", "url https://x.org/a.md"), ("[x](HTTP://x.org)", "url HTTP://x.org"),
    ("[x](mailto:a@x.org)", "url mailto:a@x.org"), ("[x](//x.org/a.md)", "url //x.org/a.md"),
    ("[x](obsidian://open?a)", "url obsidian://open?a"), ("[x](a:b.md)", "url a:b.md"),
    ("[x](./a:b.md)", "onlyFolder ./a:b.md"),
    ("[x](https://x.org?a&amp;b)", "url https://x.org?a&b"), ("[x](12:30.md)", "folder 12:30.md"),
    ("[x](denote:20210319T202401)", "box 20210319T202401"),
  ]) func targetsOfMarkdownAreDecoded(text: String, expected: String) {
    // A `#` begins a heading, also where it would be an odd entity.
    let expected = expected == "itself?" ? "folder a&" : expected
    #expect(address(text) == expected)
  }

  @Test(arguments: [
    "https://x.org", "<https://x.org>", "`[[a]]`", "    [[a]]", "```\n[a](b.md)\n```", "<!-- [[a]] -->",
    "[text][label]",
    "[[]]", "[[ ]]", "[[a\nb]]",
  ]) func whatIsNoLinkIsNone(text: String) {
    #expect(BodyScan(NoteText(Array(text.utf8))).links.isEmpty)
  }

  @Test func longAndOddTargetsAreRead() {
    let long = String(repeating: "x/", count: 5_000)
    #expect(address("[[\(long)]]") == "box \(long)")
    #expect(address("[x](\(long))") == "folder \(long)")
    #expect(
      address("[x](<\(String(repeating: "&#x41;", count: 2_000))>)") == "folder "
        + String(repeating: "A", count: 2_000))
  }

  @Test func bytesThatAreNotTextAreNames() {
    let text: [UInt8] = Array("[x](a%FFb.md)".utf8)
    let link = BodyScan(NoteText(text)).links[0]
    #expect(LinkAddress(link) == .name(LinkName([[0x61, 0xFF, 0x62] + Array(".md".utf8)], isWiki: false)))
  }
}

@Suite struct SameNamesTests {
  @Test(arguments: [
    ("plan", "", "plan.md"), ("plan", "b/c", "plan.md"), ("Plan.md", "b/c", "plan.md"),
    ("b/plan", "", "b/plan.md"),
    ("c/plan", "", "b/c/plan.md"), ("note", "", "a/Note.md"), ("NOTE", "x/yz", "x/yz/note.markdown"),
    ("note", "x", "a/Note.md"), ("lan", "", nil), ("missing", "", nil),
  ]) func `a link of Obsidian means the whole path, a near file or the shortest path`(
    name: String, folder: String, path: String?
  ) {
    let paths = ["x/yz/note.markdown", "b/c/plan.md", "b/plan.md", "plan.md", "a/Note.md"]
    let names = SameNames(paths.map { (file: $0, path: Array($0.utf8)) }, named: Array(name.utf8))
    #expect(names.file(from: Array(folder.utf8)[...]) == path)
  }
}

@Suite struct LinkKeyTests {
  private func key(_ name: String) -> LinkKey? { LinkKey(Array(name.utf8)) }

  /// The catalogue asks for the key of a file by its name alone, which has to be that of its path.
  @Test(arguments: [
    ("", "Plan.md"), ("a", "Plan.md"), ("Büro/x", "Plan.md"), ("a", "Żółw.markdown"), ("Büro", "Żółw.md"),
    ("a b", "2026 - x .md"), ("a.md", "b.MD"), ("x", "!!.md"), ("x", "no ending"),
  ]) func aFileHasTheKeyOfItsPath(folder: String, name: String) {
    let lent = Array(name.utf8).withUnsafeBytes { LinkKey(lent: $0) }
    #expect(lent != nil && lent == key(folder.isEmpty ? name : "\(folder)/\(name)"))
  }

  @Test(arguments: [
    ["Żółw", "zolw", "ZOLW", "zolw.md", "a/żółw.markdown", "/zolw/", "b/c/zółw.MD.md"],
    ["A B", "a b", "ab", "x/A\tB.md ", "A B.Md"], ["kqzmvtrp", "kqzmvtrp.md"], ["TCP/IP", "ip"],
    ["a.b", "A.B.md"], ["Fizz `buzz` @ home", "fizz-buzz-home"],
  ]) func namesThatMayMeanOneAnotherShareAKey(names: [String]) {
    #expect(Set(names.map(key)).count == 1)
    #expect(key(names[0]) != nil)
  }

  @Test(arguments: ["", "/", " ", "//", "\u{1}"]) func whatNamesNothingHasNone(name: String) {
    #expect(key(name) == nil)
  }

  @Test func otherNamesHaveOtherKeys() {
    let names = ["a", "az", "b", "ab", "ba", "md", "a.txt", "zolw", "zolwie", "??", "!?", "a.m"]
    #expect(Set(names.compactMap(key)).count == names.count)
  }

  @Test(arguments: [
    "Fix: the VoiceOver bug!", "don't", "a_b c", "TCP/IP", "notes.md", "Żółw błotny – czyli…", "日本語 (2)",
    "ß & co",
    "v1.2.3", "1/2/3.md", "–", String(repeating: "a b ", count: 60), String(repeating: "word ", count: 30),
    String(repeating: "ż.", count: 90), "x" + String(repeating: "-", count: 100) + "y",
  ]) func titlesHaveTheKeyOfTheirSlug(title: String) {
    let slug = Slug.make(title)
    #expect(slug.isEmpty || LinkKey.keys(ofTitle: title).contains { $0 == key(slug) })
    #expect(key(title).map(LinkKey.keys(ofTitle: title).contains) ?? true)
  }

  @Test(arguments: [
    ("2026/11/fix-bug-kqzmvtrp.md", "fix-bug"), ("a/zolw-bcdfghjk.markdown", "zolw"),
    ("Reading List.md", nil),
    ("kqzmvtrp.md", nil), ("-kqzmvtrp.md", nil), ("a-kqzmvtra.md", nil), ("Żółw – błotny….md", "zolw-blotny"),
  ]) func pathsHaveTheKeysOfTheirSlugs(path: String, slug: String?) {
    let keys = LinkKey.slugKeys(ofPath: Array(path.utf8))
    if let slug { #expect(keys.contains { $0 == key(slug) }) } else { #expect(keys.isEmpty) }
  }
}

@Suite struct FieldLinksTests {
  /// The links of a note's front-matter as `line form target`, and the bytes of each in the file.
  private func links(_ frontMatter: String) -> [(what: String, raw: String)] {
    let bytes = Array("---\n\(frontMatter)\n---\nBody [[body]]\n".utf8)
    let note = Note(path: Array("a.md".utf8), text: NoteText(bytes))
    return note.links.dropLast().map {
      ("\($0.line) \($0.form) \($0.target)", String(decoding: bytes[$0.range], as: UTF8.self))
    }
  }

  @Test(arguments: [
    ("up: \"[[Home]]\"", ["2 wiki Home"]), ("up: '[[Home|x]]'", ["2 wiki Home"]),
    ("up: [[Home]]", ["2 wiki Home"]),
    ("see: \"[[A]] and [b](c.md)\"", ["2 wiki A", "2 markdown c.md"]),
    ("a: 1\nup:\n  - \"[[A]]\"\n  - '[[B]]'", ["4 wiki A", "5 wiki B"]),
    ("up: [\"[[A]]\", \"[[B]]\"]", ["2 wiki A", "2 wiki B"]),
    ("deep:\n  a:\n    - b: \"[[A]]\"", ["4 wiki A"]),
    ("cover: \"![[c.png]]\"", ["2 embed c.png"]), ("note: plain [[A]] text", ["2 wiki A"]),
    ("code: '`[[A]]`'", []), ("# [[comment]]\na: b", []), ("url: https://x.org", []), ("up: Home", []),
    ("text: |\n  one\n  [[A]]", ["4 wiki A"]), ("a: \"[[A]]\"\nb: \"[[A]]\"", ["2 wiki A", "3 wiki A"]),
  ]) func areFound(frontMatter: String, expected: [String]) {
    #expect(links(frontMatter).map(\.what) == expected)
  }

  @Test func rangesAreThoseOfTheFile() {
    #expect(links("up: \"[[A|b]]\"\nx: [c](d)").map(\.raw) == ["[[A|b]]", "[c](d)"])
    #expect(links("up:\n- '[[A]]'\n- '[[A]]'").map(\.raw) == ["[[A]]", "[[A]]"])
    // Escapes make the text another one than that of the file.
    #expect(links("up: \"[[\\u0041]]\"").map(\.raw) == ["up: \"[[\\u0041]]\"\n"])
  }
}
