import Bytes
import SlipboxTesting
import Testing

@testable import Notes

@Suite struct NoteRecordTests {
  static let texts = [
    "", "# Heading\n\nText with #tag and [[Link|label]] and [a](b.md \"t\").\n",
    "---\nid: kqzmvtrp\ntitle: \"A: b\"\ntags: [x, Y]\naliases:\n  - One\n---\n# Heading #inline\n![[embed]]\n",
    "\u{FEFF}---\r\ntitle: CRLF\r\ncreated: 2026-01-02\r\n---\r\nBody #a/b\r\n",
    "---\ntitle: never closed\nbody: [\n", "---\nbroken: [\n---\nBody\n",
    "+++\ntitle = \"toml\"\n+++\n# Own\n",
    "---\ntitle: Boxes\n---\n- [ ] Call #home due:2026-12-01\n- [x] [[Ada]]\n> - [-] none\n\n    - [ ] code\n",
    "---\n---\n", "---\ntitle:\n---\n\n## Żółw *bold*\n[ref]: target.md\n",
  ]

  @Test(arguments: texts) func saysWhatTheNoteSays(text: String) throws {
    for path in ["2026/11/a-note-kqzmvtrp.md", "Daily/2024-02-03.md"].map({ Array($0.utf8) }) {
      let note = Note(path: path, text: NoteText(Array(text.utf8)))
      let bytes = NoteSummary.bytes(of: note)
      let record = try #require(bytes.withUnsafeBytes { NoteSummary($0.bytes) })
      let again = record.note(at: path, text: TextSource { Array(text.utf8) })
      #expect(try again.readText().bytes == Array(text.utf8))
      #expect(again.frontMatter.fields == note.frontMatter.fields)
      #expect(again.frontMatter.problems.map(\.message) == note.frontMatter.problems.map(\.message))
      #expect(again.frontMatter.problems.map(\.line) == note.frontMatter.problems.map(\.line))
      #expect(again.id == note.id && again.foreignID == note.foreignID && again.kind == note.kind)
      #expect(again.title == note.title && again.hasOwnTitle == note.hasOwnTitle)
      #expect(again.created == note.created && again.aliases == note.aliases)
      #expect(again.tags == note.tags && again.frontMatterTags == note.frontMatterTags)
      #expect(again.inlineTags == note.inlineTags && again.links == note.links)
      #expect(again.boxes == note.boxes)
      #expect(again.bodyLength == note.bodyLength && again.head.frontMatter == note.head.frontMatter)
      // A record of a record is the same again.
      #expect(NoteSummary.bytes(of: Note(path: path, text: try again.readText())) == bytes)
    }
  }

  @Test func keepsInlineFields() throws {
    let text = NoteText(Array("title:: Bread\nmood:: good\n\nA [rating:: 9] of 10.\n".utf8))
    let fields = InlineFields.markingPageProperties(InlineFields.found(in: text), of: text)
    let note = Note(path: Array("a.md".utf8), text: text, inlineFields: fields)
    let record = try #require(NoteSummary.bytes(of: note).withUnsafeBytes { NoteSummary($0.bytes) })
    let again = record.note(at: note.path, text: TextSource { text.bytes })
    let shown = { (fields: [InlineField]) in
      fields.map { "\($0.line) \($0.range) \($0.name)=\($0.written) \($0.isOfPage)" }
    }
    #expect(fields.count == 3 && shown(again.inlineFields) == shown(fields))
    #expect(again.title == "Bread" && again.frontMatter.fields == note.frontMatter.fields)
  }

  private static let flagged: [(text: String, held: [Int])] = [
    ("---\nkind: book\n---\n", [0]), ("---\na: [\n---\n", [1]),
    ("<<<<<<< one\na\n=======\nb\n>>>>>>> two\n", [2]), ("- [x] a\n", [3]),
    ("- [ ] a\n", [3, 4]), ("<!-- slip: list -->\n<!-- /slip -->\n", [5]),
    ("Text\n", []),
  ]

  @Test(arguments: flagged) func `each flag of a note is its own`(_ text: String, _ held: [Int]) {
    let all: [NoteFacts.Flags] = [
      .hasOwnKind, .hasProblems, .hasMergeMarkers, .hasBoxes, .hasOpenBox, .hasBakedBlocks,
    ]
    let facts = NoteFacts(Note(path: Array("a.md".utf8), text: NoteText(Array(text.utf8))))
    #expect(all.indices.filter { facts.flags.contains(all[$0]) } == held)
  }

  @Test func damagedBytesAreNoTrap() {
    var random = SplitMix64(seed: 31)
    for text in Self.texts {
      let bytes = NoteSummary.bytes(of: Note(path: [], text: NoteText(Array(text.utf8))))
      for _ in 0..<2_000 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !damaged.isEmpty {
          damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          damaged.removeLast(Int.random(in: 0...damaged.count, using: &random))
        }
        let record = damaged.withUnsafeBytes { NoteSummary($0.bytes) }
        _ = record?.note(at: [], text: TextSource { [UInt8]() }).links
      }
    }
  }
}
