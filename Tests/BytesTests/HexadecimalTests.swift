import Bytes
import Testing

@Suite struct HexadecimalTests {
  private static let all = Array(UInt8.min...UInt8.max)

  @Test func allBytesComeBack() {
    let text = Hexadecimal.text(Self.all)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect(Hexadecimal.bytes(text) == Self.all && Hexadecimal.bytes(text.uppercased()) == Self.all)
  }

  @Test(arguments: ["0", "abc", "0g", "+1", "-1", " 1", "é"]) func whatIsNoNumberIsNone(_ text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }

  @Test func allBytesOfAddressesComeBack() {
    let encoded = PercentEncoding.encoded(Self.all)
    #expect(encoded.allSatisfy { $0 == UInt8(ascii: "%") || PercentEncoding.isUnreserved($0) })
    #expect(PercentEncoding.decoded(encoded) == Self.all)
    #expect(PercentEncoding.strictlyDecoded(encoded) == Self.all)
    #expect(PercentEncoding.decoded("plain é".utf8) == Array("plain é".utf8))
    #expect(PercentEncoding.encoded("a b/é~".utf8) == Array("a%20b%2F%C3%A9~".utf8))
    #expect(PercentEncoding.encoded("a b/c".utf8) { $0 != 0x20 } == Array("a%20b/c".utf8))
  }

  @Test(arguments: ["%", "a%", "%4", "%4g", "%+4", "100 %", "%%41"]) func aSignWithoutDigitsStandsForItself(
    _ text: String
  ) {
    #expect(PercentEncoding.strictlyDecoded(text.utf8) == nil)
    let expected = text == "%%41" ? "%A" : text
    #expect(PercentEncoding.decoded(text.utf8) == Array(expected.utf8))
  }
}
