import Bytes
import Testing

@Suite struct StringTests {
  @Test(arguments: [
    ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
    ("\u{0}\u{1F}\u{7F}\u{85}", #""\u0000\u001f\u007f\u0085""#),
    ("\u{2028}x\u{202E}\u{2066}", #""\u2028x\u202e\u2066""#), ("żółw 日本 😀", #""żółw 日本 😀""#),
  ])
  func jsonStringsAreEscaped(text: String, expected: String) {
    #expect(JSONString.quoted(text) == expected)
  }

  @Test func bytesThatAreNoTextBecomeReplacementCharacters() {
    var result: [UInt8] = []
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    JSONString.appendQuoted(bytes.span, to: &result)
    #expect(String(decoding: result, as: UTF8.self) == "\"a\u{FFFD}b\"")
  }

  @Test func bytesAreComparedAsGitDoes() {
    let words = ["", "a", "a/b", "ab", "b", "ż"].map { Array($0.utf8) }
    for (left, one) in words.enumerated() {
      for (right, other) in words.enumerated() {
        let order = one.withUnsafeBytes { one in other.withUnsafeBytes { ByteOrder.compare(one, $0) } }
        #expect(order.signum() == (left - right).signum(), "\(one) \(other)")
      }
    }
  }

  @Test func asciiIsTold() {
    for count in 0..<70 {
      var bytes = [UInt8](repeating: 0x7F, count: count)
      #expect(bytes.withUnsafeBytes { ASCII.isAll($0) })
      guard count > 0 else { continue }
      for offset in bytes.indices {
        bytes[offset] = 0x80
        #expect(!bytes.withUnsafeBytes { ASCII.isAll($0) })
        bytes[offset] = 0
      }
    }
  }
}
