import Testing

@testable import Notes

private let first = "<!-- slip: version 1, 2026-11-20T10:00:00Z, Ada, phone -->\n"
private let second = "<!-- slip: version 2 -->\n"
private let end = "<!-- slip: end of versions -->\n"

/// A note whose fields `status` and `tags` have other versions, and whose body is `body`.
private func conflictedNote(_ body: String = "b\n", ending: String = "\n") -> NoteText {
  let fields = """
    ---
    status: open
    tags: [a]
    conflicts:
      - "status: done 2026-11-20T10:00:00Z phone Ada Lovelace"
      - 'tags: ["b", "a"]'
      - "due: null"
      - no entry
      - "body: null"
    ---

    """
  return NoteText(Array((fields + body).replacing("\n", with: ending).utf8))
}

private func string(_ text: NoteText) -> String { String(decoding: text.bytes, as: UTF8.self) }

@Suite struct NoteConflictTests {
  @Test func `lists the versions of fields, then those of the body`() {
    let conflicts = NoteConflict.all(in: conflictedNote("\(first)x\n\(second)y\n\(end)"))
    #expect(conflicts.map(\.name) == ["status", "tags", "due", "body"])
    let list = FieldValue.list([.text("b"), .text("a")])
    #expect(conflicts[0].versions.map(\.value) == [.text("open"), .text("done")])
    #expect(conflicts[1].versions.map(\.value) == [.list([.text("a")]), list])
    #expect(conflicts[2].versions.map(\.value) == [nil, nil])
    #expect(conflicts[3].versions.map(\.text) == [Array("x\n".utf8), Array("y\n".utf8)])
    let stamps = { (versions: [NoteConflict.Version]) in versions.map { [$0.when, $0.device, $0.who] } }
    #expect(
      stamps(conflicts[0].versions) == [["", "", ""], ["2026-11-20T10:00:00Z", "phone", "Ada Lovelace"]])
    #expect(stamps(conflicts[3].versions) == [["2026-11-20T10:00:00Z", "phone", "Ada"], ["", "", ""]])
  }

  /// Comments of which some were removed by hand, and the line of the first one, from 1.
  @Test(arguments: [
    ("\(first)x\n\(second)y\n", 11), ("x\n\(second)y\n\(end)", 12), ("x\n\(end)", 12),
    ("\(first)x\n\(second)y\n\(first)z\n\(second)a\n\(end)", 11),
    ("\(first)x\n\(second)y\n\(end)\nz\n\(second)a\n", 18),
  ])
  func `comments without the others around versions are a conflict`(body: String, line: Int) throws {
    let note = conflictedNote(body)
    #expect(note.hasSeveralVersions)
    #expect(note.strayVersionLine == line)
    #expect(try note.droppingSettledBody() == note)
    let plain = NoteText(Array("# A\n\n```\n\(body)```\n".utf8))
    #expect(plain.strayVersionLine == nil)
  }

  private static let sample = "```\n<!-- slip: version 1 -->\nx\n\(second)y\n\(end)```\n"

  @Test func `an example of versions in code is no conflict`() throws {
    let plain = NoteText(Array("# A\n\n\(Self.sample)".utf8))
    #expect(NoteConflict.all(in: plain).isEmpty)
    let note = conflictedNote("\(Self.sample)\n\(first)a\n\(second)b\n\(end)")
    let conflict = try #require(NoteConflict.all(in: note).last)
    #expect(conflict.versions.map(\.text) == [Array("a\n".utf8), Array("b\n".utf8)])
    let resolved = try note.resolving([conflict], .version(2))
    #expect(string(resolved).hasSuffix("---\n\(Self.sample)\nb\n"))
    #expect(!resolved.conflictEntries.contains { $0.field == "body" })
  }

  @Test(arguments: [first, "<!-- slip: version 1 -->\n"])
  func `versions in code are a conflict if the note lists its body`(start: String) throws {
    let note = conflictedNote("```\n\(start)a\n\(second)b\n\(end)```\n")
    let conflict = try #require(NoteConflict.all(in: note).last)
    #expect(conflict.versions.map(\.text) == [Array("a\n".utf8), Array("b\n".utf8)])
    #expect(string(try note.resolving([conflict], .version(1))).hasSuffix("---\n```\na\n```\n"))
  }

  @Test(
    arguments: [
      ("status", .version(1), "status: open\ntags: [a]\n"),
      ("status", .version(2), "status: done\ntags: [a]\n"),
      ("tags", .version(2), "status: open\ntags: [b, a]\n"), ("tags", .all, "status: open\ntags: [a, b]\n"),
      ("due", .version(2), "status: open\ntags: [a]\n"),
    ] as [(String, ConflictChoice, String)])
  func `sets a field to the chosen version and removes its entry`(
    name: String, choice: ConflictChoice, fields: String
  ) throws {
    let conflict = try #require(NoteConflict.all(in: conflictedNote()).first { $0.name == name })
    let resolved = try conflictedNote().resolving([conflict], choice)
    #expect(string(resolved).hasPrefix("---\n\(fields)conflicts:\n"))
    #expect(resolved.conflictEntries.map(\.field) == ["status", "tags", "due", "body"].filter { $0 != name })
  }

  @Test func `refuses versions that a field does not have`() throws {
    let status = NoteConflict.all(in: conflictedNote())[0]
    #expect(throws: ConflictChoiceError.noVersion(of: "status", count: 2)) {
      try conflictedNote().resolving([status], .version(3))
    }
    #expect(throws: ConflictChoiceError.single("status")) { try conflictedNote().resolving([status], .all) }
  }

  @Test(arguments: [
    ("x\n", "y\n", "x\n\ny\n"), ("x\nz\n", "y\n", "x\nz\n\ny\n"), ("- x\n", "- y\n", "- x\n- y\n"),
    ("x\n", "- y\n", "x\n- y\n"), ("- x\n", "y\n", "- x\ny\n"), ("x\n", " y\n", "x\n y\n"),
    ("x\n\n", "y\n", "x\n\ny\n"), ("", "y\n", "y\n"), ("x\n", "## y\n", "x\n## y\n"),
  ]) func `keeps all versions of a body, with a blank line between paragraphs`(
    one: String, other: String, body: String
  ) throws {
    for ending in ["\n", "\r\n"] {
      let text = conflictedNote("a\n\(first)\(one)\(second)\(other)\(end)c\n", ending: ending)
      let conflict = try #require(NoteConflict.all(in: text).last)
      let resolved = try text.resolving([conflict], .all)
      #expect(
        Array(resolved.bytes[resolved.body]) == Array("a\n\(body)c\n".replacing("\n", with: ending).utf8))
      #expect(resolved.conflictEntries.map(\.field) == ["status", "tags", "due"])
    }
  }

  @Test func `keeps the chosen version of each region of a body`() throws {
    let text = conflictedNote("\(first)x\n\(second)y\n\(end)a\n\(first)p\n\(second)\(end)")
    let conflict = NoteConflict.all(in: text).filter { $0.name == "body" }
    #expect(string(try text.resolving(conflict, .version(1))).hasSuffix("---\nx\na\np\n"))
    #expect(string(try text.resolving(conflict, .version(2))).hasSuffix("---\ny\na\n"))
  }

  /// The note has the phone's status and title; the laptop's lines come first in the body.
  @Test func `orders the versions of all parts by device`() throws {
    let text = NoteText(
      Array(
        """
        ---
        status: open
        title: T
        conflicts:
          - "status: done 2026-11-20T10:00:00Z laptop Ada"
          - "title: U 2026-11-20T10:00:00Z laptop Ada"
        ---
        <!-- slip: version 1, 2026-11-20T10:00:00Z, Ada, laptop -->
        x
        <!-- slip: version 2, 2026-11-20T11:00:00Z, Ada, phone -->
        y
        <!-- slip: end of versions -->

        """.utf8))
    let conflicts = NoteConflict.inOneOrder(NoteConflict.all(in: text))
    #expect(conflicts.map(\.name) == ["status", "title", "body"])
    #expect(conflicts[0].versions.map(\.value) == [.text("done"), .text("open")])
    #expect(conflicts[1].versions.map(\.value) == [.text("U"), .text("T")])
    #expect(conflicts[0].versions.map(\.isInNote) == [false, true])
    #expect(conflicts[2].versions.map(\.device) == ["laptop", "phone"])
    let resolved = try conflicts.reduce(text) { try $0.resolving([$1], .version(1)) }
    #expect(string(resolved) == "---\nstatus: done\ntitle: U\n---\nx\n")
  }

  @Test func `takes the first field as the order of one without a body`() {
    let text = NoteText(
      Array(
        """
        ---
        status: open
        due: 2026-11-20
        conflicts:
          - "status: done 2026-11-20T10:00:00Z laptop Ada"
          - "due: 2026-11-21 2026-11-20T10:00:00Z phone Ada"
        ---

        """.utf8))
    let conflicts = NoteConflict.inOneOrder(NoteConflict.all(in: text))
    #expect(conflicts[0].versions.map(\.value) == [.text("open"), .text("done")])
    #expect(conflicts[1].versions.map(\.value) == [.text("2026-11-21"), .text("2026-11-20")])
  }
}

