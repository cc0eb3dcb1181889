/// Random text that is the same in every run.
struct Samples: RandomNumberGenerator {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  /// Pieces that mean something in Markdown, on a terminal, or nowhere.
  private static let pieces: [String] = [
    "# ", "\n", "\n\n", "- ", "  ", "    ", "1. ", "> ", "```\n", "~~~", "*", "**", "_", "~~", "`", "[", "]",
    "](", ")", "![", "[[", "]]", "#tag",
    "<", ">", "<!--", "-->", "<br>", "<div>", "<?", "| a | b |\n|---|:-:|\n| ", "|", "---\n", "===\n",
    "- [ ] ", "- [x] ", "https://example.com/x", "[a]: /url\n", "\\",
    "word", "日本語", "👩‍💻", "żółw", "שלום", "\u{1B}[31m", "\u{1B}]8;;http://evil\u{7}", "\u{9B}", "\u{202E}",
    "\u{0}", "\t", "\r", "\r\n", "&#27;", "&#x9b;", "&lt;", "http://a\u{1B}b",
  ]

  /// Markdown of up to `count` pieces, now and then with broken bytes.
  mutating func markdown(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...count, using: &self) {
      if Int.random(in: 0..<20, using: &self) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &self))
      } else {
        bytes += (Self.pieces.randomElement(using: &self) ?? "").utf8
      }
    }
    return bytes
  }

  /// Any bytes at all.
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
