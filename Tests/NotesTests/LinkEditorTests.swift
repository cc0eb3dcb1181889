import Testing

@testable import Notes

/// A text with the first link that has a target given another name.
private func renamed(_ text: String, to name: String, suffix: String? = nil, label: String? = nil) -> String {
  let note = NoteText(Array(text.utf8))
  let links = LinkEditor.links(of: note)
  guard let link = links.first else { return "no link" }
  let readings: Int = if case .name(let name) = LinkAddress(link) { name.readings.count } else { 1 }
  let edit = LinkEdit(
    number: 0, spelling: LinkSpelling(link, reading: readings - 1), name: Array(name.utf8),
    suffix: suffix.map { Array($0.utf8) }, label: label)
  do throws(LinkEditError) {
    return String(decoding: try LinkEditor.text(of: note, links: links, [edit]).bytes, as: UTF8.self)
  } catch {
    return "refused: \(error.line): \(error.target)"
  }
}

@Suite struct LinkEditorTests {
  @Test(arguments: [
    ("[[Old]]", "New", "[[New]]"), ("[[ Old ]]", "New", "[[ New ]]"),
    ("[[Old|label]]", "New", "[[New|label]]"),
    ("[[Old |label]]", "New", "[[New |label]]"), ("[[Old#Head|l]]", "A b", "[[A b#Head|l]]"),
    ("[[Old #Head]]", "New", "[[New #Head]]"), ("![[Old#^block]]", "New", "![[New#^block]]"),
    ("| [[Old\\|x]] |", "New", "| [[New\\|x]] |"), ("a\r\n[[Old]]\r\nb", "New", "a\r\n[[New]]\r\nb"),
    ("x [[Old", "New", "no link"), ("`[[Old]]` [[Old]]", "New", "`[[Old]]` [[New]]"),
    ("[x](old.md)", "new.md", "[x](new.md)"), ("[x](old.md \"old.md\")", "new.md", "[x](new.md \"old.md\")"),
    ("[x]( old.md )", "new.md", "[x]( new.md )"), ("![x](old.md)", "new.md", "![x](new.md)"),
    ("[x](old.md#h)", "a/b c.md", "[x](a/b%20c.md#h)"), ("[x](<old note.md>)", "b c.md", "[x](<b c.md>)"),
    ("[x](<old%20note.md>)", "b c.md", "[x](<b%20c.md>)"), ("[x](old.md?q#h)", "new.md", "[x](new.md?q#h)"),
    ("[x](o%C5%BC.md)", "ż.md", "[x](%C5%BC.md)"), ("[x](oż.md)", "ź.md", "[x](ź.md)"),
    ("[x](old.md)", "a(b).md", "[x](a(b).md)"), ("[x](old.md)", "a(b.md", "[x](a%28b.md)"),
    ("[x](old%281%29.md)", "a(b).md", "[x](a%28b%29.md)"), ("[x](<old.md>)", "a(b.md", "[x](<a(b.md>)"),
    ("[x](old.md)", "50%.md", "[x](50%25.md)"), ("[x](old.md)", "C#.md", "[x](C%23.md)"),
    ("[x](old.md)", "a<b>.md", "[x](a%3Cb%3E.md)"), ("[x](old.md)", "R&D.md", "[x](R&D.md)"),
    ("[x](old.md)", "a&amp;b.md", "[x](a%26amp;b.md)"), ("[x](old.md)", "a`b.md", "[x](a%60b.md)"),
    ("[old.md](old.md)", "new.md", "[old.md](new.md)"), ("[a](b)](old.md)", "new.md", "[a](new.md)](old.md)"),
    ("[![i](a.png)](old.md)", "new", "[![i](a.png)](new)"),
    ("[x]: old.md 'title'", "new.md", "[x]: new.md 'title'"), ("[x]: <old b.md>", "n b.md", "[x]: <n b.md>"),
    ("---\nup: \"[[Old]]\"  # kept\n---\n", "New", "---\nup: \"[[New]]\"  # kept\n---\n"),
    ("---\nup: '[[Old|l]]'\n---\n", "It's", "---\nup: '[[It''s|l]]'\n---\n"),
    ("---\nup: \"[[Old]]\"\n---\n", "a \"b\"", "---\nup: \"[[a \\\"b\\\"]]\"\n---\n"),
    ("---\nup:\n  - x # one\n  - \"[[Old]]\"\n---\n", "New", "---\nup:\n  - x # one\n  - \"[[New]]\"\n---\n"),
    ("---\nup: [x, \"[[Old]]\"]\n---\n", "New", "---\nup: [x, \"[[New]]\"]\n---\n"),
    ("---\nup: \"\\u005b[Old]]\"\n---\n", "New", "---\nup: \"[[New]]\"\n---\n"),
  ]) func aNameIsWrittenAsTheOldOneWas(text: String, name: String, expected: String) {
    #expect(renamed(text, to: name) == expected)
  }