@Suite struct ConflictEntryTests {
  @Test(arguments: [
    "s: x", "s: 2026-11-20", "s: \"x y\"", "s: \"null\"", "s: \"\"", "s: null", "\"a: b\": x",
    "s: [\"a\", \"b, c\"]", "s: {\"k\": [\"v\"]}",
    "s: x 2026-11-20T10:00:00+01:00 phone Ada Lovelace", "s: \"a \\\" b\" - - -",
    "s: \"\\u0001 ä 🌍\" w - Ada", "s: ä w - Ada",
  ])
  func areReadAsTheyAreWritten(text: String) {
    #expect(ConflictEntry(text).map(\.text) == (text.hasSuffix(" - - -") ? String(text.dropLast(6)) : text))
  }

  @Test(arguments: [
    "", "s", "s:", "s: x y", "s: \"x\"y", "s: \"x", "s: [\"a\" \"b\"]", "s: \"x\" now", ": \"x\"",
  ])
  func otherTextsAreNone(text: String) {
    #expect(ConflictEntry(text) == nil)
  }

  /// An entry is one line, and blanks part the time, the device and the author.
  @Test(arguments: [
    ("phone", "Ada Lovelace", "phone Ada Lovelace"), ("my phone!", "Ada", "my_phone! Ada"),
    ("a\tb\u{7F}c", "Ada", "a_b_c Ada"), ("", "", "- -"), ("w", "Ada\nLove\u{7F}lace", "w AdaLovelace"),
    ("w", "\u{1F}Ada L", "w Ada L"),
  ]) func `replaces blanks in device names and drops control characters of authors`(
    device: String, who: String, written: String
  ) {
    let stamp = MergeStamp(seconds: 0, commit: "", when: "2026-11-20T10:00:00Z", who: who, device: device)
    let entry = ConflictEntry(field: "s", value: .text("x"), stamp)
    #expect(entry.text == "s: x 2026-11-20T10:00:00Z \(written)")
    #expect(ConflictEntry(entry.text) == entry)
  }

  @Test(arguments: ["[|]", "{\"k\": |}"]) func `reads 64 levels of values and no more`(level: String) {
    let nested = { (levels: Int) in
      (1..<levels).reduce(level.replacing("|", with: level.hasPrefix("[") ? "" : "[]")) { text, _ in
        level.replacing("|", with: text)
      }
    }
    let most = level.hasPrefix("[") ? 64 : 63
    #expect(ConflictEntry("s: \(nested(most))")?.text == "s: \(nested(most))")
    #expect(ConflictEntry("s: \(nested(most + 1))") == nil)
  }
}
