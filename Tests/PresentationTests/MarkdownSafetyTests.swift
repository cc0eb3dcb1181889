import Presentation
import Testing

private let styles = [
  Style.plain, Style(colour: false, unicode: false, hyperlinks: false),
  Style(colour: true, unicode: true, hyperlinks: true),
  Style(colour: true, unicode: false, hyperlinks: false),
  Style(colour: false, unicode: true, hyperlinks: true),
]

/// Takes the sequences away that the renderer may write; nil where one is of another form.
private func withoutOwnSequences(_ text: String) -> [Unicode.Scalar]? {
  var rest: [Unicode.Scalar] = []
  let scalars = Array(text.unicodeScalars)
  var index = 0
  while index < scalars.count {
    guard scalars[index].value == 0x1B else {
      rest.append(scalars[index])
      index += 1
      continue
    }
    guard index + 1 < scalars.count else { return nil }
    var end = index + 2
    if scalars[index + 1] == "[" {
      while end < scalars.count, scalars[end] == ";" || ("0"..."9").contains(scalars[end]) { end += 1 }
      guard end < scalars.count, scalars[end] == "m" else { return nil }
    } else {
      guard scalars[(index + 1)...].starts(with: "]8;;".unicodeScalars) else { return nil }
      while end < scalars.count, (0x21...0x7E).contains(scalars[end].value) { end += 1 }
      guard end + 1 < scalars.count, scalars[end].value == 0x1B, scalars[end + 1] == "\\" else { return nil }
      end += 1
    }
    index = end + 1
  }
  return rest
}

@Suite struct MarkdownSafetyTests {
  @Test func nothingInANoteReachesTheTerminal() {
    var samples = Samples(seed: 11)
    for round in 0..<1500 {
      let markdown = round % 3 == 0 ? samples.bytes(80) : samples.markdown(40)
      let width = Int.random(in: 0...60, using: &samples)
      for style in styles {
        let text = MarkdownRendering.terminal(markdown[...], width: width, style: style)
        if !style.colour && !style.hyperlinks { #expect(!text.utf8.contains(0x1B)) }
        let rest = withoutOwnSequences(text)
        #expect(rest != nil, "\(markdown)")
        for scalar in rest ?? [] where scalar != "\n" {
          let value = scalar.value
          let isControl = value < 0x20 || (0x7F...0x9F).contains(value) || (0x202A...0x202E).contains(value)
          if isControl { Issue.record("\(value) in \(markdown)") }
        }
        #expect(text.isEmpty || text.utf8.last == 0x0A)
      }
    }
  }

  @Test func coloursChangeNoText() {
    var samples = Samples(seed: 12)
    for _ in 0..<500 {
      let markdown = samples.markdown(30).filter { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "~") }
      let plain = MarkdownRendering.terminal(markdown[...], width: 40, style: .plain)
      let colour = Style(colour: true, unicode: true, hyperlinks: false)
      let rich = MarkdownRendering.terminal(markdown[...], width: 40, style: colour)
      #expect(withoutOwnSequences(rich) == Array(plain.unicodeScalars), "\(markdown)")
    }
  }

  @Test(arguments: [
    String(repeating: ">", count: 50_000) + "a\n" + String(repeating: "b\n", count: 50_000),
    "a " + String(repeating: "<![CDATA[", count: 50_000), "a\t" + String(repeating: "<?", count: 50_000),
    String(repeating: "a|", count: 20_000) + "\n" + String(repeating: "-|", count: 20_000) + "\n"
      + String(repeating: "a\n", count: 20_000),
    String(repeating: "a|a\n-|-|-\n", count: 30_000),
    "[a]: " + String(repeating: "x", count: 100_000) + "\n\n" + String(repeating: "[a] ", count: 20_000),
    String(repeating: "[", count: 100_000), String(repeating: "![l", count: 50_000),
    String(repeating: "*a **a ", count: 20_000),
    String(repeating: "[[", count: 100_000), String(repeating: "#", count: 200_000),
    String(repeating: "https://", count: 50_000),
    "https://" + String(repeating: ")", count: 200_000), "a" + String(repeating: "\u{301}", count: 100_000),
    String(repeating: "- ", count: 20_000) + "a", String(repeating: "`a``", count: 50_000),
    String(repeating: "x", count: 500_000),
  ])
  func hostileTextIsShownInTime(markdown: String) {
    let clock = ContinuousClock()
    let time = clock.measure {
      let text = MarkdownRendering.terminal(Array(markdown.utf8)[...], width: 80, style: .plain)
      #expect(text.utf8.count < markdown.utf8.count * 4 + 1000)
      #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0A })
    }
    #expect(time < .seconds(20))
  }
}