  @Test func aLabelIsAddedWhereTheTargetWasRead() {
    #expect(renamed("[[Old]]", to: "a/b", label: "New") == "[[a/b|New]]")
    #expect(renamed("[[Old#H]]", to: "a/b", label: "New") == "[[a/b#H|New]]")
    #expect(renamed("| [[Old]] |", to: "a/b", label: "New") == "| [[a/b\\|New]] |")
    #expect(renamed("[[Old|own]]", to: "a/b", label: "New") == "[[a/b|own]]")
  }

  @Test func whatWouldBeReadAsSomethingElseIsRefused() {
    #expect(renamed("one\n[[Old]]", to: "a]]b") == "refused: 2: Old")
    #expect(renamed("[[Old]]", to: "a|b") == "refused: 1: Old")
    #expect(renamed("---\nup: \"[[Old]]\"\nx: [broken\n---\n", to: "New").hasPrefix("refused"))
  }

  @Test func noOtherByteChanges() {
    let bytes: [UInt8] =
      [0xEF, 0xBB, 0xBF] + Array("x ".utf8) + [0xFF, 0xFE] + Array(" [[Old]]\r\n\0 end".utf8)
    let note = NoteText(bytes)
    let links = LinkEditor.links(of: note)
    let edit = LinkEdit(number: 0, spelling: LinkSpelling(links[0], reading: 0), name: Array("New".utf8))
    let result = try? LinkEditor.text(of: note, links: links, [edit]).bytes
    #expect(
      result == [0xEF, 0xBB, 0xBF] + Array("x ".utf8) + [0xFF, 0xFE] + Array(" [[New]]\r\n\0 end".utf8))
  }
}

@Suite struct HeadingAnchorsTests {
  private static let old = "# One\n## A: b\ntext\n## Same\n### Deep *x*\n# Two\n## Same\n\nUnder\n-----\n"

  private func outcome(_ link: String, _ old: String, _ new: String) -> String {
    let texts = (NoteText(Array(old.utf8)), NoteText(Array(new.utf8)))
    guard let link = BodyScan(NoteText(Array(link.utf8))).links.first else { return "no link" }
    let spelling = LinkSpelling(link, reading: 1)
    let (before, after) = (HeadingAnchors(texts.0), HeadingAnchors(texts.1))
    switch before.outcome(of: spelling.suffix, spelling, among: after, places: { $0 }) {
    case .same: return "same"
    case .lost: return "lost"
    case .changed(let suffix): return String(decoding: suffix, as: UTF8.self)
    }
  }

  @Test func headingsAreFoundAsTheyStand() {
    let anchors = HeadingAnchors(NoteText(Array(("```\n# no\n```\n> # quoted\n- # item\n" + Self.old).utf8)))
    #expect(anchors.texts == ["One", "A: b", "Same", "Deep x", "Two", "Same", "Under"])
    #expect(anchors.headings.map(\.level) == [1, 2, 2, 3, 1, 2, 2])
    #expect(anchors.numbers(named: "same") == [2, 5] && anchors.numbers(named: "Two#Same") == [5])
    #expect(anchors.section(of: 0) == 0..<4 && anchors.section(of: 2) == 2..<4)
  }

  @Test(arguments: [
    ("[[N#Same]]", "same"), ("[[N#A b]]", "#New c"), ("[[N#one#a: b]]", "#one#New c"),
    ("[x](n.md#a-b)", "#new-c"),
    ("[x](n.md#A%20b)", "#New%20c"), ("[x](n.md?q#a-b)", "?q#new-c"), ("[[N#^block]]", "same"),
    ("[[N#None]]", "same"), ("[x](n.md#same-1)", "same"), ("[x](n.md#deep-x)", "same"),
    ("[[#a b]]", "#New c"),
  ]) func linksFollowAHeadingThatChanges(link: String, expected: String) {
    let new = Self.old.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0 == "## A: b" ? "## New [c]" : $0
    }.joined(separator: "\n")
    #expect(outcome(link, Self.old, new) == expected)
  }

  @Test func aHeadingThatOthersHaveTooIsLost() {
    #expect(outcome("[[N#B]]", "# A\n# B\n", "# A\n# A\n") == "lost")
    #expect(outcome("[x](#b)", "# A\n# B\n", "# A\n# A\n") == "#a-1")
  }
}
