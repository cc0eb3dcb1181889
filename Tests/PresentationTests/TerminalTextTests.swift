import Presentation
import Testing

@Suite struct TerminalTextTests {
  private func shown(_ text: String) -> String {
    String(decoding: TerminalText.spellingOut(Array(text.utf8)), as: UTF8.self)
  }

  @Test func ourOwnSequencesStay() {
    let style = Style(colour: true, unicode: true, hyperlinks: true)
    for text in [
      style.bold("a") + style.link("b", to: "https://x.org/é") + "\n\tc", style.red("żółw"),
      "\u{1B}[0;1;38;5;7m",
    ] { #expect(shown(text) == text) }
  }

  @Test func allOthersAreSpeltOut() {
    let rows = [
      ("\u{1B}]0;x\u{7}", "\\x1b]0;x\\x07"), ("\u{1B}[2J", "\\x1b[2J"), ("\u{1B}", "\\x1b"),
      ("a\u{1B}[", "a\\x1b["),
      ("\u{9B}31m", "\\u009b31m"), ("\u{202E}", "\\u202e"), ("a\rb\r\n", "a\\x0db\n"),
      ("\u{1B}]8;;https://x\u{7}", "\\x1b]8;;https://x\\x07"),
      ("\u{1B}]8;;a b\u{1B}\\", "\\x1b]8;;a b\\x1b\\"),
      (
        "\u{1B}[" + String(repeating: "1;", count: 40) + "m",
        "\\x1b[" + String(repeating: "1;", count: 40) + "m"
      ),
    ]
    for (text, expected) in rows { #expect(shown(text) == expected) }
    #expect(TerminalText.spellingOut([0x61, 0xFF]) == Array("a\\xff".utf8))
  }

  /// Texts whose tree would be hundreds of times their size are shown as they are written.
  @Test func manyShortLinesAreShownAsTheyAreWritten() {
    let lines = String(repeating: "*a*\n", count: 250_000)
    #expect(MarkdownRendering.terminal(Array(lines.utf8)[...], width: 80, style: .plain) == lines)
  }
}
