import Bytes
import Testing
import Text

@testable import NoteIndex

/// What an index finds, held against looking at every document.
@Suite struct TextIndexTests {
  private static let scopes: [TextScope] = [
    .anywhere, .title, .body, .tags, .aliases, .others, [.title, .aliases], [.body, .tags],
  ]

  /// A pattern of a query that is made of the same pieces as the texts.
  private static func pattern(_ random: inout SplitMix64, _ pieces: [String]) -> TextPattern? {
    let text = TextSamples.text(&random, upTo: 3, from: pieces)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return WordPattern(text, isPrefix: true).map(TextPattern.words)
    case 1:
      var parts = [TextSamples.text(&random, upTo: 2, from: pieces), text]
      if Bool.random(using: &random) { parts.insert([], at: Int.random(in: 0...2, using: &random)) }
      return WildcardPattern(parts).map(TextPattern.wildcard)
    default: return TextPattern(plain: text)
    }
  }

  private static func check(
    _ pattern: TextPattern, _ scope: TextScope, _ documents: [SampleDocument], _ mask: DocumentMask,
    _ index: TextIndex
  ) throws -> Int {
    let found = try index.find(pattern, in: scope, without: mask)
    let expected = documents.indices.filter { place in
      !mask.contains(UInt32(place)) && documents[place].has(pattern, in: scope)
    }
    switch found {
    case .exact(let hits):
      #expect(hits.map { Int($0.document) } == expected, "\(pattern) in \(scope)")
      for hit in hits {
        #expect(hit.counts == documents[Int(hit.document)].counts(pattern, in: scope), "\(pattern)")
      }
    case .candidates(let candidates):
      #expect(candidates == candidates.sorted() && Set(candidates).count == candidates.count)
      #expect(Set(expected).isSubset(of: candidates.map(Int.init)), "\(pattern) in \(scope)")
      #expect(!candidates.contains { mask.contains($0) })
    case .unknown: break
    }
    return expected.count
  }

  @Test(arguments: [
    TextSamples.pieces, ["a", "b", "ab", " ", "日", "本", "'", "aba", "\n", "ż", "b a", "bab", "-"],
  ])
  func `words, phrases and prefixes are found exactly, others among candidates`(_ pieces: [String]) throws {
    var random = SplitMix64(seed: 21)
    var hits = 0
    for round in 0..<12 {
      let documents = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        SampleDocument.random(&random, from: pieces)
      }
      let index = try SampleIndex(documents, builders: round % 3 + 1).index
      var mask = DocumentMask()
      if Bool.random(using: &random) {
        for document in documents.indices where Int.random(in: 0..<5, using: &random) == 0 {
          mask.insert(UInt32(document))
        }
      }
      for _ in 0..<250 {
        guard let pattern = Self.pattern(&random, pieces) else { continue }
        let scope =
          Bool.random(using: &random) ? .anywhere : Self.scopes.randomElement(using: &random) ?? .body
        hits += try Self.check(pattern, scope, documents, mask, index)
      }
    }
    #expect(hits > 1_000)
  }

  @Test func `many documents, in blocks`() throws {
    let pieces = ["a", "b", "ab", "c", "d", "e", "Rare", " ", " ", "日", "\n"]
    var random = SplitMix64(seed: 22)
    let documents = (0..<1_500).map { number in
      var document = SampleDocument.random(&random, from: Array(pieces.dropLast(number % 97 == 0 ? 0 : 5)))
      document.texts.append((.body, Array(" common ".utf8)))
      return document
    }
    let index = try SampleIndex(documents, builders: 2).index
    for text in [
      "common", "a", "a b", "b a", "a a", "common common", "rare", "a rare", "rare a b", "日 日", "e e e",
    ] {
      for isPrefix in [false, true] {
        let pattern = try #require(WordPattern(Array(text.utf8), isPrefix: isPrefix))
        _ = try Self.check(.words(pattern), .anywhere, documents, DocumentMask(), index)
        _ = try Self.check(.words(pattern), .title, documents, DocumentMask(), index)
      }
    }
  }

  @Test func `words beyond the longest that is kept are candidates`() throws {
    let long = [UInt8](repeating: UInt8(ascii: "w"), count: 254)
    let documents = (0..<4).map { more in
      SampleDocument(texts: [(.body, long + [UInt8](repeating: UInt8(ascii: "v"), count: more))])
    }
    let index = try SampleIndex(documents).index
    func find(_ more: Int, isPrefix: Bool = false) throws -> TextMatches {
      let text = long + [UInt8](repeating: UInt8(ascii: "v"), count: more)
      return try index.find(.words(try #require(WordPattern(text, isPrefix: isPrefix))))
    }
    #expect(try find(0) == .exact([TextHit(document: 0, counts: FieldCounts(body: 1))]))
    #expect(try find(1) == .candidates([1, 2, 3]))
    #expect(try find(3) == .candidates([1, 2, 3]))
    #expect(
      try find(0, isPrefix: true)
        == .exact((0..<4).map { TextHit(document: $0, counts: FieldCounts(body: 1)) }))
    #expect(try find(2, isPrefix: true) == .candidates([1, 2, 3]))
    let end = try #require(WildcardPattern([[], Array("vvv".utf8)]))
    #expect(try index.find(.wildcard(end)) == .candidates([1, 2, 3]))
  }

  @Test func `an index is the same however many builders made it`() throws {
    var random = SplitMix64(seed: 23)
    let documents = (0..<200).map { _ in SampleDocument.random(&random) }
    let bytes = try SampleIndex(documents).bytes
    for builders in 2...5 { #expect(try SampleIndex(documents, builders: builders).bytes == bytes) }
  }

  @Test(arguments: ["", "a_word_that_is_longer_than_sixteen_bytes_"])
  func `many different words`(_ start: String) throws {
    let words = (0..<40_000).map { start + String($0, radix: 36) }
    let documents = stride(from: 0, to: words.count, by: 100).map { first in
      SampleDocument(texts: [(.body, Array(words[first..<first + 100].joined(separator: " ").utf8))])
    }
    let index = try SampleIndex(documents, builders: 2).index
    #expect(index.termCount == words.count)
    for (number, word) in words.enumerated() where number % 7 == 0 {
      let hits = try index.hits(word: Array(word.utf8), in: .anywhere, without: DocumentMask())
      #expect(hits == [TextHit(document: UInt32(number / 100), counts: FieldCounts(body: 1))])
    }
  }

  @Test func `documents may be left out, and there may be none`() throws {
    let builders = TextIndexBuilders()
    builders.fill(from: 3) { builder in
      builder.begin(3)
      builder.add("Hello wörld", to: .title)
      builder.begin(7)
      builder.add("hello", to: .body)
    }
    let index = try SampleIndex(bytes: builders.index(documents: 10)).index
    #expect(index.documentCount == 10)
    #expect(
      try index.hits(word: Array("hello".utf8), in: .anywhere, without: DocumentMask()).map(\.document) == [
        3, 7,
      ])
    #expect(try index.statistics() == TextStatistics(documents: 10, titleWords: 2, bodyWords: 1))
    #expect(try index.lengths(of: 3) == DocumentLengths(document: 3, title: 2, body: 0))
    #expect(throws: DamagedBytes.self) { try index.lengths(of: 10) }

    let empty = try SampleIndex(bytes: TextIndexBuilders().index(documents: 0)).index
    #expect(empty.documentCount == 0 && empty.termCount == 0)
    #expect(try empty.hits(word: Array("hello".utf8), in: .anywhere, without: DocumentMask()) == [])
    #expect(try empty.hits(prefix: [], in: .anywhere, without: DocumentMask()) == [])
  }

  @Test func `signs beyond ASCII tell candidates`() throws {
    let texts = ["one 😀 two", "😀→x", "a → b…", "«quote» - 日本語。", "plain ->", "👨\u{200D}👩", "נ״x"]
    let documents = texts.map { SampleDocument(texts: [(.body, Array($0.utf8))]) }
    let index = try SampleIndex(documents).index
    func find(_ text: String) throws -> TextMatches {
      try index.find(try #require(TextPattern(plain: Array(text.utf8))))
    }
    #expect(try find("😀") == .candidates([0, 1]))
    #expect(try find("😀→") == .candidates([1]))
    #expect(try find("→") == .candidates([1, 2]))
    #expect(try find("👨\u{200D}👩") == .candidates([5]))
    #expect(try find("。") == .candidates([3]))
    #expect(try find("☃") == .candidates([]))
    #expect(try find("->") == .unknown)
    #expect(try find("…") == .unknown)
    #expect(try find("״") == .unknown)
  }
}
