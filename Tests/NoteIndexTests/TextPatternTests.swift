import Testing
import Text

@testable import NoteIndex

/// Matching of words against what folding and word breaking alone say.
@Suite struct TextPatternTests {
  private static let pieces = [
    "a", "b", "A", "ab", "aba", "ż", "Z\u{307}", "z", "ł", "'", "’", " ", "  ", "\n", "-", ".", "_", "1", "日",
    "本", "カ",
    "\u{3099}", "か\u{3099}", "\u{301}", "ß", "ss", "½", "ﬁ", "\u{AD}", "\u{A0}", "😀", "é", "я", "Я", "*",
    "\u{0}",
  ]

  private static func text(_ random: inout SplitMix64, upTo count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...count, using: &random) {
      if Int.random(in: 0..<60, using: &random) == 0 {
        bytes.append(UInt8.random(in: 128...255, using: &random))
      } else {
        bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
    }
    return bytes
  }

  /// The folded words of a text.
  private static func words(_ text: [UInt8]) -> [[UInt8]] {
    let folded = Folding.fold(text[...])
    return Words.ranges(in: folded[...]).map { Array(folded[$0]) }
  }

  private static func isPhrase(_ wanted: [[UInt8]], in words: [[UInt8]], isPrefix: Bool) -> Bool {
    guard wanted.count <= words.count else { return false }
    return (0...(words.count - wanted.count)).contains { start in
      wanted.indices.allSatisfy { index in
        let word = words[start + index]
        return isPrefix && index == wanted.count - 1
          ? word.starts(with: wanted[index]) : word == wanted[index]
      }
    }
  }

