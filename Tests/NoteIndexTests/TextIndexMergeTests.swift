import Bytes
import Testing

@testable import NoteIndex

/// Indexes that are made of others.
@Suite struct TextIndexMergeTests {
  /// Does all work on the calling thread, but in as many parts as there are.
  private static func executor(_ stretches: [Range<Int>], _ work: @escaping @Sendable (Range<Int>) -> Void) {
    for stretch in stretches.reversed() { work(stretch) }
  }

  @Test func `a merged index is the one that is built from the texts`() throws {
    var random = SplitMix64(seed: 51)
    for round in 0..<30 {
      let count = Int.random(in: 0...80, using: &random)
      let all = (0..<count).map { _ in SampleDocument.random(&random) }
      // Each document goes into one of the indexes, and some into others too, from which they are left out.
      let home = all.map { _ in Int.random(in: 0..<3, using: &random) }
      let sources = try (0..<3).map { part in
        var numbers = all.indices.filter { home[$0] == part || Int.random(in: 0..<5, using: &random) == 0 }
        if round % 2 == 0 { numbers.shuffle(using: &random) }
        let index = try SampleIndex(numbers.map { all[$0] }).index
        return RenumberedIndex(
          index, numbers: numbers.map { home[$0] == part ? UInt32($0) : RenumberedIndex.leftOut })
      }
      let bytes = try TextIndex.merged(sources, documents: count, executor: Self.executor)
      #expect(bytes == (try SampleIndex(all).bytes))
    }
  }

  @Test(arguments: [1, 2, 5]) func `builders that take turns make the same index`(lanes: Int) throws {
    var random = SplitMix64(seed: 53)
    for count in [0, 1, 40, 300] {
      let all = (0..<count).map { _ in SampleDocument.random(&random) }
      let builders = TextIndexBuilders(lanes: lanes)
      for start in stride(from: 0, to: count, by: 3) {
        builders.fill(lane: start / 3 % lanes) { builder in
          for number in start..<min(start + 3, count) { all[number].add(number, to: builder) }
        }
      }
      #expect(builders.index(documents: count, executor: Self.executor) == (try SampleIndex(all).bytes))
    }
  }

  @Test func `large indexes are merged in parts`() throws {
    var random = SplitMix64(seed: 52)
    let vocabulary = (0..<3_000).map { "w\(String($0, radix: 36))" }
    let all = (0..<3_000).map { _ in
      let text = (0..<120).map { _ in vocabulary.randomElement(using: &random) ?? "" }.joined(separator: " ")
      return SampleDocument(texts: [(.body, Array(text.utf8))])
    }
    let parts = try [0..<2_500, 2_500..<3_000].map { range in
      RenumberedIndex(try SampleIndex(Array(all[range])).index, numbers: range.map { UInt32($0) })
    }
    // The largest one is parted at its terms.
    #expect(parts[0].index.pages.postings.count > 3 << 17)
    let merged = try SampleIndex(bytes: TextIndex.merged(parts, documents: 3_000, executor: Self.executor))
      .index
    let whole = try SampleIndex(all).index
    #expect(merged.termCount == whole.termCount)
    for word in vocabulary {
      let term = Array(word.utf8)
      let hits = try merged.hits(word: term, in: .anywhere, without: DocumentMask())
      #expect(hits == (try whole.hits(word: term, in: .anywhere, without: DocumentMask())))
    }
    #expect(try merged.statistics() == whole.statistics())
    // Each release that reads this version expects a checksum of eight bytes for 16 KB, and a header that
    // ends with zeros and its own checksum.
    let layout = whole.pages.layout
    #expect(layout.sums.count == (layout.pages.count + 16_383) / 16_384 * 8)
    #expect(try SampleIndex(Array(all[..<5])).bytes[64..<80].allSatisfy { $0 == 0 })
  }

  @Test func `a damaged index is not merged`() throws {
    let documents = [SampleDocument(texts: [(.body, Array("some words".utf8))])]
    var bytes = try SampleIndex(documents).bytes
    bytes[bytes.count - 1] ^= 1
    let source = RenumberedIndex(try SampleIndex(bytes: bytes).index, numbers: [0])
    #expect(throws: DamagedBytes.self) { try TextIndex.merged([source], documents: 1) }
  }
}
