import Bytes
import Testing

@testable import NoteIndex

/// Bytes that are not as they were written: an error or the right answer, and never harm.
@Suite struct DamagedBytesTests {
  private static func documents(_ count: Int) -> [SampleDocument] {
    var random = SplitMix64(seed: 31)
    return (0..<count).map { _ in SampleDocument.random(&random) }
  }

  private static let patterns: [TextPattern] = ["a", "zolw", "日本", "ab a", "a b", "nothing", "1"].flatMap {
    text in
    [false, true].compactMap { WordPattern(Array(text.utf8), isPrefix: $0).map(TextPattern.words) }
  }

  /// Asks an index everything; nil where it says that it is damaged.
  private static func answers(_ bytes: [UInt8], padding: Int = 0) throws -> [TextMatches]? {
    do {
      let index = try SampleIndex(bytes: bytes, padding: padding).index
      var answers: [TextMatches] = []
      for pattern in patterns { answers.append(try index.find(pattern)) }
      for entry in try index.dictionary.entries(containing: ByteSearch([0x61])) {
        let cursor = try PostingCursor(index.pages, entry)
        while cursor.document != PostingCursor.none {
          _ = try cursor.places()
          _ = try index.lengths(of: cursor.document)
          try cursor.advance()
        }
      }
      return answers
    } catch is DamagedBytes {
      return nil
    }
  }

  @Test func `every changed byte is noticed or does not matter`() throws {
    let bytes = try SampleIndex(Self.documents(30)).bytes
    let expected = try #require(try Self.answers(bytes))
    for offset in bytes.indices {
      var damaged = bytes
      damaged[offset] ^= 1 << UInt8(offset % 8)
      let answers = try Self.answers(damaged)
      #expect(answers == nil || answers == expected, "\(offset)")
    }
  }

  @Test func `cut and lengthened bytes are noticed`() throws {
    let bytes = try SampleIndex(Self.documents(5)).bytes
    for count in 0..<bytes.count where count % 7 == 0 || count < 200 {
      #expect(try Self.answers(Array(bytes[..<count])) == nil)
    }
    #expect(try Self.answers(bytes + [0]) == nil)
    #expect(try Self.answers([]) == nil)
  }

  /// The same bytes with sums that hold again.
  private static func summed(_ bytes: [UInt8]) -> [UInt8]? {
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { buffer in
      func store(_ sum: UInt64, _ offset: Int) {
        buffer.storeBytes(of: sum.littleEndian, toByteOffset: offset, as: UInt64.self)
      }
      func sum(_ range: Range<Int>) -> UInt64 { Checksum.of(UnsafeRawBufferPointer(rebasing: buffer[range])) }
      guard let layout = IndexLayout(unchecked: UnsafeRawBufferPointer(buffer)) else { return nil }
      for page in 0..<layout.pageCount { store(sum(layout.page(page)), layout.sums.lowerBound + 8 * page) }
      store(sum(layout.sums), 56)
      store(sum(0..<80), 80)
      return Array(buffer)
    }
  }

  @Test func `bytes made to pass every sum do no harm`() throws {
    var random = SplitMix64(seed: 32)
    for (count, rounds) in [(12, 1_500), (400, 150)] {
      let bytes = try SampleIndex(Self.documents(count)).bytes
      let header = IndexLayout.headerSize + 8
      var noticed = 0
      for _ in 0..<rounds {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let isHeader = Int.random(in: 0..<8, using: &random) == 0
          let offset = Int.random(in: isHeader ? 12..<56 : header..<bytes.count, using: &random)
          let edge: [UInt8] = [0, 1, 127, 128, 191, 192, 239, 240, 254, 255]
          damaged[offset] =
            Bool.random(using: &random)
            ? edge.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
        }
        guard let whole = Self.summed(damaged) else { continue }
        if try Self.answers(whole, padding: Int.random(in: 0...9, using: &random)) == nil { noticed += 1 }
      }
      #expect(noticed > rounds / 20)
    }
  }

  @Test func `random bytes are no index`() throws {
    var random = SplitMix64(seed: 33)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(try Self.answers(bytes) == nil)
    }
  }
}