  @Test func `words and phrases are found where the folded words stand`() {
    var random = SplitMix64(seed: 1)
    var hits = 0
    for _ in 0..<12_000 {
      let text = Self.text(&random, upTo: 20)
      let query = Self.text(&random, upTo: 3)
      let isPrefix = Bool.random(using: &random)
      guard let pattern = WordPattern(query, isPrefix: isPrefix) else { continue }
      let expected = Self.isPhrase(Self.words(query), in: Self.words(text), isPrefix: isPrefix)
      let padded = [0x61, 0x20] + text + [0x62]
      let slice = padded[2..<padded.count - 1]
      #expect(TextPattern.words(pattern).occurs(in: slice) == expected, "\(query) in \(text)")
      // A mark after an apostrophe parts words only as long as it is there; then nothing is marked.
      if expected, Words.ranges(in: text[...]).count == Self.words(text).count {
        hits += 1
        let marks = TextPattern.words(pattern).highlights(in: slice)
        #expect(
          !marks.isEmpty && marks.allSatisfy { $0.lowerBound >= 2 && $0.upperBound <= 2 + text.count },
          "\(query) in \(text)")
      }
    }
    #expect(hits > 500)
  }

  @Test func `strings are searched as their bytes are`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<3_000 {
      let text = String(decoding: Self.text(&random, upTo: 12), as: UTF8.self)
      guard let pattern = TextPattern(plain: Self.text(&random, upTo: 2)) else { continue }
      #expect(pattern.occurs(in: text) == pattern.occurs(in: Array(text.utf8)[...]))
    }
  }

  /// Tells by trying all ways whether pieces stand in order on a line, the ends at borders of words.
  private static func hasWildcard(_ pieces: [[UInt8]], in line: ArraySlice<UInt8>) -> Bool {
    let words = Words.ranges(in: line)
    let isInside = { (index: Int) in words.contains { $0.lowerBound < index && index < $0.upperBound } }
    func rest(_ piece: Int, from start: Int) -> Bool {
      guard piece < pieces.count else { return true }
      guard start + pieces[piece].count <= line.endIndex else { return false }
      return (start...line.endIndex - pieces[piece].count).contains { place in
        let end = place + pieces[piece].count
        guard line[place..<end].elementsEqual(pieces[piece]) else { return false }
        if piece == 0, isInside(place) { return false }
        if piece == pieces.count - 1, isInside(end) { return false }
        return rest(piece + 1, from: end)
      }
    }
    return rest(0, from: line.startIndex)
  }

  @Test func `wildcards agree with trying all ways`() {
    var random = SplitMix64(seed: 4)
    let letters = ["a", "b", "ab", " ", "ż", "\n", "'", "日"]
    var hits = 0
    for _ in 0..<6_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? ""
      }
      let pieces = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 1...2, using: &random)).map { _ in
          ["a", "b", "ż", "日"].randomElement(using: &random) ?? ""
        }
        .joined()
      }
      let bytes = Array(text.joined().utf8)
      let folded = Folding.fold(bytes[...])
      let openings = (Bool.random(using: &random), Bool.random(using: &random))
      let written = (openings.0 ? [[]] : []) + pieces.map { Array($0.utf8) } + (openings.1 ? [[]] : [])
      guard let pattern = WildcardPattern(written) else { continue }
      // An empty piece at an end stands anywhere, at a border too.
      var wanted = pieces.map { Folding.fold(Array($0.utf8)[...]) }
      if openings.0 { wanted.insert([], at: 0) }
      if openings.1 { wanted.append([]) }
      let expected = folded.split(separator: 0x0A).contains { Self.hasWildcard(wanted, in: $0) }
      #expect(TextPattern.wildcard(pattern).occurs(in: bytes[...]) == expected, "\(written) in \(bytes)")
      hits += expected ? 1 : 0
    }
    #expect(hits > 300)
  }

  @Test func `globs agree with trying all ways`() {
    func naive(_ steps: ArraySlice<Glob.Step>, _ name: ArraySlice<UInt8>) -> Bool {
      guard let step = steps.first else { return name.isEmpty }
      switch step {
      case .byte(let byte): return name.first == byte && naive(steps.dropFirst(), name.dropFirst())
      case .one: return !name.isEmpty && naive(steps.dropFirst(), name.dropFirst())
      case .any: return (name.startIndex...name.endIndex).contains { naive(steps.dropFirst(), name[$0...]) }
      }
    }
    var random = SplitMix64(seed: 5)
    let choices: [Glob.Step] = [.byte(0x61), .byte(0x62), .one, .any, .byte(0x2F)]
    for _ in 0..<6_000 {
      let steps = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        choices.randomElement(using: &random) ?? .any
      }
      let name = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        [0x61, 0x62, 0x2F].randomElement(using: &random) ?? 0x61 as UInt8
      }
      let below: [Glob.Step] = [.byte(0x2F), .one, .any]
      let whole = naive(steps[...], name[...])
      #expect(Glob(steps, reach: .whole).covers(name) == whole)
      #expect(Glob(steps, reach: .beginning).covers(name) == naive((steps + [.any])[...], name[...]))
      #expect(Glob(steps, reach: .below).covers(name) == naive((steps + below)[...], name[...]))
      #expect(
        Glob(steps, reach: .wholeOrBelow).covers(name) == (whole || naive((steps + below)[...], name[...])))
    }
    #expect(Glob([.one], reach: .whole).covers(Array("ż".utf8)))
  }

  @Test(arguments: [
    ("1", "2", true), ("2", "10", true), ("-1", "0", true), ("-2", "-1", true), ("1.5", "1.25", false),
    ("1.05", "1.5", true), ("007", "7", false), ("7", "007", false), ("1.0", "1", false), ("-0", "0", false),
    ("99999999999999999999999", "100000000000000000000000", true), ("-1.5", "-1.25", true), ("+3", "4", true),
  ])
  func numbers(_ left: String, _ right: String, _ isBefore: Bool) throws {
    let (first, second) = (try #require(DecimalNumber(left)), try #require(DecimalNumber(right)))
    #expect((first < second) == isBefore)
  }

  @Test(arguments: ["", "-", "1.", ".5", "1e3", "1,5", "0x1", "1 ", "١", "1.2.3", "--1"])
  func notNumbers(_ text: String) { #expect(DecimalNumber(text) == nil) }

  @Test(arguments: ["a", "a a", "\"a a a a a b\"", "a*b", "*aab", "x:a*b", "日本", "\"日日日日本\"", "'"])
  func `matching a long line is linear`(_ text: String) throws {
    let query = try Query.parse([text], clock: clock)
    for unit in ["a", "a ", "a'", "日", "ab", "b a", "ż"] {
      func time(_ count: Int) -> Int {
        let line = String(repeating: unit, count: count)
        let catalogue = Catalogue([entry("a.md", "---\nx: \(line)\n---\n\(line)\n")])
        return processorTime { _ = catalogue.search(query) { $0.created } }
      }
      let (short, long) = (time(1_500), time(12_000))
      #expect(long < short * 20 + 20_000_000, "\(unit): \(short), \(long)")
    }
  }
}
