import Bytes
import Testing
import Text

@Suite struct ByteTextTests {
  private static let samples: [[UInt8]] = [
    [], Array("żółw/日本.md".utf8), [0xFF], [0x61, 0xFE, 0x2F, 0xC3], [0xED, 0xA0, 0x80],
    Array("\u{10FEFF}\u{10FE80}".utf8),
    [0xF4, 0x8F, 0xBB], Array(0...255),
  ]

  @Test func noByteIsLost() {
    for bytes in Self.samples { #expect(ByteText.bytes(of: ByteText.text(of: bytes)) == bytes) }
  }

  @Test func textIsLeftAsItIs() {
    #expect(ByteText.text(of: Array("żółw \u{10FE7F}".utf8)) == "żółw \u{10FE7F}")
    #expect(!ByteText.holdsBytes("żółw \u{10FE7F}"))
    #expect(Visible.escape(ByteText.text(of: [0x61, 0xFF])) == "a\\xff")
  }
}
