import NoteIndex
import Notes
import Testing

/// Ranking and snippets.
@Suite struct SearchTests {
  private func search(_ catalogue: Catalogue, _ text: String) throws -> [Match] {
    catalogue.search(try Query.parse([text], clock: clock)) { $0.created }
  }

  /// The snippets with what is highlighted in brackets.
  private func marked(_ match: Match?) -> [String] {
    (match?.snippets ?? []).map { snippet in
      let bytes = Array(snippet.text.utf8)
      var result: [UInt8] = Array("\(snippet.line): ".utf8)
      var offset = 0
      for range in snippet.highlights {
        result += bytes[offset..<range.lowerBound] + Array("[".utf8) + bytes[range] + Array("]".utf8)
        offset = range.upperBound
      }
      return String(decoding: result + bytes[offset...], as: UTF8.self)
    }
  }

  @Test func `a title weighs more than tags, tags more than the text`() throws {
    let filler = String(repeating: "lorem ipsum dolor ", count: 20)
    let catalogue = Catalogue([
      entry("body.md", "---\ntitle: One thing\ncreated: 2026-01-04\n---\nbees \(filler)\n"),
      entry("tag.md", "---\ntitle: Two thing\ntags: [bees]\ncreated: 2026-01-03\n---\n\(filler) x\n"),
      entry("title.md", "---\ntitle: Bees thing\ncreated: 2026-01-02\n---\n\(filler) x\n"),
      entry("none.md", "---\ntitle: Four thing\ncreated: 2026-01-01\n---\n\(filler) x\n"),
    ])
    let matches = try search(catalogue, "bees")
    #expect(
      matches.map { String(decoding: $0.entry.note.path, as: UTF8.self) } == [
        "title.md", "tag.md", "body.md",
      ])
    #expect(matches.allSatisfy { $0.score > 0 })
  }

  @Test func `rare words weigh more, ties are newest first, an order given goes first`() throws {
    var entries = (0..<20).map {
      entry("\($0).md", "---\ncreated: 2026-01-\(10 + $0)\ntitle: N\($0)\n---\ncommon\n")
    }
    entries.append(entry("rare.md", "---\ncreated: 2020-01-01\ntitle: R\n---\nscarce\n"))
    let catalogue = Catalogue(entries)
    let matches = try search(catalogue, "common OR scarce")
    #expect(matches.first.map(\.entry.name) == "rare.md")
    #expect(matches.dropFirst().map(\.entry.name) == (0..<20).reversed().map { "\($0).md" })
    #expect(
      try search(catalogue, "(common OR scarce) sort:created limit:2").map(\.entry.name) == [
        "rare.md", "0.md",
      ])
    #expect(try search(catalogue, "(common OR scarce) limit:1").map(\.entry.name) == ["rare.md"])
  }

  @Test(arguments: [
    ("sleepp", "sleep"), ("slep", "sleep"), ("selep", "sleep"), ("Tutrle", "turtle"), ("żółww", "zolw"),
    ("sleep", nil), ("xyzzy", nil), ("turtles", "turtle"),
  ])
  func `a word that no note has is near the one that it almost is`(word: String, near: String?) {
    let catalogue = Catalogue([
      entry("a.md", "I sleep well\n"), entry("b.md", "a turtle\n"), entry("c.md", "żółw\n"),
    ])
    #expect(catalogue.nearWords(of: [word]) == [near])
  }

  @Test func `without words all matches come in their order`() throws {
    let matches = try search(box, "kind:note")
    #expect(matches.map(name) == ["turtle", "empty", "plain", "odd"])
    #expect(matches.allSatisfy { $0.score == 0 && $0.snippets.isEmpty })
    #expect(try search(box, "NOT login").count == 4)
  }

  @Test func `snippets show lines of the file`() throws {
    #expect(
      marked(try search(box, "login screen").first) == ["11: The [login] [screen] at 12:30 says nothing."])
    #expect(
      marked(try search(box, "\"login screen\"").first) == ["11: The [login screen] at 12:30 says nothing."])
    #expect(marked(try search(box, "zolw trawe").first) == ["9: [Żółw] je [trawę]. A log-in and don't."])
    #expect(marked(try search(box, "日本").first) == ["10: [日本]語のノート 😀"])
    #expect(marked(try search(box, "😀").first) == ["10: 日本語のノート [😀]"])
    #expect(marked(try search(box, "trav*").first) == [])
    #expect(marked(try search(box, "traw*").first) == ["9: Żółw je [trawę]. A log-in and don't."])
    #expect(
      marked(try search(box, "title:fix body:mov*").first) == [
        "12: See https://example.org/a and std::[move]."
      ])
    #expect(marked(try search(box, "title:zolw").first) == [])
  }

  @Test func `the lines with most of the words are shown, in their order`() throws {
    let text = "one\nx\r\none two\r\none\ntwo three one\n  one, one\t\nthree\n"
    let catalogue = Catalogue([entry("a.md", text)])
    #expect(
      marked(try search(catalogue, "one two three").first) == [
        "1: [one]", "3: [one] [two]", "5: [two] [three] [one]",
      ])
    #expect(marked(try search(catalogue, "\"one two three\"").first) == ["4: [one]", "5: [two three] one"])
    #expect(
      marked(try search(catalogue, "\"three one one\"").first) == ["5: two [three one]", "6: [one], one"])
  }

  @Test func `long lines are cut between words, around what was found`() throws {
    let words = (0..<100).map { "word\($0)" }.joined(separator: " ")
    let catalogue = Catalogue([
      entry("a.md", "---\nx: y\n---\n\(words)\n\(String(repeating: "語", count: 400))漢\n")
    ])
    let middle = try #require(try search(catalogue, "word50").first?.snippets.first)
    #expect(middle.line == 4)
    #expect(middle.text.utf8.count <= 166)
    #expect(middle.text.hasPrefix("…word") && middle.text.hasSuffix("…"))
    #expect(marked(try search(catalogue, "word0").first)[0].hasPrefix("4: [word0] word1 "))
    #expect(marked(try search(catalogue, "word99").first)[0].hasSuffix(" [word99]"))
    let last = try #require(try search(catalogue, "漢").first?.snippets.first)
    #expect(last.line == 5 && last.text.hasSuffix("語漢") && last.text.utf8.count <= 166)
    #expect(last.highlights == [last.text.utf8.count - 3..<last.text.utf8.count])
  }

  @Test func `bytes that are not text do no harm`() throws {
    let bytes: [UInt8] = [0xFF] + Array("ż bees".utf8) + [0xC3] + Array(" bees ".utf8) + [0x00, 0x80]
    let note = Note(path: Array("a.md".utf8), text: NoteText(bytes))
    let catalogue = Catalogue([Entry(note: note, created: stamp("2026-01-01T00:00:00Z"))])
    #expect(
      marked(try search(catalogue, "bees").first) == ["1: \u{FFFD}ż [bees]\u{FFFD} [bees] \u{0}\u{FFFD}"])
  }
}
