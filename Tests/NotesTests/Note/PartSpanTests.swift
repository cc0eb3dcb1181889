import SlipboxTesting
import Testing

@testable import Notes

@Suite struct PartSpanTests {
  private static let note = """
    ---
    title: T
    ---
    # A

    own

    ## B

    one

    ### C

    two

    ## D
    E
    =
    three ^last
    """

  private func part(_ reference: String, in text: String = note) throws -> String? {
    let reading = try #require(NotePart.readings(of: reference).first)
    let text = NoteText(Array(text.utf8))
    return (try? text.span(of: reading.part)).map { String(decoding: text.bytes[$0.whole], as: UTF8.self) }
  }

  @Test func readsReferences() {
    let readings = { (reference: String) in
      NotePart.readings(of: reference).map { "\($0.name)|\($0.part.typed)" }
    }
    #expect(readings("A#b#c") == ["A#b|#c", "A|#b#c"])
    #expect(readings("A#^b") == ["A|#^b"])
    #expect(readings("a.md:12-20") == ["a.md|:12-20"])
    #expect(readings("a:7") == ["a|:7"])
    #expect(readings("a:0") == [])
    #expect(readings("a:9-8") == [])
    #expect(readings("#tag") == [])
    #expect(readings("C#") == [])
  }

  @Test func findsSectionsBlocksAndLines() throws {
    #expect(try part("T#B") == "## B\n\none\n\n### C\n\ntwo\n\n")
    #expect(try part("T#B#C") == "### C\n\ntwo\n\n")
    #expect(try part("T#D") == "## D\n")
    #expect(try part("T#E") == "E\n=\nthree ^last")
    #expect(try part("T#^last") == "three ^last")
    #expect(try part("T:4-6") == "# A\n\nown\n")
    #expect(try part("T#none") == nil)
    #expect(try part("T:2") == nil)
    #expect(try part("T:99") == nil)
  }

  @Test func blocksEndAtBlankLinesAndMarks() throws {
    #expect(try part("T#^x", in: "a\nb\nc ^x\nd\n") == "a\nb\nc ^x\n")
    #expect(try part("T#^x", in: "- a\n- b\n  c ^x\n- d\n") == "- b\n  c ^x\n")
    #expect(try part("T#^x", in: "| a |\n|---|\n\n^x\n") == "| a |\n|---|\n\n^x\n")
    #expect(try part("T#^x", in: "# H\na ^x\n") == "a ^x\n")
  }

  /// As an embed of a list item shows it: with what is below it.
  @Test(
    arguments: [
      ("- [ ] a ^x\n\t- [ ] child\n- b\n", "- [ ] a ^x\n\t- [ ] child\n"),
      ("- a ^x\n  - b\n\n  c\n\nd\n", "- a ^x\n  - b\n\n  c\n"),
      ("1. one\n2. two ^x\n   more\n", "2. two ^x\n   more\n"),
      ("- two ^x\nlazy\n- b\n", "- two ^x\nlazy\n"), ("- two ^x\n# H\n", "- two ^x\n"),
      ("- two ^x\n***\n", "- two ^x\n"), ("- keep\n```\ncode\n```\npara ^x\n", "para ^x\n"),
      ("| a |\n|---|\n\npara\nmore ^x\n", "para\nmore ^x\n"), ("***\npara ^x\n", "para ^x\n"),
      ("> q\npara\n\nb ^x\n", "b ^x\n"), ("<div>\n</div>\n\npara ^x\n", "para ^x\n"),
      ("```\na\n\nb\n```\n^x\n", "```\na\n\nb\n```\n^x\n"),
      ("- first\n- d ^x\n  cont\n  - child\n- e\n", "- d ^x\n  cont\n  - child\n"),
      ("\t- a ^x\n\t\t- b\n- c\n", "\t- a ^x\n\t\t- b\n"),
    ])
  func `an item goes with what is below it`(text: String, expected: String) throws {
    #expect(try part("T#^x", in: text) == expected)
  }

  @Test(
    arguments: [
      ("- [ ] a ^x\n\t- [ ] child\n", "new", "- [ ] new ^x\n\t- [ ] child\n"),
      ("- a\n  b ^x\n- c\n", "one\ntwo", "- one\n  two ^x\n- c\n"),
      ("- a ^x\n  - b\n- c\n", "- [x] all", "- [x] all ^x\n- c\n"),
      ("1. a ^x\r\n2. b\r\n", "new ^x\n", "1. new ^x\r\n2. b\r\n"), ("para ^x\n", "new", "new ^x\n"),
    ])
  func `an item keeps its mark and its check box`(text: String, new: String, expected: String) throws {
    let text = NoteText(Array(text.utf8))
    let changed = text.replacing(try text.span(of: .block("^x")), with: Array(new.utf8))
    #expect(String(decoding: changed.bytes, as: UTF8.self) == expected)
  }

  @Test func linesEndWithCarriageReturnsToo() throws {
    #expect(try part("T#H2", in: "# H1\rtext\r## H2\r- [ ] b\r## H3\rx") == "## H2\r- [ ] b\r")
    #expect(try part("T#H2", in: "foo\r## H2\nx\n") == "## H2\nx\n")
  }

