import Bytes
import Testing

@Suite struct SumTests {
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
    ] as [(String, UInt64)])
  func checksumIsTheKnownOne(text: String, sum: UInt64) {
    #expect(Array(text.utf8).withUnsafeBytes { Checksum.of($0) } == sum)
  }

  @Test func `sums tell apart what differs in any place`() {
    let bytes = (0..<100).map { UInt8($0) }
    var sums: Set<UInt64> = []
    for count in 0...100 { sums.insert(bytes[..<count].withUnsafeBytes { Checksum.of($0) }) }
    for offset in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[offset] ^= 1 << UInt8(bit)
        sums.insert(changed.withUnsafeBytes { Checksum.of($0) })
      }
    }
    #expect(sums.count == 101 + 800)
  }

  @Test(arguments: [1, 7, 64, 100, 1_000]) func `pieces of any length make the sums of their blocks`(
    length: Int
  ) {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var expected: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 64) {
      let block = bytes[start..<min(start + 64, bytes.count)]
      expected.append(little: block.withUnsafeBytes { Checksum.of($0) })
    }
    var sums = BlockSums(blockLength: 64)
    for start in stride(from: 0, to: bytes.count, by: length) {
      sums.add(Array(bytes[start..<min(start + length, bytes.count)]))
    }
    #expect(sums.finished() == expected)
  }
}

@Suite struct SHA256Tests {
  /// Source: NIST, "Secure Hash Algorithm Validation System", and FIPS 180-4, examples.
  @Test(
    arguments: [
      ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
      ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
      ),
    ])
  func digestIsTheKnownOne(text: String, digest: String) {
    #expect(Base64.encoded(SHA256.digest(of: Array(text.utf8))) == digest)
  }

  @Test func aMillionLettersAreDigested() {
    let digest = SHA256.digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
    #expect(Base64.encoded(digest) == "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=")
  }

  /// Source: RFC 4648, section 10.
  @Test(
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func lettersAreTheKnownOnes(text: String, letters: String) {
    #expect(Base64.encoded(Array(text.utf8)) == letters)
  }
}
