import Notes
import SlipboxTesting
import Testing

private func merge(_ base: String, _ ours: String, _ theirs: String) -> (text: String, conflicts: [String]) {
  let texts = [base, ours, theirs].map { NoteText(Array($0.utf8)) }
  let merged = NoteMerge.merge(base: texts[0], ours: texts[1], theirs: texts[2])
  return (String(decoding: merged.text.bytes, as: UTF8.self), merged.conflicts)
}

/// Merges blocks of front-matter, given as their lines; the result without its first fence.
private func mergeFields(_ base: String, _ ours: String, _ theirs: String) -> (
  text: String, conflicts: [String]
) {
  let merged = merge("---\n\(base)---\nb\n", "---\n\(ours)---\nb\n", "---\n\(theirs)---\nb\n")
  return (String(merged.text.dropFirst(4)), merged.conflicts)
}

@Suite struct NoteMergeTests {
  @Test(arguments: [
    ("a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n", "a: 2\nb: 2\n"),
    ("a: 1\nb: 1\n", "a: 2 # why\nb: 1\n", "a: 1\nb: 'x' # c\n", "a: 2 # why\nb: 'x' # c\n"),
    ("a: 1\nb: 1\n", "b: 1\n", "a: 1\nb: 2\n", "b: 2\n"),
    ("a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\n", "a: 2\n"),
    ("a: 1\n", "a: 2\n", "a: 1\nz: 3\n", "a: 2\nz: 3\n"),
    ("a: 1\nc: 1\n", "a: 1\nc: 2\n", "a: 1\nb: 1\nc: 1\n", "a: 1\nb: 1\nc: 2\n"),
    ("a: 1\n", "a: 2\n", "n: 0\na: 1\n", "n: 0\na: 2\n"),
    ("a: 1\n", "a: 2\n", "a: 2\nb: 3\n", "a: 2\nb: 3\n"),
    ("a: 1\nm:\n  k: v\n", "a: 2\nm:\n  k: v\n", "a: 1\nm:\n  k: w\n  l: x\n", "a: 2\nm:\n  k: w\n  l: x\n"),
    ("a: 1\nt: |\n  x\n", "a: 2\nt: |\n  x\n", "a: 1\nt: |\n  y\n\n  z\n", "a: 2\nt: |\n  y\n\n  z\n"),
    ("tags: [a, b]\n", "tags: [a, b, c]\n", "tags: [a, d]\n", "tags: [a, c, d]\n"),
    ("tags:\n- a\n- b\n", "tags:\n- b\n", "tags:\n- a\n- b\n- c\n", "tags:\n- b\n- c\n"),
    ("x: 1\n", "x: 1\ntags: [a]\n", "x: 1\ntags: [b]\n", "x: 1\ntags: [a, b]\n"),
    ("tags: [a]\n", "tags: [a, b]\n", "", "tags: [b]\n"),
    ("tags: [a]\n", "", "tags: [a, b]\n", "tags: [b]\n"),
    ("tags: [a, b]\n", "tags: [a]\n", "tags: [b]\n", ""),
  ])
  func fieldsMergeOneByOne(base: String, ours: String, theirs: String, expected: String) {
    let merged = mergeFields(base, ours, theirs)
    #expect(merged.text == "\(expected)---\nb\n")
    #expect(merged.conflicts == [])
  }

  @Test(arguments: [
    ("s: open\n", "s: done\n", "s: closed\n", "s: done\n", "s was also set to \"closed\""),
    ("s: open\n", "", "s: closed\n", "", "s was also set to \"closed\""),
    ("s: open\n", "s: done\n", "", "s: done\n", "s was also removed"),
    ("s: open\n", "s: done\n", "s:\n", "s: done\n", "s was also cleared"),
    ("s: x\n", "s: y\n", "s: a --> b\n", "s: y\n", "s was also set to \"a -\\u002d> b\""),
    (
      "s: x\n", "s: y\n", "s: \"q \\\" \\\\ \\n \\x01\"\n", "s: y\n",
      "s was also set to \"q \\\" \\\\ \\n \\u0001\""
    ),
    ("s: x\n", "s: y\n", "s: [a, b]\n", "s: y\n", "s was also set to [\"a\", \"b\"]"),
    ("s: x\n", "s: y\n", "s:\n  k: [v]\n", "s: y\n", "s was also set to {\"k\": [\"v\"]}"),
    ("s: x\n", "s: y\n", "s: ------\n", "s: y\n", "s was also set to \"-\\u002d-\\u002d-\\u002d\""),
  ])
  func aFieldThatBothChangedIsOursAndTheirsIsKept(
    base: String, ours: String, theirs: String, header: String, comment: String
  ) {
    let merged = mergeFields(base, ours, theirs)
    #expect(merged.text == "\(header)---\nb\n<!-- slip: \(comment) -->\n")
    #expect(merged.conflicts == ["s"])
  }

  @Test func anAliasIsNotTakenToWhereItsAnchorIsMissing() {
    let merged = mergeFields("a: 1\n", "a: 2\n", "a: 1\nx: &n v\ny: *n\n")
    #expect(merged.text.hasPrefix("a: 2\n"))
    let anchored = mergeFields("a: 1\nx: &n v\ny: 1\n", "a: 1\nx: w\ny: 1\n", "a: 1\nx: &n v\ny: *n\n")
    #expect(anchored.text.hasPrefix("a: 1\nx: w\ny: 1\n---\n"))
    #expect(anchored.conflicts == ["y"])
  }

