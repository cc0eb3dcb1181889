import SlipboxTesting
import Testing

@testable import Git

/// Names are those that git gives, however the bytes come and whatever the processor has.
@Suite struct SHA1Tests {
  private static func bytes(_ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(count))
    return (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
  }

  @Test func agreesWithTheStandard() {
    let examples = [
      "": "da39a3ee5e6b4b0d3255bfef95601890afd80709", "abc": "a9993e364706816aba3e25717850c26c9cd0d89d",
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
      String(repeating: "a", count: 1_000_000): "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
    ]
    for (text, hash) in examples { #expect(SHA1.hash(Array(text.utf8)).hex == hash) }
  }

  @Test func takesBytesInAnyPieces() {
    var random = SplitMix64(seed: 1)
    for count in Array(0..<200) + [1_000, 4_096, 100_000] {
      let bytes = Self.bytes(count)
      var hash = SHA1()
      var start = 0
      while start < count {
        let end = min(count, start + Int.random(in: 1...150, using: &random))
        bytes[start..<end].withUnsafeBytes { hash.update($0) }
        start = end
      }
      #expect(hash.finish() == SHA1.hash(bytes))
    }
  }

  @Test func isTheSameWithoutTheProcessorsHelp() {
    for count in 0..<300 {
      let bytes = Self.bytes(count)
      var padded = bytes + [0x80]
      while padded.count % 64 != 56 { padded.append(0) }
      for shift in stride(from: 56, through: 0, by: -8) {
        padded.append(UInt8(truncatingIfNeeded: (count * 8) >> shift))
      }
      var state = SHA1State()
      padded.withUnsafeBytes { state.take($0) }
      #expect(state.id == SHA1.hash(bytes))
    }
  }

  @Test func namesBlobsAsGitDoes() throws {
    let test = try TestRepository([:])
    for text in ["", "one\n", String(repeating: "long line\n", count: 5_000)] {
      let result = try run("git", ["hash-object", "--stdin"], in: test.folder.path, input: text)
      #expect(ObjectID(ofBlob: Array(text.utf8)).hex + "\n" == result.output)
    }
  }
}
