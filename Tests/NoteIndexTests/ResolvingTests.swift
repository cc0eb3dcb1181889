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
    case .none(let candidates): return "none: " + names(candidates)
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
    ("zettel honey", "none: za.md zb.md"),
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

  @Test func `looking at all notes and looking into the table agree`() {
    let entries = notes.entries
    let table = NameTable(entries)
    var references = [
      "", "zolw", "ZOLW", "kq", "report", "a-b", "zettel about bees", "202401011200", "fix_login", "-",
    ]
    for entry in entries {
      let names = NoteNames(of: entry.note)
      for name in names.exact + names.folded {
        references.append(String(decoding: name, as: UTF8.self))
        references.append(String(decoding: name, as: UTF8.self).uppercased())
        references.append(String(decoding: name.dropLast(), as: UTF8.self))
      }
    }
    for reference in references {
      let name = Array(reference.utf8)
      #expect(NameLookup.scan(name, entries) == table.places(named: name, in: entries), "\(reference)")
    }
  }

  @Test func `five candidates at most`() {
    let many = Catalogue((0..<40).map { entry("\($0).md", "---\ntitle: Bees number \($0)\n---\n") })
    guard case .none(let candidates) = many.resolve("bees and wasps", fuzzy: true) else {
      Issue.record("nothing has wasps")
      return
    }
    #expect(candidates.count == 5)
  }
}
