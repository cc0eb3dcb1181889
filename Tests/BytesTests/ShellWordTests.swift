import Bytes
import SlipboxTesting
import Testing

@Suite struct ShellWordTests {
  private static let words: [[UInt8]] = [
    Array("plain/a-b_c.md".utf8), Array("two words".utf8), Array("$(touch PWN) `id` \"q\" !x".utf8),
    Array("it's $HOME".utf8), Array("-dash".utf8), [], Array("~root".utf8), Array("*?[a]{b,c}".utf8),
    Array("new\nline\ttab\u{1B}[31m".utf8), [0x61, 0xFF, 0x27, 0x5C, 0x0D], Array("\u{202E}żółw\u{9B}".utf8),
    Array("żółw 日本".utf8), Array("a=b;c&d|e<f>g#h".utf8),
  ]

  @Test func shellsReadTheWordBack() throws {
    for word in Self.words {
      let quoted = ShellWord.quoted(word)
      for scalar in quoted.unicodeScalars {
        #expect(scalar.value >= 0x20 && scalar.properties.generalCategory != .control, "\(quoted)")
        #expect(scalar.properties.generalCategory != .format, "\(quoted)")
      }
      let shells = quoted.hasPrefix("$'") ? ["bash"] : ["bash", "sh"]
      for shell in shells {
        let ran = try run(
          "sh",
          ["-c", "exec \(shell) -c \"$1\" | od -An -v -tx1 | tr -d ' \\n'", "sh", "printf %s \(quoted)"])
        let hex = word.map { (($0 < 16 ? "0" : "") + String($0, radix: 16)) }.joined()
        #expect(ran.output == hex && ran.errors == "", "\(shell): \(quoted)")
      }
    }
  }

  @Test func plainWordsStayAsTheyAre() {
    #expect(ShellWord.quoted("2026/11/a-b.md") == "2026/11/a-b.md")
    #expect(ShellWord.quoted("a b") == "\"a b\"")
    #expect(ShellWord.quoted("") == "\"\"")
  }
}
