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
