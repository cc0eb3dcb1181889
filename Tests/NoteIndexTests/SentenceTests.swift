import Notes
import Testing

@testable import NoteIndex

/// The sentence around a link, as backlinks and mentions show it. `<` and `>` stand around the stretch, and are not there.
@Suite struct SentenceTests {
  @Test(
    arguments: [
      ("One. Two ‹x› three. Four.", "Two ‹x› three.", 1),
      ("‹x›", "‹x›", 1),
      ("First! ‹x› begins? No.", "‹x› begins?", 1),
      ("e.g. ‹x› and more, i.e. this. Next", "e.g. ‹x› and more, i.e. this.", 1),
      ("J. R. R. ‹x› wrote. It", "J. R. R. ‹x› wrote.", 1),
      ("lines\nthat ‹x› go\non. End.", "lines that ‹x› go on.", 2),
      ("Above.\n\nBelow ‹x›\n\nUnder", "Below ‹x›", 3),
      ("- one\n- two ‹x›\n  goes on\n- three", "two ‹x› goes on", 2),
      ("1. one ‹x›\n2. two", "one ‹x›", 1),
      ("- [ ] do ‹x›", "do ‹x›", 1),
      ("> quoted\n> ‹x› here", "quoted ‹x› here", 2),
      ("## Head ‹x›\ntext", "Head ‹x›", 1),
      ("text\n# Head\nmore ‹x›", "more ‹x›", 3),
      ("| a | ‹x› |\n| b | c |", "| a | ‹x› |", 1),
      ("(In brackets.) ‹X› out.", "‹X› out.", 1),
      ("多い。‹x›です。次", "‹x›です。", 1),
      ("Wait… ‹X› then", "‹X› then", 1),
      ("approx. ‹x› then", "approx. ‹x› then", 1),
      ("version 1.5 has ‹x› in it", "version 1.5 has ‹x› in it", 1),
      ("a\r\nb ‹x›\r\n", "a b ‹x›", 2),
      ("tab\t‹x›", "tab ‹x›", 1),
      ("---\nup: [‹x›]\nother: y\n---\nbody", "up: [‹x›]", 2),
    ])
  func isCutOut(marked: String, sentence: String, line: Int) throws {
    let (text, range) = try Self.parted(marked)
    let snippet = SentenceFinder(NoteText(Array(text.utf8))).snippet(around: range, line: line)
    let (wanted, highlight) = try Self.parted(sentence)
    #expect(snippet.text == wanted)
    #expect(snippet.highlights == [highlight])
    #expect(snippet.line == line)
  }

  /// A text without its marks, and what stood between them.
  private static func parted(_ marked: String) throws -> (String, Range<Int>) {
    let start = try #require(marked.firstIndex(of: "‹"))
    let end = try #require(marked.firstIndex(of: "›"))
    let before = String(marked[..<start])
    let inner = String(marked[marked.index(after: start)..<end])
    let text = before + inner + marked[marked.index(after: end)...]
    return (text, before.utf8.count..<before.utf8.count + inner.utf8.count)
  }

  @Test func longSentencesAreCutAroundTheStretch() {
    let text = String(repeating: "word ", count: 100) + "LINK" + String(repeating: " word", count: 100)
    let snippet = SentenceFinder(NoteText(Array(text.utf8))).snippet(around: 500..<504, line: 1)
    #expect(snippet.text.hasPrefix("…") && snippet.text.hasSuffix("…") && snippet.text.utf8.count < 180)
    let mark = snippet.highlights[0]
    #expect(Array(snippet.text.utf8)[mark].elementsEqual("LINK".utf8))
  }

  @Test func anyBytesAndAnyRangeAreTaken() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<3_000 {
      let pieces: [UInt8] = Array("ab. \n>-#|1![]\r\t。…".utf8) + [0xFF, 0xE3, 0x80, 0xC3]
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        pieces[Int.random(in: pieces.indices, using: &random)]
      }
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = Int.random(in: start...bytes.count + 2, using: &random)
      let snippet = SentenceFinder(NoteText(bytes)).snippet(around: start..<end, line: 1)
      #expect(!snippet.text.contains("\n"))
      #expect(snippet.highlights.allSatisfy { $0.upperBound <= snippet.text.utf8.count })
    }
  }

  @Test func `a paragraph of many links is read in linear time`() {
    let line = "See [[One]] and more words without an end\n"
    let time = { (count: Int) in
      let text = NoteText(Array(String(repeating: line, count: count).utf8))
      let finder = SentenceFinder(text)
      return processorTime {
        for number in 0..<count {
          let start = number * line.utf8.count + 4
          _ = finder.snippet(around: start..<start + 7, line: number + 1)
        }
      }
    }
    _ = time(100)
    #expect(time(4_000) < 8 * time(1_000))
  }
}