  @Test func theBodyMergesByLines() {
    let merged = merge("---\na: 1\n---\nx\ny\nz\n", "---\na: 2\n---\nX\ny\nz\n", "---\na: 1\n---\nx\ny\nZ\n")
    #expect(merged.text == "---\na: 2\n---\nX\ny\nZ\n")
    #expect(merged.conflicts == [])
    let both = merge("---\na: 1\n---\nx\n", "---\na: 2\n---\ny", "---\na: 3\n---\nz\n")
    #expect(
      both.text == "---\na: 2\n---\n<!-- slip: yours -->\ny\n<!-- slip: theirs -->\nz\n<!-- slip: end -->\n"
        + "<!-- slip: a was also set to \"3\" -->\n")
    #expect(both.conflicts == ["a", "body"])
  }

  @Test func aBlockThatOneSideLeftAloneIsTakenWhole() {
    let merged = merge("---\na: 1\n---\nx\n", "---\na: 1\n---\ny\n", "---\n# why\na: 2\n\n---\nx\n")
    #expect(merged.text == "---\n# why\na: 2\n\n---\ny\n")
    let added = merge("x\n", "y\n", "---\na: 1\n---\nx\n")
    #expect(added.text == "---\na: 1\n---\ny\n")
    let removed = merge("---\na: 1\n---\nx\n", "---\na: 1\n---\ny\n", "x\n")
    #expect(removed.text == "y\n")
    let broken = merge("---\na: 1\n---\nx\n", "---\na: 1\n---\ny\n", "---\na: [1\n---\nx\n")
    #expect(broken.text == "---\na: [1\n---\ny\n")
    #expect(broken.conflicts == [])
  }

  @Test func bothAddedFrontMatter() {
    let merged = merge("x\n", "---\na: 1\n---\nx\n", "---\na: 1\nb: 2\n---\nx\ny\n")
    #expect(merged.text == "---\na: 1\nb: 2\n---\nx\ny\n")
    let gone = merge("---\na: 1\n---\nx\n", "x\n", "---\na: 1\nb: 2\n---\nx\n")
    #expect(gone.text == "---\nb: 2\n---\nx\n")
    #expect(gone.conflicts == [])
  }

  @Test func unreadableFrontMatterIsNeverMerged() {
    let merged = merge("---\na: 1\n---\nx\n", "---\na: [1\n---\nx\n", "---\na: 2\n---\nx\ny\n")
    #expect(merged.text == "---\na: [1\n---\nx\ny\n<!-- slip: the front-matter was also set to\na: 2\n-->\n")
    #expect(merged.conflicts == ["front-matter"])
    let toml = merge("+++\na = 1\n+++\nx\n", "+++\na = 2\n+++\nx\n", "+++\na = 3\n+++\nx\n")
    #expect(toml.text == "+++\na = 2\n+++\nx\n<!-- slip: the front-matter was also set to\na = 3\n-->\n")
    let unclosed = merge("---\na: 1\nx\n", "---\na: 2\nx\n", "---\na: 1\ny\n")
    #expect(unclosed.text.hasPrefix("---\na: 2\nx\n<!-- slip: the note was also saved as\n"))
    #expect(unclosed.conflicts == ["front-matter"])
  }

  @Test func lineEndsAndTheByteOrderMarkAreOurs() {
    let merged = merge(
      "\u{FEFF}---\r\na: 1\r\nb: 1\r\n---\r\nx\r\n", "\u{FEFF}---\r\na: 2\r\nb: 1\r\n---\r\nx\r\n",
      "---\na: 1\nb: 2\nc: 3\n---\nx\ny\n")
    #expect(merged.text.utf8.elementsEqual("\u{FEFF}---\r\na: 2\r\nb: 2\r\nc: 3\r\n---\r\nx\r\ny\r\n".utf8))
    #expect(merged.conflicts == [])
  }

  @Test func identitiesHold() {
    var generator = SplitMix64(seed: 9)
    for _ in 0..<500 {
      let texts = (0..<3).map { _ in randomNote(&generator) }
      #expect(merge(texts[0], texts[1], texts[0]).text == texts[1])
      #expect(merge(texts[0], texts[0], texts[2]).text == texts[2])
      #expect(merge(texts[0], texts[1], texts[1]).text == texts[1])
      let merged = merge(texts[0], texts[1], texts[2])
      let read = FrontMatter(NoteText(Array(merged.text.utf8)))
      let own = FrontMatter(NoteText(Array(texts[1].utf8)))
      #expect(read.isWritable == own.isWritable || texts[0] == texts[1])
      for name in merged.conflicts where name != "body" { #expect(read[name] == own[name]) }
    }
  }

  private func randomNote(_ generator: inout SplitMix64) -> String {
    var lines: [String] = []
    for name in ["a", "b", "c"] where Int.random(in: 0..<4, using: &generator) > 0 {
      lines.append(
        "\(name): \(["1", "2", "[x]", "[x, y]", "", "'q'"].randomElement(using: &generator) ?? "")")
    }
    let body = (0..<3).map { _ in ["p", "q", "r"].randomElement(using: &generator) ?? "" }
    return (lines.isEmpty ? "" : "---\n\(lines.joined(separator: "\n"))\n---\n")
      + body.joined(separator: "\n") + "\n"
  }
}
