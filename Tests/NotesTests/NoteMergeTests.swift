import SlipboxTesting
import Testing

@testable import Notes

/// Merges and checks that exchanging the sides changes nothing.
private func merge(
  _ base: String, _ one: String, _ other: String, rules: MergeRules = MergeRules(),
  times: MergeTimes = MergeTimes()
) -> (text: String, conflicts: [String])? {
  let texts = [base, one, other].map { NoteText(Array($0.utf8)) }
  let merged = NoteMerge.merge(base: texts[0], one: texts[1], other: texts[2], rules: rules, times: times)
  let exchanged = NoteMerge.merge(
    base: texts[0], one: texts[2], other: texts[1], rules: rules, times: times.exchanged)
  #expect(merged?.text == exchanged?.text)
  return merged.map { (String(decoding: $0.text.bytes, as: UTF8.self), $0.conflicts.map(\.name)) }
}

/// Merges blocks of front-matter, given as their lines; the result without its first fence.
private func mergeFields(
  _ base: String, _ one: String, _ other: String, rules: MergeRules = MergeRules(),
  times: MergeTimes = MergeTimes()
) -> (text: String, conflicts: [String]) {
  let notes = [base, one, other].map { "---\n\($0)---\nb\n" }
  let merged = merge(notes[0], notes[1], notes[2], rules: rules, times: times)
  return (String(merged?.text.dropFirst(4) ?? ""), merged?.conflicts ?? [])
}

private func stamp(_ seconds: Int64, _ who: String = "Ada") -> MergeStamp {
  MergeStamp(
    seconds: seconds, commit: "", when: "2026-11-20T10:00:0\(seconds)Z", who: who, device: "phone")
}

extension MergeTimes {
  fileprivate var exchanged: MergeTimes {
    let stamps = self[.body].map { MergeStamps(one: $0.other, other: $0.one) }
    return stamps.map { MergeTimes(all: $0) } ?? self
  }

  /// The one side changed everything in the first second, the other in the second.
  fileprivate static let oneFirst = MergeTimes(all: MergeStamps(one: stamp(1), other: stamp(2, "Bob")))
}

@Suite struct NoteMergeTests {
  /// A field that its kind merges by the later change is an edit of the user, not the time of the last change.
  @Test(arguments: [
    ("modified: 1", "modified: 2", true), ("touched: 1", "touched: 2", true), ("stage: 1", "stage: 2", false),
    ("modified: 1\nstage: 1", "modified: 2\nstage: 2", false), ("stage: 1", "stage: 1", false),
  ])
  func onlyStampsGiveWayToADeletion(_ old: String, _ new: String, _ isSo: Bool) {
    let rules = MergeRules(declared: ["plan": ["stage": .later]], stamps: ["touched"])
    let texts = [old, new].map { NoteText(Array("---\nkind: plan\n\($0)\n---\nText.\n".utf8)) }
    #expect(rules.differOnlyInStamps(texts[0], texts[1]) == isSo)
  }

