import Testing

@testable import Notes

/// Titles of Logseq's pages and journals by the names of their files.
@Suite struct PageNamesTests {
  private func title(_ path: String, _ names: PageNames = PageNames()) -> String {
    let path = Array(path.utf8)
    return names.title(of: path, stem: String(decoding: FileName.stem(of: path), as: UTF8.self))
  }

  @Test(arguments: [
    ("pages/File%3F.md", "File?"), ("pages/food___bread.md", "food/bread"), ("pages/v1.2.md", "v1.2"),
    ("pages/100%.md", "100%"), ("pages/a%2Fb.md", "a/b"), ("pages/caf%C3%A9.md", "caf\u{E9}"),
    ("pages/%FF.md", "%FF"), ("pages/a%5F%5F%5Fb.md", "a___b"), ("journals/2026_11_20.md", "Nov 20th, 2026"),
    ("journals/2026_11_01.md", "Nov 1st, 2026"), ("pages/2026_11_20.md", "2026_11_20"),
    ("journals/2026_13_20.md", "2026_13_20"), ("journals/old/2026_11_20.md", "2026_11_20"),
  ]) func `reads the triple lowbar form`(path: String, expected: String) {
    #expect(title(path) == expected)
  }

  @Test(arguments: [
    ("pages/food.bread.md", "food/bread"), ("pages/food%2Fbread.md", "food/bread"),
    ("pages/v1%2E2.md", "v1.2"), ("pages/File%3F.md", "File?"),
  ]) func `reads the legacy form`(path: String, expected: String) {
    #expect(title(path, PageNames(naming: .legacy)) == expected)
  }

  @Test func `reads journals in other forms`() {
    let names = PageNames(journals: "days", journalName: "YYYY-MM-DD", journalTitle: "dddd, DD.MM.YYYY")
    #expect(title("days/2026-11-20.md", names) == "Friday, 20.11.2026")
    #expect(title("journals/2026-11-20.md", names) == "2026-11-20")
    #expect(title("days/2026-11-20.md", PageNames(journals: "days", journalName: "?")) == "2026-11-20")
  }

  @Test func `gives the other titles of journals`() {
    let path = Array("journals/2026_11_20.md".utf8)
    #expect(PageNames().otherTitles(of: path) == ["2026-11-20", "2026_11_20"])
    let names = PageNames(journals: "days", journalName: "DD-MM-YYYY", journalTitle: "YYYY-MM-DD")
    #expect(names.otherTitles(of: Array("days/20-11-2026.md".utf8)) == ["Nov 20th, 2026", "2026_11_20"])
    for other in ["pages/2026_11_20.md", "journals/2026_13_20.md", "journals/old/2026_11_20.md"] {
      #expect(PageNames().otherTitles(of: Array(other.utf8)) == [])
    }
  }

  @Test(arguments: [
    "food/bread", "File?", "a: b", "100%", "50%25 off", "a___b", "a_/_b", "v1.2", "x/y.z", "\u{E9}t\u{E9}",
  ]) func `names files that give the title back`(title: String) {
    for naming in [FileNaming.tripleLowbar, .legacy] {
      let name = naming.encoded(title)
      #expect(!name.contains("/") && !name.contains("?") && !name.contains(":"))
      #expect(PageNames(naming: naming).title(of: Array("pages/\(name).md".utf8), stem: name) == title)
    }
  }
}
