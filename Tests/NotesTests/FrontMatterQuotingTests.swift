import Foundation
import SlipboxTesting
import Testing

@testable import Notes

@Suite struct FrontMatterQuotingTests {
  static let plain = [
    "a", "Fix the bug", "it's", "a \"b\"", "a#b", "a:b", "https://x.y/z?q=1", "c++", "a, b", "-foo", "~/x",
    "x~",
    "0001-01-01", "2026-12-01", "2026-11-21T23:59:59.5Z", "2026-11-21T09:30:00-23:59", "1ex", "1.2.3e5",
    "2026-11-21", "2026-11-21T09:30:00+01:00", "2026-11-21T09:30:00Z", "2026-11-21 09:30:00", "4", "-4", "0",
    "123456789012345", "true", "false", "1.2.3", "3d", "2026-11", "v1.0", "e5", "nope", "nulls", "żółw", "😀",
    "(a)",
    "a [b] {c}", "null and void", "yes, please", "on time", "a\u{A0}b", "שלום", "a|b", "100%", "50 % of",
    "<b>", "=x",
  ]

  static let quoted = [
    "", " ", " a", "a ", "a: b", "a:", "a #b", "#a", "- a", "-", "--- a", "---", "...", "? a", "?x", ": a",
    ":a",
    ",a", "[a]", "[[a]]", "{a}", "{{a}}", "]", "}", "&a", "*a", "!a", "|", ">", "'a'", "\"a\"", "%a", "@a",
    "`a`",
    "no", "No", "NO", "yes", "on", "Off", "y", "N", "True", "TRUE", "False", "~", "null", "Null", "NULL", "=",
    "<<",
    "012", "08", "-0", "+4", "1_000", "0x1f", "0o17", "0b101", "1e3", "1E-3", "1.5", ".5", "-.5", "1.",
    "12:30",
    "12:30:45", "1:30.5", ".inf", "-.INF", ".nan", "1234567890123456", "1,000", "2026-02-30", "2026-1-1",
    "0000-01-01", "2026-11-21T25:00:00Z", "2026-11-21 9:30:00",
    "2026-11-21T09:60:00Z", "2026-11-21T09:30:60Z", "2026-11-21T09:30:00+01:60",
    "2026-11-21T09:30:00+24:00", "2026-11-21T09:30:00.Z", "a\tb", "\ta", "a\nb", "a\r\nb", "\n",
    "a\u{7}",
    "\u{1B}[0m", "a\u{85}b", "a\u{2028}b", "a\u{2029}", "\u{FEFF}a", "a\u{FFFE}", "a\u{0}b", "a\u{9F}",
    "\u{7F}",
  ]

  @Test(arguments: plain) func writesPlain(_ text: String) throws {
    #expect(try note("").setting("a", to: .text(text)) == note("a: \(text)\n"))
    try expectRead(text)
  }

  @Test(arguments: quoted) func writesQuoted(_ text: String) throws {
    let changed = try note("").setting("a", to: .text(text))
    #expect(changed.string.hasPrefix("---\na: \""))
    #expect(changed.bytes.filter { $0 == 0x0A }.count == 4)
    try expectRead(text)
  }

  private func expectRead(_ text: String) throws {
    for block in ["", "a: b\n", "a: 'b'\n", "a: \"b\"\n", "a: |\n  b\n"] {
      let changed = try note(block).setting("a", to: .text(text))
      #expect(FrontMatterReading(libyaml: changed).fields.first?.value == .text(text))
      expectAlike(changed)
    }
    for block in ["a: [b, c]\n", "a: ['b', 'c']\n", "a:\n  - b\n  - c\n", "a:\n- \"c\"\n"] {
      let changed = try note(block).adding(text, to: "a")
      #expect(
        FrontMatterReading(libyaml: changed).fields.first?.value.strings.last?.hasSameBytes(as: text) == true)
      expectAlike(changed)
    }
  }

  /// Every text, in every style, as another reader with types of its own sees it.
  @Test(.enabled(if: Machine.succeeds("python3 -c 'import yaml'"), "needs python3-yaml"))
  func anotherReaderSeesTheSameTexts() throws {
    let script = """
      import sys, json, yaml, datetime
      texts = json.loads(sys.stdin.readline())
      block = yaml.safe_load(sys.stdin.read())
      bad = []
      for i, text in enumerate(texts):
        for seen in [block['p%d' % i], block['s%d' % i], block['l'][i], block['f'][i]]:
          if isinstance(seen, bool): seen = 'true' if seen else 'false'
          elif isinstance(seen, int): seen = str(seen)
          elif isinstance(seen, (datetime.date, datetime.datetime)): seen = text
          if seen != text: bad.append([text, repr(seen)])
      print(json.dumps(bad))
      """
    let texts = Self.plain + Self.quoted
    var text = note("l: \n- b\nf: [b]\n")
    for (index, value) in texts.enumerated() {
      text = try text.setting("p\(index)", to: .text(value))
      text = try text.setting("s\(index)", to: .text("old"))
    }
    text = NoteText(text.string.replacingOccurrences(of: ": old\n", with: ": 'old'\n"))
    for (index, value) in texts.enumerated() { text = try text.setting("s\(index)", to: .text(value)) }
    let all = FieldValue.list(texts.map(FieldValue.text))
    text = try text.setting("l", to: all).setting("f", to: all)
    let names = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
    let block = String(decoding: text.bytes[try #require(text.frontMatter)], as: UTF8.self)
    let result = try run("python3", ["-c", script], input: names + "\n" + block)
    #expect(result.output == "[]\n", "\(result.errors)")
  }
}