  /// A comment says why a value was set: it stays, if the value does not.
  @Test(
    arguments: [
      ("mood: fine # c\n", "mood: good # as X\n", "mood: bad # as Y\n", ["# as X", "# as Y"]),
      ("mood: fine\n", "mood: 'it # is' # as X\n", "mood: don't # as Y\n", ["# as X", "# as Y"]),
      ("map:\n  a: 1\n", "map:\n  a: 2 # as X\n", "map:\n  a: 3 # as Y\n", ["# as X", "# as Y"]),
      (
        "list: [a]\nb: 1\n", "list: [a, c] # as X\nb: 2\n", "list: [a, d] # as Y\nb: 3\n",
        ["# as X", "# as Y"]
      ),
      ("a: 1\n", "a: 2 # as X\n", "", ["# as X"]),
      ("a: 1 # as X\n", "a: 1 # as X\nb: 2\n", "", []),
      // Blanks after a comment make it no other.
      ("mood: fine\n", "mood: good # as X \n", "mood: bad # as X\n", ["# as X"]),
      ("mood: fine\n", "mood: good # as X\n", "mood: bad # as X\t\n", ["# as X"]),
    ] as [(String, String, String, [String])])
  func commentsOfValuesThatLostStay(base: String, one: String, other: String, comments: [String]) {
    let merged = mergeFields(base, one, other)
    for comment in comments {
      #expect(merged.text.ranges(of: comment).count == 1, "\(merged.text)")
    }
    if comments.isEmpty { #expect(!merged.text.contains("#")) }
  }

  /// The time of a merge grows with the lists, not with their square.
  @Test(arguments: ["tags: [%]\n", "list: [%]\n", "tags:%\n"])
  func longListsMergeInAMoment(form: String) {
    func field(_ letter: String) -> String {
      let names = (0..<5_000).map { "\(letter)\($0)" }
      let parts = form.split(separator: "%", omittingEmptySubsequences: false)
      let isBlock = !form.contains("[")
      let list = isBlock ? names.map { "\n  - \($0)" }.joined() : names.joined(separator: ", ")
      return parts.joined(separator: list)
    }
    let duration = ContinuousClock().measure {
      let merged = mergeFields(field("a"), field("b"), field("c"))
      #expect(merged.conflicts.isEmpty && merged.text.contains("b4999") && merged.text.contains("c4999"))
      #expect(!merged.text.contains("a1"))
    }
    #expect(duration < .seconds(5))
  }

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
    ("x: 1\n", "x: 1\nb: 2\n", "x: 1\na: 3\n", "x: 1\na: 3\nb: 2\n"),
    ("# one\na: 1\n", "# one\n# mine\na: 1\n", "# one\na: 2\n", "# one\n# mine\na: 2\n"),
    ("a: 1\nb: 1\nc: 1\n", "c: 1\nb: 1\na: 1\n", "a: 1\nb: 2\nc: 1\n", "c: 1\nb: 2\na: 1\n"),
  ])
  func fieldsMergeOneByOne(base: String, one: String, other: String, expected: String) {
    let merged = mergeFields(base, one, other)
    #expect(merged.text == "\(expected)---\nb\n")
    #expect(merged.conflicts == [])
  }

  /// A base and two sides of a list, and its merged elements: those that one side alone added follow the other's.
  private static let lists: [(base: String?, one: String?, other: String?, merged: [String])] = [
    ("[a, b]", "[a, b, c]", "[a, d]", ["a", "d", "c"]), ("[a, b]", "[a]", "[b]", []),
    ("[a]", "[a, b]", nil, ["b"]), (nil, "[a]", "[b]", ["b", "a"]), ("[a]", nil, "[a, b]", ["b"]),
    ("[a, b, c]", "[c, b, a]", "[a, b, c, d]", ["c", "b", "a", "d"]),
    ("[a, b, c]", "[a, c]", "[a, b, c, d]", ["a", "c", "d"]),
    ("\n- a\n- b", "\n- b", "\n- a\n- b\n- c", ["b", "c"]),
    ("a, b", "a, b, c", "a", ["a", "c"]), ("a", "[a, b]", "[a, c]", ["a", "c", "b"]),
    ("[a]", "[a, x]", "[a, x]", ["a", "x"]), ("[a]", "[]", "[a, b]", ["b"]),
  ]

  @Test(arguments: 0..<lists.count) func listsMergeByElements(number: Int) {
    let list = Self.lists[number]
    let expected = list.merged
    let texts = [list.base, list.one, list.other].map { value in
      value.map { "x: 1\ntags: \($0)\n" } ?? "x: 1\n"
    }
    let merged = mergeFields(texts[0], texts[1], texts[2])
    #expect(merged.conflicts == [])
    let value = FrontMatter(NoteText(Array("---\n\(merged.text)".utf8)))["tags"]
    let elements = FieldsMerge.elements(value, .tags) ?? []
    #expect(elements == expected)
  }

  @Test(
    "A decision to keep a value in conflict stands against another decision",
    arguments: [
      ("s: y\n", "s: y\n", ["s"]), ("s: x\nconflicts:\n  - \"s: y\"\n", "s: x\n", []),
      ("s: x\n", "s: x\n", []),
    ])
  func settledConflicts(other: String, field: String, contested: [String]) {
    let merged = mergeFields("s: x\nconflicts:\n  - \"s: y\"\n", "s: x\n", other, times: .oneFirst)
    #expect(merged.text.hasPrefix(field))
    #expect(merged.conflicts == contested)
    let lost = contested.isEmpty ? nil : FieldValue.list([.text("s: x 2026-11-20T10:00:01Z phone Ada")])
    #expect(FrontMatter(NoteText(Array("---\n\(merged.text)".utf8)))["conflicts"] == lost)
  }

  @Test(arguments: [
    ("s: open\n", "s: done\n", "s: closed\n", "s: closed\n", "s: done"),
    ("s: open\n", "", "s: closed\n", "s: closed\n", "s: null"),
    ("s: open\n", "s: closed\n", "", "", "s: closed"),
    ("s: open\n", "s: done\n", "s:\n", "s:\n", "s: done"),
    ("s: x\n", "s: a --> b\n", "s: y\n", "s: y\n", "s: \"a --> b\""),
    ("s: x\n", "s: \"q \\\" \\\\ \\n \\x01\"\n", "s: y\n", "s: y\n", "s: \"q \\\" \\\\ \\n \\u0001\""),
    ("s: x\n", "s: [a, b]\n", "s:\n  k: v\n", "s:\n  k: v\n", "s: [\"a\", \"b\"]"),
    ("s: x\n", "s:\n  k: [v]\n", "s: y\n", "s: y\n", "s: {\"k\": [\"v\"]}"),
  ])
  func ofAFieldThatBothChangedTheLaterStands(
    base: String, one: String, other: String, header: String, lost: String
  ) {
    let merged = mergeFields("a: 1\n\(base)", "a: 1\n\(one)", "a: 1\n\(other)", times: .oneFirst)
    #expect(merged.text.hasPrefix("a: 1\n\(header)conflicts:\n"), "\(merged.text)")
    #expect(merged.conflicts == ["s"])
    let reading = FrontMatter(NoteText(Array("---\n\(merged.text)".utf8)))
    let entry = "\(lost) 2026-11-20T10:00:01Z phone Ada"
    #expect(reading["conflicts"] == .list([.text(entry)]))
    #expect(ConflictEntry(entry)?.text == entry)
  }

  @Test func withoutTimesTheGreaterValueStands() {
    let merged = mergeFields("s: open\n", "s: done\n", "s: closed\n")
    #expect(merged.text == "s: done\nconflicts:\n  - \"s: closed\"\n---\nb\n")
  }

  @Test func fieldsOfATransitionMoveTogether() {
    let rules = MergeRules(groups: [["status", "closed"]])
    let closed = "status: closed\nclosed: 2026-01-02\nx: 1\n"
    let merged = mergeFields(
      closed, "status: open\nx: 1\n", "status: closed\nclosed: 2026-02-03\nx: 2\n", rules: rules,
      times: .oneFirst)
    #expect(
      merged.text == "status: closed\nclosed: 2026-02-03\nx: 2\nconflicts:\n"
        + "  - \"closed: null 2026-11-20T10:00:01Z phone Ada\"\n"
        + "  - \"status: open 2026-11-20T10:00:01Z phone Ada\"\n---\nb\n")
    #expect(merged.conflicts == ["closed"])
    let back = mergeFields(
      closed, "status: closed\nclosed: 2026-02-03\nx: 2\n", "status: open\nx: 1\n", rules: rules,
      times: .oneFirst)
    #expect(back.text.hasPrefix("status: open\nx: 2\nconflicts:\n"))
  }

  @Test(arguments: [
    ("2026-02-01", "2026-01-01", "2026-01-01"),
    ("2026-02-01T10:00:00Z", "2026-02-01T12:00:00+03:00", "2026-02-01T12:00:00+03:00"),
  ])
  func createdIsTheEarlier(one: String, other: String, expected: String) {
    let merged = mergeFields("a: 1\n", "a: 1\ncreated: \(one)\n", "a: 1\ncreated: \(other)\n")
    #expect(merged.text == "a: 1\ncreated: \(expected)\n---\nb\n")
    #expect(merged.conflicts == [])
  }

  /// Other programs write the time of the last change into notes: the later one stands, in any spelling and order.
  @Test(arguments: [
    ("modified", "2026-11-25T10:00:00Z", "2026-11-25 12:30", "2026-11-25 12:30"),
    ("updated", "2026-02-01", "'2026-03-01'", "'2026-03-01'"),
    ("date modified", "2026-02-01T10:00", "2026-02-01T09:59", "2026-02-01T10:00"),
    ("lastmod", "soon", "later", "soon"),
    ("Last_Modified", "2026-02-01T10:00:00Z", "2026-02-01T12:00:00+02:00", "2026-02-01T12:00:00+02:00"),
  ])
  func theTimeOfAChangeIsTheLater(name: String, one: String, other: String, expected: String) {
    for (one, other) in [(one, other), (other, one)] {
      let merged = mergeFields(
        "a: 1\n\(name): 2026-01-01\n", "a: 1\n\(name): \(one)\n", "a: 1\n\(name): \(other)\n")
      #expect(merged.text == "a: 1\n\(name): \(expected)\n---\nb\n")
      #expect(merged.conflicts == [])
      let removed = mergeFields("\(name): 2026-01-01\nb: 1\n", "b: 2\n", "\(name): \(other)\nb: 1\n")
      #expect(removed.text == "\(name): \(other)\nb: 2\n---\nb\n")
    }
  }

  @Test(
    arguments: [
      ("greater", "9", "10", "10"), ("greater", "a", "b", "b"), ("derived", "[x]", "[y]", nil),
      ("later", "2026-01-02", "2026-01-03", "2026-01-03"),
      ("earlier", "2026-01-02", "2026-01-03", "2026-01-02"),
      ("union", "[a, c]", "[b, d]", "[a, c, b, d]"),
    ] as [(String, String, String, String?)])
  func kindsDeclareRules(rule: String, one: String, other: String, expected: String?) throws {
    let rules = MergeRules(declared: ["run": ["value": try #require(MergeRule(rawValue: rule))]])
    let base = rule == "union" ? "kind: run\nvalue: [a, b]\n" : "kind: run\nvalue: 0\n"
    let merged = mergeFields(base, "kind: run\nvalue: \(one)\n", "kind: run\nvalue: \(other)\n", rules: rules)
    let mirrored = mergeFields(
      base, "kind: run\nvalue: \(other)\n", "kind: run\nvalue: \(one)\n", rules: rules)
    #expect(merged.conflicts == [] && mirrored.text == merged.text)
    if rule == "union" {
      #expect(["a", "b", "c", "d"].allSatisfy { merged.text.contains($0) })
    } else if let expected {
      #expect(merged.text == "kind: run\nvalue: \(expected)\n---\nb\n")
    }
  }

  @Test(arguments: ["s: b1", "s: b1 2026-11-20T10:00:01Z phone Ada"])
  func `an entry whose value the other side has changed is dropped`(entry: String) {
    let one = "s: a\nconflicts:\n- '\(entry)'\n- 't: x'\n"
    for merged in [mergeFields("s: b1\n", one, "s: b2\n"), mergeFields("s: b1\n", "s: b2\n", one)] {
      let entries = FrontMatter(NoteText(Array("---\n\(merged.text)".utf8)))["conflicts"]?.strings.sorted()
      #expect(entries == ["s: a", "t: x"], "\(merged.text)")
    }
    let kept = mergeFields("s: b1\n", one, "s: b1\nu: 1\n")
    #expect(kept.text.contains(entry))
  }

  @Test func entriesAreASet() {
    let entry = "conflicts:\n- 's: x'\n"
    let same = mergeFields("s: 1\n", "s: 2\n\(entry)", "s: 2\nt: 1\n\(entry)")
    #expect(same.text == "s: 2\nt: 1\n\(entry)---\nb\n")
    // What a side settled is settled.
    let settled = mergeFields("s: 1\n\(entry)", "s: 3\n", "s: 1\nt: 1\n\(entry)")
    #expect(settled.text == "s: 3\nt: 1\n---\nb\n")
    let both = mergeFields("s: 1\n", "s: 1\n\(entry)", "s: 1\nconflicts:\n- 's: a'\n")
    #expect(
      FrontMatter(NoteText(Array("---\n\(both.text)".utf8)))["conflicts"]?.strings.sorted() == [
        "s: a", "s: x",
      ])
  }

  @Test func anAliasIsNotTakenToWhereItsAnchorIsMissing() throws {
    let merged = mergeFields("a: 1\n", "a: 2\n", "a: 1\nx: &n v\ny: *n\n")
    #expect(merged.text == "a: 2\nx: &n v\ny: *n\n---\nb\n")
    let anchored = mergeFields("a: 1\nx: &n v\ny: 1\n", "a: 1\nx: w\ny: 1\n", "a: 1\nx: &n v\ny: *n\n")
    let reading = FrontMatter(NoteText(Array("---\n\(anchored.text)".utf8)))
    #expect(reading.isWritable)
    #expect(reading["x"] == .text("w") || reading["conflicts"] != nil)
  }

  @Test func theBodyMergesByLines() {
    let merged = merge("---\na: 1\n---\nx\ny\nz\n", "---\na: 2\n---\nX\ny\nz\n", "---\na: 1\n---\nx\ny\nZ\n")
    #expect(merged?.text == "---\na: 2\n---\nX\ny\nZ\n")
    #expect(merged?.conflicts == [])
    let both = merge("---\na: 1\n---\nx\n", "---\na: 2\n---\ny", "---\na: 3\n---\nz\n")
    #expect(
      both?.text
        == "---\na: 3\nconflicts:\n  - \"a: 2\"\n  - \"body: null\"\n---\n<!-- slip: version 1 -->\ny\n"
        + "<!-- slip: version 2 -->\nz\n<!-- slip: end of versions -->")
    #expect(both?.conflicts == ["a", "body"])
  }

  @Test func aBlockThatOneSideLeftAloneIsTakenWhole() {
    let merged = merge("---\na: 1\n---\nx\n", "---\na: 1\n---\ny\n", "---\n# why\na: 2\n\n---\nx\n")
    #expect(merged?.text == "---\n# why\na: 2\n\n---\ny\n")
    #expect(merge("x\n", "y\n", "---\na: 1\n---\nx\n")?.text == "---\na: 1\n---\ny\n")
    #expect(merge("---\na: 1\n---\nx\n", "---\na: 1\n---\ny\n", "x\n")?.text == "y\n")
    let broken = merge("---\na: 1\n---\nx\n", "---\na: 1\n---\ny\n", "---\na: [1\n---\nx\n")
    #expect(broken?.text == "---\na: [1\n---\ny\n")
    #expect(broken?.conflicts == [])
  }

  @Test func bothMadeTheNote() {
    let merged = merge("", "---\na: 1\n---\nx\n\ntwo\n", "---\na: 1\nb: 2\n---\nx\n\nthree\n")
    #expect(merged?.text == "---\na: 1\nb: 2\n---\nx\n\nthree\ntwo\n")
    #expect(merged?.conflicts == [])
    #expect(merge("", "a\nend\n", "b\nlonger\nend\n")?.text == "a\nb\nlonger\nend\n")
    let gone = merge("---\na: 1\n---\nx\n", "x\n", "---\na: 1\nb: 2\n---\nx\n")
    #expect(gone?.text == "---\nb: 2\n---\nx\n")
  }

  @Test func frontMatterThatCannotBeReadIsKeptBesideThatWhichCan() {
    let merged = merge("---\na: 1\n---\nx\n", "---\na: [1\n---\nx\n", "---\na: 2\n---\nx\ny\n")
    #expect(merged?.text == "---\na: 2\n---\nx\ny\n<!-- slip: the front matter was also\na: [1\n-->\n")
    #expect(merged?.conflicts == ["front-matter"])
    // Two hyphens would end the comment.
    let hyphens = merge("---\na: 1\n---\nx\n", "---\na: [1 --> book\n---\nx\n", "---\na: 2\n---\nx\ny\n")
    #expect(hyphens?.text.hasSuffix("was also\na: [1 -\\u002d> book\n-->\n") == true)
    let toml = merge("+++\na = 1\n+++\nx\n", "+++\na = 2\n+++\nx\n", "+++\na = 3\n+++\nx\n", times: .oneFirst)
    #expect(toml?.text == "+++\na = 3\n+++\nx\n<!-- slip: the front matter was also\na = 2\n-->\n")
    let lines = merge(
      "+++\na = 1\nb = 1\n+++\nx\n", "+++\na = 2\nb = 1\n+++\nx\n", "+++\na = 1\nb = 3\n+++\nx\n")
    #expect(lines?.text == "+++\na = 2\nb = 3\n+++\nx\n")
  }

  @Test func whatIsNoTextIsNotMerged() {
    #expect(merge("---\na: 1\nx\n", "---\na: 2\nx\n", "---\na: 1\ny\n") == nil)
    #expect(merge("a\n", "a\0\n", "b\n") == nil)
    #expect(merge("a\n", "a\0\n", "a\n")?.text == "a\0\n")
  }

  @Test func lineEndsAndTheByteOrderMarkMerge() {
    let merged = merge(
      "\u{FEFF}---\r\na: 1\r\nb: 1\r\n---\r\nx\r\n", "\u{FEFF}---\r\na: 2\r\nb: 1\r\n---\r\nx\r\n",
      "---\na: 1\nb: 2\nc: 3\n---\nx\ny\n")
    // The other side took the returns and the mark away.
    #expect(merged.map { Array($0.text.utf8) } == Array("---\na: 2\nb: 2\nc: 3\n---\nx\ny\n".utf8))
    let added = merge("---\na: 1\n---\nx\n", "---\r\na: 1\r\n---\r\nx\r\n", "---\na: 2\n---\nx\ny\n")
    #expect(added.map { Array($0.text.utf8) } == Array("---\r\na: 2\r\n---\r\nx\r\ny\r\n".utf8))
    // A line end that differs from those around it stays if all versions have the same line ends.
    let mixed = merge("a\r\nb\nc\r\n", "x\r\nb\nc\r\n", "a\r\nb\ny\r\n")
    #expect(mixed.map { Array($0.text.utf8) } == Array("x\r\nb\ny\r\n".utf8))
  }
}

