import Testing
import Text

@Suite struct SlugTests {
  @Test(arguments: [
    ("Fix the VoiceOver bug!", "fix-the-voiceover-bug"), ("Żółw", "zolw"),
    ("Straße & Größe", "strasse-grosse"),
    ("Don't panic — it’s fine", "dont-panic-its-fine"), ("snake_case __x__", "snake-case-x"), ("İIı", "iii"),
    ("Привет, Мир", "привет-мир"), ("Ёлка и Йод", "ёлка-и-йод"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("笔记 工具", "笔记-工具"),
    ("iOS笔记", "ios笔记"), ("かんじ ガ", "かんじ-ガ"), ("한국어 메모", "한국어-메모"), ("हिन्दी भाषा", "हिन्दी-भाषा"),
    ("שלום עולם", "שלום-עולם"), ("", ""), ("!!! 🎉", ""), ("  --a--  ", "a"), ("C++ / C#", "c-c"),
    ("2026-11-21", "2026-11-21"),
    ("a\u{0}b\nc\u{1B}d", "a-b-c-d"), ("../../etc/passwd", "etc-passwd"), ("Cafe\u{301}", "cafe"),
    ("co\u{AD}op", "coop"), ("foo \u{301}bar", "foo-bar"),
    ("E\u{308}лка", "eлка"), ("Е\u{308}лка", "ёлка"), ("ﬁle ²", "file-2"),
  ])
  func saysWhatTheNoteIsAbout(title: String, slug: String) {
    #expect(Array(Slug.make(title).utf8) == Array(slug.utf8))
  }

  @Test(arguments: [
    ("abcdef", 3, "abc"), ("abc def", 4, "abc"), ("Привет", 5, "пр"), ("Привет", 1, ""), ("ёж", 2, "ё"),
    ("abc", 0, ""),
    ("हिन्दी", 8, "हि"),
  ])
  func isCutAtACharacter(title: String, maxBytes: Int, slug: String) {
    #expect(Slug.make(title, maxBytes: maxBytes) == slug)
  }

  @Test func isItsOwnSlugAndSafeInAFileName() {
    var samples = Samples(seed: 6)
    for _ in 0..<4000 {
      let title = String(decoding: samples.utf8(40), as: UTF8.self)
      let slug = Slug.make(title, maxBytes: 60)
      #expect(slug.utf8.count <= 60)
      #expect(
        Array(Slug.make(slug, maxBytes: 60).utf8) == Array(slug.utf8), "\(title.unicodeScalars.map(\.value))")
      #expect(!slug.utf8.contains { $0 < 0x2D || $0 == 0x2E || $0 == 0x2F || $0 == 0x5F || $0 == 0x7F })
      #expect(slug.first != "-" && slug.last != "-" && !slug.contains("--"))
    }
  }

  @Test func veryLongTitlesAreFine() {
    #expect(Slug.make(String(repeating: "é", count: 1_000_000)).utf8.count == 80)
    #expect(Slug.make("a" + String(repeating: "\u{301}\u{323}", count: 500_000)) == "a")
  }
}
