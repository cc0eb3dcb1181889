import Testing

@testable import NoteIndex

/// Scores of one index and of several that hold the same documents.
@Suite struct TextIndexRankingTests {
  /// A document of an index, by the number that the test gives it.
  private struct Scored: Equatable {
    let document: Int
    let score: Double
  }

  private struct Segment {
    let index: TextIndex
    /// The test's numbers of its documents.
    let numbers: [Int]
    var mask = DocumentMask()
  }

  /// Scores all documents that have one of the words, over segments.
  private static func search(_ words: [String], _ segments: [Segment]) throws -> [Scored] {
    var statistics = TextStatistics()
    for segment in segments {
      statistics = statistics + (try segment.index.statistics(without: segment.mask))
    }
    var hits: [[[TextHit]]] = []
    for segment in segments {
      hits.append(
        try words.map { word in
          let pattern = try #require(WordPattern(Array(word.utf8), isPrefix: false))
          guard case .exact(let hits) = try segment.index.find(.words(pattern), without: segment.mask) else {
            return []
          }
          return hits
        })
    }
    let frequencies = words.indices.map { word in hits.reduce(0) { $0 + $1[word].count } }
    let ranking = TextRanking(statistics, frequencies: frequencies)
    var result: [Scored] = []
    for (segment, hits) in zip(segments, hits) {
      let documents = hits.reduce([]) { DocumentLists.union($0, $1.map(\.document)) }
      let scores = try segment.index.scores(of: documents, hits: hits, ranking)
      for (document, score) in zip(documents, scores) {
        result.append(Scored(document: segment.numbers[Int(document)], score: score))
      }
    }
    return result.sorted { $0.document < $1.document }
  }

  @Test func `segments with masks score as one index of what is left`() throws {
    var random = SplitMix64(seed: 41)
    let pieces = ["a", "b", "ab", "c", " ", " ", "日", "common", "rare one"]
    for _ in 0..<20 {
      // Versions of documents: the last of each counts.
      let count = Int.random(in: 1...40, using: &random)
      var latest: [Int: SampleDocument] = [:]
      var segments: [Segment] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let numbers = (0..<count).filter { _ in segments.isEmpty || Int.random(in: 0..<4, using: &random) == 0
        }
        let documents = numbers.map { _ in SampleDocument.random(&random, from: pieces) }
        for index in segments.indices {
          for (place, number) in segments[index].numbers.enumerated() where numbers.contains(number) {
            segments[index].mask.insert(UInt32(place))
          }
        }
        for (number, document) in zip(numbers, documents) { latest[number] = document }
        segments.append(Segment(index: try SampleIndex(documents).index, numbers: numbers))
      }
      let numbers = latest.keys.sorted()
      let whole = Segment(index: try SampleIndex(numbers.compactMap { latest[$0] }).index, numbers: numbers)
      for words in [["a"], ["common", "a"], ["rare one", "b", "日"], ["nothing"]] {
        #expect(try Self.search(words, segments) == Self.search(words, [whole]))
      }
    }
  }

  @Test func `titles weigh more than tags, tags more than the body, rare words more than common ones`() throws
  {
    let filler = Array(String(repeating: "lorem ipsum dolor ", count: 20).utf8)
    let bees = Array("bees".utf8)
    let documents = [
      SampleDocument(texts: [(.title, Array("One thing".utf8)), (.body, bees + [0x20] + filler)]),
      SampleDocument(texts: [(.title, Array("Two thing".utf8)), (.tag, bees), (.body, filler)]),
      SampleDocument(texts: [(.title, Array("Bees thing".utf8)), (.body, filler)]),
      SampleDocument(texts: [(.title, Array("Four thing".utf8)), (.body, filler + Array(" scarce".utf8))]),
    ]
    let segment = Segment(index: try SampleIndex(documents).index, numbers: [0, 1, 2, 3])
    let found = try Self.search(["bees"], [segment]).sorted { $0.score > $1.score }
    #expect(found.map(\.document) == [2, 1, 0])
    let both = try Self.search(["lorem", "scarce"], [segment]).sorted { $0.score > $1.score }
    #expect(both.first?.document == 3)
  }

  @Test func `a title with all words goes before a text that is full of them`() throws {
    func body(_ count: Int) -> [UInt8] {
      let words =
        Array(repeating: "modexp gas cost", count: count)
        + Array(repeating: "lorem gas ipsum", count: 60 - count)
      return Array(words.joined(separator: " ").utf8)
    }
    let others = (0..<8).map {
      SampleDocument(texts: [(.title, Array("Proposal \($0) this".utf8)), (.body, body(0))])
    }
    let documents =
      [
        SampleDocument(texts: [(.title, Array("ModExp repricing proposal".utf8)), (.body, body(8))]),
        SampleDocument(texts: [(.title, Array("ModExp Gas Cost".utf8)), (.body, body(2))]),
      ] + others
    let segment = Segment(index: try SampleIndex(documents).index, numbers: Array(documents.indices))
    let found = try Self.search(["modexp", "gas", "cost"], [segment]).sorted { $0.score > $1.score }
    #expect(found.prefix(2).map(\.document) == [1, 0])
  }

  @Test func `lists of documents`() {
    var random = SplitMix64(seed: 42)
    for _ in 0..<2_000 {
      func list(_ random: inout SplitMix64) -> [UInt32] {
        let share = Int.random(in: 1...8, using: &random)
        return (0..<UInt32(40)).filter { _ in Int.random(in: 0..<share, using: &random) == 0 }
      }
      let (left, right) = (list(&random), list(&random))
      let (first, second) = (Set(left), Set(right))
      #expect(DocumentLists.intersection(left, right) == first.intersection(second).sorted())
      #expect(DocumentLists.union(left, right) == first.union(second).sorted())
      #expect(DocumentLists.difference(left, right) == first.subtracting(second).sorted())
      #expect(DocumentLists.complement(left, documentCount: 40) == Set(0..<40).subtracting(first).sorted())
    }
    var mask = DocumentMask()
    #expect(mask.isEmpty && !mask.contains(9))
    for document: UInt32 in [200, 3, 64, 3, 63] { mask.insert(document) }
    #expect(mask.documents == [3, 63, 64, 200] && mask.count == 4 && mask.contains(64) && !mask.contains(65))
  }
}