@Suite struct NoteMergePropertyTests {
  @Test func lawsHold() throws {
    var notes = MergeNotes(generator: SplitMix64(seed: 9))
    for round in 0..<3000 {
      let base = notes.note()
      let (one, other) = (notes.edited(base, "O"), notes.edited(base, "T"))
      let texts = [base, one, other].map { NoteText(Array($0.utf8)) }
      let times = notes.times()
      let merged = try #require(
        NoteMerge.merge(base: texts[0], one: texts[1], other: texts[2], times: times), "\(round)")
      let exchanged = NoteMerge.merge(base: texts[0], one: texts[2], other: texts[1], times: times.exchanged)
      #expect(merged.text == exchanged?.text, "\(round)")
      #expect(NoteMerge.merge(base: texts[0], one: texts[1], other: texts[1])?.text == texts[1])
      #expect(NoteMerge.merge(base: texts[0], one: texts[0], other: texts[2])?.text == texts[2])
      // Merged again, nothing changes.
      #expect(NoteMerge.merge(base: texts[1], one: merged.text, other: texts[1])?.text == merged.text)
      #expect(NoteMerge.merge(base: texts[2], one: merged.text, other: texts[2])?.text == merged.text)
      let reading = FrontMatter(merged.text)
      #expect(reading.isWritable, "\(round)")
      // Every value that a side set is a field's, or an entry of what was not taken.
      let result = String(decoding: merged.text.bytes, as: UTF8.self)
      for text in [one, other] {
        for word in text.split(whereSeparator: { " \n,[]".contains($0) })
        where word.first == "O" || word.first == "T" {
          #expect(result.contains(word), "\(round): \(word) is lost:\n\(base)\n\(one)\n\(other)\n\(result)")
        }
      }
    }
  }
}

