import Bytes
import Testing
import Text

@testable import NoteIndex

/// The words that the scanner finds, held against folding and word breaking.
@Suite struct TextIndexScannerTests {
  private struct Collected: WordReceiver {
    var words: [[UInt8]] = []

    mutating func receive(_ word: ScannedWord) {
      let sink = ByteSink()
      word.append(to: sink)
      words.append(Array(sink.contents))
    }

    mutating func receive(sign: ScannedWord) {}
  }

  private let scanner = WordScanner()

  private func scanned(_ text: [UInt8]) -> [[UInt8]] {
    var collected = Collected()
    text.withUnsafeBytes { scanner.scan($0, &collected) }
    return collected.words
  }

  private func expected(_ text: [UInt8]) -> [[UInt8]] {
    TextSamples.words(text).map { Array($0.prefix(ScannedWord.longest)) }
  }

  @Test func `words are those of the folded text`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let text = TextSamples.text(&random, upTo: 12)
      #expect(scanned(text) == expected(text), "\(text)")
    }
  }

  @Test func `every scalar between letters, ideographs and marks`() {
    for value in (0..<0x3400 as Range<UInt32>).map({ $0 }) + (0xA000..<0x1_2000).map({ $0 }) + [
      0x4E00, 0x20000,
    ] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = Array(
        "x\(scalar) \(scalar)y'\(scalar)日\(scalar)が\(scalar)\u{3099}a\u{301}\(scalar)\(scalar)'z".utf8)
      #expect(scanned(text) == expected(text), "U+\(String(value, radix: 16))")
    }
  }

  @Test func `words of every length at every place`() {
    for length in [1, 2, 7, 8, 9, 15, 16, 17, 24, 254, 255, 256, 300] {
      for lead in 0..<10 {
        for end in ["", " ", "'", "'s", "é", ".", "’"] {
          let word = String((0..<length).map { "aBcDeFgH1_"[$0 % 10] })
          let text = Array((String(repeating: "-", count: lead) + word + end).utf8)
          #expect(scanned(text) == expected(text), "\(length) \(lead) \(end)")
          let twice = text + text
          #expect(scanned(twice) == expected(twice))
        }
      }
    }
  }

  @Test func `random characters of one script, and marks of any`() {
    var random = SplitMix64(seed: 13)
    let marks: [UInt32] = [
      0x301, 0x323, 0x3099, 0x338, 0x93C, 0x94D, 0x9BE, 0x9D7, 0x5B8, 0x64B, 0xE38, 0xE33,
    ]
    for _ in 0..<20_000 {
      let block = UInt32.random(in: 0..<0x300, using: &random) * 0x80
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: text.append(scalar: marks.randomElement(using: &random) ?? 0x301)
        case 1: text += Array(["'", "’", " ", "a", "日", "が"].randomElement(using: &random)?.utf8 ?? "".utf8)
        default: text.append(scalar: block + UInt32.random(in: 0..<0x80, using: &random))
        }
      }
      #expect(scanned(text) == expected(text), "\(text)")
    }
  }

  @Test func `random bytes`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(scanned(text) == expected(text), "\(text)")
    }
  }
}

extension String {
  fileprivate subscript(offset: Int) -> Character { self[index(startIndex, offsetBy: offset)] }
}
