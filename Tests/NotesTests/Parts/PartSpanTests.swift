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

  @Test(
    arguments: [
      ("B", "## B\n\none\nNEW\n\n### C"), ("C", "### C\n\ntwo\nNEW\n\n## D"), ("D", "## D\n\nNEW\n\nE\n="),
      ("E", "three ^last\nNEW\n"),
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
    for lineEnd in ["\n", "\r\n"] {
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