/// Notes with a few fields, and changes of them.
private struct MergeNotes {
  var generator: SplitMix64

  mutating func times() -> MergeTimes {
    guard Bool.random(using: &generator) else { return MergeTimes() }
    let seconds = (0..<2).map { _ in Int64.random(in: 0..<3, using: &generator) }
    return MergeTimes(
      all: MergeStamps(
        one: MergeStamp(seconds: seconds[0], commit: "a", when: "w\(seconds[0])", who: "A", device: "x"),
        other: MergeStamp(seconds: seconds[1], commit: "b", when: "w\(seconds[1])", who: "B", device: "y")))
  }

  mutating func note() -> String {
    var lines: [String] = []
    for name in ["a", "b", "tags"] where Int.random(in: 0..<4, using: &generator) > 0 {
      lines.append("\(name): \(value(name, ""))")
    }
    let body = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
      ["p q r s", "q", "r t"].randomElement(using: &generator) ?? ""
    }
    return text(lines, body)
  }

  private mutating func value(_ name: String, _ mark: String) -> String {
    let word = "\(mark)\(Int.random(in: 0..<9, using: &generator))"
    if name == "tags" {
      return ["[x, \(word)]", "[\(word)]", "\n  - \(word)\n  - y"].randomElement(using: &generator) ?? ""
    }
    return [word, "'\(word)'", "[\(word), z]", ""].randomElement(using: &generator) ?? ""
  }

  private func text(_ lines: [String], _ body: [String]) -> String {
    (lines.isEmpty ? "" : "---\n\(lines.joined(separator: "\n"))\n---\n") + body.map { "\($0)\n" }.joined()
  }

  mutating func edited(_ note: String, _ mark: String) -> String {
    let parts = note.components(parted: "---\n")
    var fields = parts.fields
    var body = parts.body
    for _ in 0..<Int.random(in: 0..<4, using: &generator) {
      let place = Int.random(in: 0...max(fields.count, 0), using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0 where place < fields.count: fields.remove(at: place)
      case 1:
        let name = ["a", "b", "c", "tags"].randomElement(using: &generator) ?? "a"
        fields.removeAll { $0.hasPrefix("\(name):") }
        fields.insert("\(name): \(value(name, mark))", at: min(place, fields.count))
      case 2: body.insert("\(mark)\(body.count)", at: Int.random(in: 0...body.count, using: &generator))
      case 3 where !body.isEmpty: body.remove(at: Int.random(in: 0..<body.count, using: &generator))
      case 4 where !body.isEmpty: body[Int.random(in: 0..<body.count, using: &generator)] += " \(mark)w"
      default: break
      }
    }
    return text(fields, body)
  }
}

extension String {
  /// The fields of a made note, each with its lines, and the lines of its body.
  fileprivate func components(parted fence: String) -> (fields: [String], body: [String]) {
    let lines = split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    guard lines.first == "---", let end = lines.dropFirst().firstIndex(of: "---") else {
      return ([], Array(lines))
    }
    var fields: [String] = []
    for line in lines[1..<end] {
      if line.hasPrefix(" "), let last = fields.popLast() {
        fields.append("\(last)\n\(line)")
      } else {
        fields.append(line)
      }
    }
    return (fields, Array(lines[(end + 1)...]))
  }
}
