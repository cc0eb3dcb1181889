import Notes
import Testing

@testable import NoteIndex

/// Names of notes in the running text of others.
@Suite struct MentionTests {
  /// What is found of a name in a text.
  private func found(_ names: [String], _ text: String) -> [String] {
    Catalogue([entry("a.md", text)]).mentions(of: names).flatMap { $0.mentions.map(\.text) }
  }

  @Test(
    arguments: [
      ("Bread", "bread, BREAD and Bread", ["bread", "BREAD", "Bread"]),
      ("Bread", "breads, sweetbread, bread-knife", ["bread"]),
      ("Bread", "[[Bread]] `bread` #bread https://x.org/bread [bread](x.md)", []),
      ("Bread", "---\ntitle: Bread\n---\nnone here", []),
      ("Żółw błotny", "zolw blotny, ŻÓŁW BŁOTNY", ["zolw blotny", "ŻÓŁW BŁOTNY"]),
      ("Café", "Cafe\u{301} cafe", ["Cafe\u{301}", "cafe"]),
      ("Second rise", "the second\nrise, second  rise, second, rise", ["second\nrise", "second  rise"]),
      ("Second rise", "> the second\n> rise", ["second\n> rise"]),
      ("C++", "C++ is not C, nor c+", ["C++"]),
      ("C", "C c", []),
      ("Go", "Go and go", ["Go"]),
      ("API", "an API, an api", ["API"]),
      ("Loaf", "Loaf and loaf", ["Loaf", "loaf"]),
      ("東京", "今日は東京です", ["東京"]),
      ("日", "今日は日です", ["日", "日"]),
      ("->", "a -> b", []),
      ("What is bread?", "what is bread? What is bread", ["what is bread?"]),
      ("(Draft) plan", "a (draft) plan, draft plan", ["(draft) plan"]),
      ("Don't", "don't dont", ["don't"]),
      ("Straße", "STRASSE", ["STRASSE"]),
    ] as [(String, String, [String])])
  func areWholeWords(name: String, text: String, mentions: [String]) {
    #expect(found([name], text).map { Array($0.utf8) } == mentions.map { Array($0.utf8) })
  }

  @Test func theLongerOfTwoNamesIsMeant() {
    #expect(found(["Bread", "Bread flour"], "bread flour and bread") == ["bread flour", "bread"])
  }

  @Test func notesThatNameItOftenStandFirst() {
    let catalogue = Catalogue([
      entry("a-once.md", "bread"), entry("never.md", "rye"), entry("often.md", "bread\n\nbread and bread"),
      entry("z-newer.md", "---\ncreated: 2026-01-01\n---\nbread"),
    ])
    let mentions = catalogue.mentions(of: ["Bread"])
    #expect(
      mentions.map { String(decoding: catalogue.entries.path(at: $0.place), as: UTF8.self) } == [
        "often.md", "z-newer.md", "a-once.md",
      ])
    #expect(mentions[0].mentions.map(\.snippet.line) == [1, 3, 3])
  }

  @Test func tooShortNamesAreKnown() {
    #expect(
      !Catalogue.canBeMentioned("C") && !Catalogue.canBeMentioned("->") && !Catalogue.canBeMentioned(""))
    #expect(Catalogue.canBeMentioned("Go") && Catalogue.canBeMentioned("日"))
  }

  @Test func rareWordsTellWhatIsAlike() {
    let filler = (0..<40).map { entry("f\($0).md", "common words of no weight number\($0)") }
    let catalogue = Catalogue(
      filler + [
        entry("one.md", "common levain levain autolyse crumb"),
        entry("two.md", "levain and autolyse, common"),
        entry("three.md", "crumb of something else, common words of no weight"),
      ])
    let place = catalogue.place(path: Array("one.md".utf8)) ?? -1
    let likeness = catalogue.likeness(at: place)
    #expect(likeness.words == ["levain", "autolyse", "crumb"])
    let alike = likeness.notes.sorted { $0.value.likeness > $1.value.likeness }
    #expect(
      alike.map { catalogue.entries.path(at: $0.key) } == ["two.md", "three.md"].map { Array($0.utf8) })
    #expect(alike.allSatisfy { (0...1).contains($0.value.likeness) })
  }
}
