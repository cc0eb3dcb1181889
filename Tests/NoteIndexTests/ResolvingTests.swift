import Bytes
@testable import NoteIndex
import Notes
import Testing

/// References to notes.
@Suite struct ResolvingTests {
  private let notes = Catalogue([
    entry(
      "2026/11/fix-login-kqzmvtrp.md", "---\nid: kqzmvtrp\ntitle: Fix login\naliases: [Login trouble]\n---\n"),
    entry("2026/11/old-name-kqzbbbbb.md", "---\nid: kqzbbbbb\ntitle: Żółw\n---\n"),
    entry("2026/11/zolw-tttttttt.md", "---\nid: tttttttt\ntitle: zolw\n---\n"),
    entry("Reading List.md", "Books\n"),
    entry("notes/report.md", "# Yearly numbers\n"),
    entry("other/report.md", "# Report\n"),
    entry("za.md", "---\nid: \"202401011200\"\ntitle: Zettel about bees\n---\n"),
    entry("zb.md", "---\ntitle: Zettel about honey bees\n---\n"),
    entry("zc.md", "---\ntitle: 日本語\n---\n"),
    entry("zd.md", "---\ntitle: kq\n---\n"),
  ])

  private func resolved(_ reference: String, fuzzy: Bool = false) -> String {
    func names(_ entries: [Entry]) -> String {
      entries.map { String(decoding: $0.note.path, as: UTF8.self) }.sorted().joined(separator: " ")
    }
    switch notes.resolve(reference, fuzzy: fuzzy) {
    case .found(let entry): return names([entry])
    case .ambiguous(let entries): return "several: " + names(entries)
    case .none(let candidates, _): return "none: " + names(candidates)
    }
  }

  @Test(arguments: [
    ("kqzmvtrp", "2026/11/fix-login-kqzmvtrp.md"),
    ("kqzm", "2026/11/fix-login-kqzmvtrp.md"),
    ("KQZM", "2026/11/fix-login-kqzmvtrp.md"),
    ("kqz", "several: 2026/11/fix-login-kqzmvtrp.md 2026/11/old-name-kqzbbbbb.md"),
    ("kq", "zd.md"),
    ("tt", "2026/11/zolw-tttttttt.md"),
    ("t", "none: 2026/11/fix-login-kqzmvtrp.md"),
    ("2026/11/fix-login-kqzmvtrp.md", "2026/11/fix-login-kqzmvtrp.md"),
    ("2026/11/fix-login-kqzmvtrp", "2026/11/fix-login-kqzmvtrp.md"),
    ("./notes/report.md", "notes/report.md"),
    ("fix-login-kqzmvtrp", "2026/11/fix-login-kqzmvtrp.md"),
    ("Fix login", "2026/11/fix-login-kqzmvtrp.md"),
    ("FIX LOGIN", "2026/11/fix-login-kqzmvtrp.md"),
    ("fix-login", "2026/11/fix-login-kqzmvtrp.md"),
    ("login-trouble", "2026/11/fix-login-kqzmvtrp.md"),
    ("login trouble", "2026/11/fix-login-kqzmvtrp.md"),
    ("old-name", "2026/11/old-name-kqzbbbbb.md"),
    ("zolw", "2026/11/zolw-tttttttt.md"),
    ("Zolw", "several: 2026/11/old-name-kqzbbbbb.md 2026/11/zolw-tttttttt.md"),
    ("Żółw", "2026/11/old-name-kqzbbbbb.md"),
    ("reading list", "Reading List.md"),
    ("reading-list", "Reading List.md"),
    ("Reading List.md", "Reading List.md"),
    ("report", "several: notes/report.md other/report.md"),
    ("Report", "other/report.md"),
    ("notes/report", "notes/report.md"),
    ("yearly-numbers", "notes/report.md"),
    ("202401011200", "za.md"),
    ("日本語", "zc.md"),
    ("", "none: "),
    ("xyz", "none: "),
    ("zettel honey", "none: zb.md"),
    ("fix lgoin", "none: 2026/11/fix-login-kqzmvtrp.md"),
    ("kqzmvtrb", "none: 2026/11/fix-login-kqzmvtrp.md"),
  ])
  func strictly(_ reference: String, _ expected: String) {
    #expect(resolved(reference) == expected)
  }

  @Test(arguments: [
    ("zettel honey", "zb.md"),
    ("zet hon", "zb.md"),
    ("honey zettel", "zb.md"),
    ("zettel", "several: za.md zb.md"),
    ("year num", "notes/report.md"),
    ("trouble", "2026/11/fix-login-kqzmvtrp.md"),
    ("fix-login now", "none: 2026/11/fix-login-kqzmvtrp.md"),
    ("!!!", "none: "),
  ])
  func fuzzily(_ reference: String, _ expected: String) {
    #expect(resolved(reference, fuzzy: true) == expected)
  }

  @Test func `few look-ups, many look-ups and a plain evaluation agree`() {
    let entries = notes.entries
    let plain = PlainNames(entries.map(\.note))
    var references: [String] = [
      "zolw", "ZOLW", "kq", "report", "a-b", "zettel about bees", "202401011200", "fix_login", "-",
      "Untitled",
    ]
    for entry in entries {
      for name in plain.names(of: entry.note) {
        let name = String(decoding: name, as: UTF8.self)
        references += [name, name.uppercased(), String(name.dropLast())]
      }
    }
    let many = Catalogue(Array(entries))
    for reference in references where !reference.isEmpty {
      let expected = plain.places(named: Array(reference.utf8))
      for catalogue in [Catalogue(Array(entries)), many] {
        let found = catalogue.names.places(named: Array(reference.utf8), .names, .none)
        #expect(found == expected, "\(reference)")
      }
    }
  }

  @Test(arguments: 0..<4) func `names of random boxes mean what a plain evaluation says`(part: Int) throws {
    var (found, ambiguous) = (0, 0)
    for seed in 0..<60 {
      var box = RandomBox(random: SplitMix64(seed: UInt64(part * 1_000 + seed)))
      let notes = box.notes()
      let plain = PlainNames(notes)
      let entries = notes.map { Entry(note: $0, created: $0.created ?? stamp("2020-01-01T00:00:00Z")) }
      let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
      let stored = Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: [])
      var names = notes.flatMap { plain.names(of: $0) } + (0..<8).map { _ in Array(box.name().utf8) }
      names += names.map { Array(String(decoding: $0, as: UTF8.self).uppercased().utf8) }
      for name in Set(names) where !name.isEmpty {
        let expected = plain.places(named: name).map { notes[$0].path }.sorted {
          $0.lexicographicallyPrecedes($1)
        }
        for catalogue in [Catalogue(entries), stored] {
          let places = catalogue.names.places(named: name, .names, .none)
          let paths = places.map { catalogue.entries.path(at: $0) }
          #expect(
            paths.sorted { $0.lexicographicallyPrecedes($1) } == expected,
            "seed \(part) \(seed): \(String(decoding: name, as: UTF8.self))")
        }
        found += expected.count == 1 ? 1 : 0
        ambiguous += expected.count > 1 ? 1 : 0
      }
    }
    #expect(found > 100 && ambiguous > 100)
  }

  @Test func `five candidates at most, and the number of the others`() {
    let many = Catalogue((0..<40).map { entry("\($0).md", "---\ntitle: Bees number \($0)\n---\n") })
    guard case .none(let candidates, let more) = many.resolve("bees and wasps", fuzzy: true) else {
      Issue.record("nothing has wasps")
      return
    }
    #expect(candidates.count == 5)
    #expect(more == 35)
  }
}