  @Test(
    arguments: [
      ("B", "## B\n\none\nNEW\n\n### C"), ("C", "### C\n\ntwo\nNEW\n\n## D"), ("D", "## D\n\nNEW\n\nE\n="),
      ("E", "three ^last\n\nNEW\n"),
    ])
  func addsBeforeTheNextHeading(heading: String, expected: String) throws {
    let text = NoteText(Array(Self.note.utf8))
    let changed = text.appending(Array("NEW".utf8), to: try text.span(of: .heading(heading)))
    #expect(String(decoding: changed.bytes, as: UTF8.self).contains(expected))
  }

  /// Every change of a part keeps the other bytes and the other headings.
  @Test(arguments: UInt64(1)...20) func bytesOutsideStay(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let lines = ["# A", "## B", "text", "", "- item ^x", "```", "> quoted", "H\n---", "\ttab", "żółw"]
    for lineEnd in ["\n", "\r\n", "\r"] {
      let count = Int.random(in: 1...20, using: &generator)
      let body = (0..<count).map { _ in lines.randomElement(using: &generator) ?? "" }
      let isEnded = Bool.random(using: &generator)
      let text = NoteText(
        Array((body.joined(separator: "\n") + (isEnded ? "\n" : "")).replacing("\n", with: lineEnd).utf8))
      let anchors = HeadingAnchors(text)
      for number in anchors.headings.indices {
        let span = text.span(ofHeading: number, among: anchors)
        let (before, after) = (text.bytes[..<span.whole.lowerBound], text.bytes[span.whole.upperBound...])
        let added = text.appending(Array("new".utf8), to: span)
        #expect(added.bytes.starts(with: before) && added.bytes.suffix(after.count).elementsEqual(after))
        #expect(added.bytes.count > text.bytes.count)
        let replaced = text.replacing(span, with: Array("new".utf8))
        let heading = text.bytes[..<span.content.lowerBound]
        #expect(
          replaced.bytes.starts(with: heading) && replaced.bytes.suffix(after.count).elementsEqual(after))
        #expect(text.removing(span).bytes == Array(before + after))
      }
    }
  }
}

extension PartSpanTests {
  private static let twins = "# Top\n\n## Same\n\none\n\n## Same\n\ntwo\n\n# End\n\n## Same\n"

  @Test(
    arguments: [
      ("Same", nil), ("Top#Same", nil), ("End#Same", "## Same\n"), ("Same:7", "## Same\n\ntwo\n\n"),
      ("Top#Same:3", "## Same\n\none\n\n"), ("same-1", "## Same\n\ntwo\n\n"), ("Same:8", nil),
      ("Top#Same:12", nil),
    ] as [(String, String?)])
  func `names one of several equal headings`(name: String, expected: String?) throws {
    let text = NoteText(Array(Self.twins.utf8))
    let span = try? text.span(of: .heading(name))
    #expect(span.map { String(decoding: text.bytes[$0.whole], as: UTF8.self) } == expected)
  }

  @Test func `a link means the first of several equal headings`() throws {
    let text = NoteText(Array(Self.twins.utf8))
    #expect(try text.span(of: .heading("Top#Same"), takesFirst: true).whole.lowerBound == 7)
  }

  @Test func `tells the faults of line numbers`() {
    #expect(NotePart.lineFault(in: "a.md:0")?.fault == "lines begin at 1")
    #expect(NotePart.lineFault(in: "a.md:20-10")?.fault == "20-10 is backwards")
    #expect(NotePart.lineFault(in: "a.md:3-4") == nil)
    #expect(NotePart.lineFault(in: "a.md:x") == nil)
  }

  private func changed(
    _ text: String, _ change: (NoteText, PartSpan) -> NoteText
  ) throws -> String {
    let note = NoteText(Array(text.utf8))
    let changed = change(note, try note.span(of: .block("^x")))
    // The block can still be found.
    _ = try changed.span(of: .block("^x"))
    return String(decoding: changed.bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      ("a\nb ^x\n\nc\n", "new\n", "new ^x\n\nc\n"), ("- a ^x\n- b\n", "- new", "- new ^x\n- b\n"),
      ("| a |\n|---|\n\n^x\n", "new", "new\n\n^x\n"), ("a ^x\n", "new ^x\n", "new ^x\n"),
      ("a ^x\n", "```\ncode\n```\n", "```\ncode\n```\n\n^x\n"),
      ("a ^x\r\n", "one\ntwo\n", "one\r\ntwo ^x\r\n"),
    ])
  func `a new text keeps the name of its block`(text: String, body: String, expected: String) throws {
    #expect(try changed(text) { $0.replacing($1, with: Array(body.utf8)) } == expected)
  }

  @Test(
    arguments: [
      ("a ^x\n", "new", "a ^x\n\nnew\n"), ("a ^x\nb\n", "new", "a ^x\n\nnew\n\nb\n"),
      ("- a ^x\n- b\n", "new", "- a ^x\n\n  new\n- b\n"), ("- a ^x\n- b\n", "- new", "- a ^x\n- new\n- b\n"),
      ("10. a ^x", "one\ntwo", "10. a ^x\n\n    one\n    two\n"),
    ])
  func `text is added behind the name of a block`(text: String, addition: String, expected: String) throws {
    #expect(try changed(text) { $0.appending(Array(addition.utf8), to: $1) } == expected)
  }
}
