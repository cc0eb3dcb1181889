import SlipboxTesting
import Testing

@testable import Notes

@Suite struct BakedBlockTests {
  private static func blocks(_ text: String) -> [String] {
    let text = NoteText(Array(text.utf8))
    return BakedBlock.all(in: text).map {
      "\($0.line) \($0.command): \(String(decoding: text.bytes[$0.content], as: UTF8.self))"
    }
  }

  @Test func findsBlocksOutsideOfCode() {
    #expect(
      Self.blocks("---\ntitle: T\n---\nA\n<!-- slip: list +a -->\n- x\n<!-- /slip -->\nB\n") == [
        "5 list +a: - x\n"
      ])
    #expect(Self.blocks("<!-- slip: list -->\n<!-- /slip -->\n") == ["1 list: "])
    #expect(Self.blocks("<!-- slip: list -->\r\nx\r\n<!-- /slip -->\r\n") == ["1 list: x\r\n"])
    #expect(Self.blocks("~~~\n<!-- slip: list -->\n<!-- /slip -->\n~~~\n").isEmpty)
    #expect(Self.blocks("```\n<!-- slip: list -->\n<!-- /slip -->\n```\n").isEmpty)
    #expect(Self.blocks(" <!-- slip: list -->\n<!-- /slip -->\n").isEmpty)
    #expect(Self.blocks("<!-- slip: list -->\n").isEmpty)
    #expect(
      Self.blocks("<!-- slip: one -->\n<!-- slip: two -->\n<!-- /slip -->\n<!-- /slip -->\n") == ["2 two: "])
  }

  @Test(arguments: [
    ("<!-- slip: list -->\n", ["1 the block has no end line <!-- /slip -->"]),
    (
      "a\n<!-- slip: list one -->\n<!-- slip: list two -->\n<!-- /slip -->\n",
      ["2 the block has no end line <!-- /slip -->"]
    ),
    ("> <!-- slip: list -->\n> <!-- /slip -->\n", ["1 a block in a quote or a list is not updated"]),
    ("- x\n  <!-- slip: list -->\n  <!-- /slip -->\n", ["2 a block in a quote or a list is not updated"]),
    ("- <!-- slip: list -->\n", ["1 a block in a quote or a list is not updated"]),
    ("```\n<!-- slip: list -->\n```\n", []), ("    <!-- slip: list -->\n", []),
    ("<!-- slip: list -->\n<!-- /slip -->\n", []), ("<!-- /slip -->\n", []),
    ("see <!-- slip: list -->\n", []),
  ])
  func `a begin line that opens no block is a fault`(text: String, faults: [String]) {
    let text = NoteText(Array(text.utf8))
    #expect(BakedBlock.faults(in: text).map { "\($0.line) \($0.problem)" } == faults)
  }

  @Test func tagsBoxesAndLinksOfBlocksDoNotCount() {
    let text = NoteText(
      Array(
        "#a [[A]]\n- [ ] mine\n\n<!-- slip: list -->\n- #b [[B]] [c](c.md)\n- [ ] not mine\n<!-- /slip -->\n\n#d [[D]]\n"
          .utf8))
    let note = Note(path: Array("n.md".utf8), text: text)
    #expect(note.tags == ["a", "d"])
    #expect(note.links.map(\.target) == ["A", "D"])
    #expect(CheckBox.all(in: text).count == 1)
  }

  /// Two sides that bake a block differently merge without a conflict, and exchanging them changes nothing.
  @Test func mergesTakeTheGreaterBlock() throws {
    let note = { (top: String, block: String, end: String) in
      NoteText(Array("\(top)\n\n<!-- slip: list -->\n\(block)<!-- /slip -->\n\n\(end)\n".utf8))
    }
    let base = note("Top", "- old\n", "End")
    let (one, other) = (note("Top 1", "- a\n- b\n", "End"), note("Top", "- a\n- c\n", "End 2"))
    let merged = try #require(NoteMerge.merge(base: base, one: one, other: other))
    #expect(merged.conflicts.isEmpty)
    #expect(merged.text == note("Top 1", "- a\n- c\n", "End 2"))
    #expect(NoteMerge.merge(base: base, one: other, other: one)?.text == merged.text)
  }

  @Test func alignsTheLinesOfBlocks() {
    let note = { (top: String, block: String) in
      NoteText(Array("---\ntitle: T\n---\n\(top)\n<!-- slip: list -->\n\(block)<!-- /slip -->\n".utf8))
    }
    #expect(BakedBlock.aligning(note("A", ""), to: note("B", "- x\n")) == note("A", "- x\n"))
    #expect(BakedBlock.aligning(note("A", "- x\n"), to: NoteText(Array("B\n".utf8))) == note("A", "- x\n"))
    #expect(
      BakedBlock.aligning(NoteText(Array("A\n".utf8)), to: note("B", "- x\n")).bytes == Array("A\n".utf8))
  }

  @Test func mergesOfRandomBlocksNeverConflict() throws {
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      let block = { (random: inout SplitMix64) in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in "- \(Int.random(in: 0...3, using: &random))\n"
        }
        .joined()
      }
      let text = { (random: inout SplitMix64) in
        let parts = ["list", "list", "todos +a"].map {
          "\n<!-- slip: \($0) -->\n\(block(&random))<!-- /slip -->\n"
        }
        return NoteText(Array(("Text\n" + parts.joined()).utf8))
      }
      let (base, one, other) = (text(&random), text(&random), text(&random))
      let merged = try #require(NoteMerge.merge(base: base, one: one, other: other))
      #expect(merged.conflicts.isEmpty, "seed \(seed)")
      #expect(merged.text == NoteMerge.merge(base: base, one: other, other: one)?.text, "seed \(seed)")
      #expect(BakedBlock.all(in: merged.text).count == 3, "seed \(seed)")
    }
  }

  @Test func replacingLeavesOtherBytes() {
    let text = NoteText(
      Array("A\n<!-- slip: list -->\nx\n<!-- /slip -->\nB\n<!-- slip: todos -->\n<!-- /slip -->\n".utf8))
    let bytes = BakedBlock.replacing(in: text.bytes, text.body) {
      $0.command == "todos" ? Array("t\n".utf8) : nil
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "A\n<!-- slip: list -->\nx\n<!-- /slip -->\nB\n<!-- slip: todos -->\nt\n<!-- /slip -->\n")
  }
}
