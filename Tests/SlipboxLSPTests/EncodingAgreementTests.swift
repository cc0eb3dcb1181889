import SlipboxTesting
import Testing

@testable import SlipboxLSP

/// The same places in every encoding of positions, whatever the text.
struct EncodingAgreementTests {
  private static let pieces = [
    "[[Ada]]", "[[Ada#Notes]]", "[her](ada.md)", "#people", "#café", "😀", "e\u{301}", "👩‍👩‍👧", "\r\n", "\n", " ",
    "# One", "## 二", "\n\n", "[[Nobody]]", "`code`", "\n```\n", "[[Bob|😀 b]]", "- [ ] x", "\u{FEFF}", "\0",
    "[a][b]", "\n[b]: ada.md\n", "![[Ada]]", "[[#One]]", "]]", "[[", "\r", "(", "&amp;", "\u{202E}",
  ]
  private static let heads = [
    "", "---\ntitle: Ä 😀\ntags: [ä, 😀x]\n---\n",
    "---\r\nkind: task\r\ngroup: Garden\r\ndue: 2026-11-27\r\n---\r\n",
    "---\ngroup: [\n---\n", "---\nkind: task\ndepends: \"Weed, 😀\"\ntags: ä, b\n---\n", "---\nx: |\n  😀\n",
  ]

  private static func text(seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    let head = heads.randomElement(using: &random) ?? ""
    return head + (0..<24).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  /// The answer to a request with every position as an offset in bytes.
  private static func offsets(_ value: JSONValue, _ lines: [String: LineTable], _ uri: String) -> JSONValue {
    switch value {
    case .object(let members):
      let own = members["uri"]?.string ?? members["targetUri"]?.string ?? uri
      if let position = TestServer.position(value), let table = lines[own] {
        return .integer(table.offset(of: position))
      }
      return .object(members.mapValues { offsets($0, lines, own) })
    case .array(let elements): return .array(elements.map { offsets($0, lines, uri) })
    default: return value
    }
  }

  @Test func allEncodingsAgreeAndNothingFails() throws {
    let servers = try PositionEncoding.allCases.map { try TestServer(smallBox, capabilities($0)) }
    for seed in 0..<60 {
      let text = Self.text(seed: UInt64(seed))
      var answers: [[JSONValue]] = []
      for server in servers {
        let document = try server.open("new.md", text)
        let bob = LineTable(try #require(server.folder.read("bob.md")), server.client.encoding)
        let ada = LineTable(try #require(server.folder.read("ada.md")), server.client.encoding)
        let tables = [
          server.uri("new.md"): document.lines, server.uri("ada.md"): ada, server.uri("bob.md"): bob,
        ]
        var random = SplitMix64(seed: UInt64(seed) + 1_000)
        var own: [JSONValue] = []
        for _ in 0..<4 {
          var offset = Int.random(in: 0...document.bytes.count, using: &random)
          while offset > 0, offset < document.bytes.count, document.bytes[offset] & 0xC0 == 0x80 {
            offset -= 1
          }
          let position = document.lines.position(of: offset)
          for method in ShowingTests.methods where !method.contains("semanticTokens") {
            let answer = try ShowingTests.ask(server, method, "new.md", position)
            let shown = Self.offsets(answer, tables, server.uri("new.md"))
            own.append(Self.withoutFolder(shown, server.folder.path))
          }
        }
        answers.append(own)
      }
      #expect(answers[0] == answers[1], "seed \(seed)")
      #expect(answers[0] == answers[2], "seed \(seed)")
    }
  }

  private static func withoutFolder(_ value: JSONValue, _ folder: String) -> JSONValue {
    switch value {
    case .object(let members): .object(members.mapValues { withoutFolder($0, folder) })
    case .array(let elements): .array(elements.map { withoutFolder($0, folder) })
    case .string(let text): .string(text.split(separator: folder, omittingEmptySubsequences: false).joined())
    default: value
    }
  }

  @Test(arguments: [
    "\u{FEFF}---\r\ntitle: x\r\n---\r\n[[Ada]]\r\n", "---\n", "---\n---\n", "---\ntags:\n---\n", "[[", "[[]]",
    "[]()",
    "#", "######", "```", "[a]: ", "[a]:\n[a][]\n", "---\nkind: task\ngroup: [[[\n---\n", "\0\0[[Ada]]",
    "---\nkind: task\ngroup: {a: b}\n---\n", "---\nkind: task\ndepends:\n  - \n  - [x]\n---\n",
    "+++\ntitle = \"x\"\ntags = [\"a\"]\n+++\n[[Ada]]", "---\ntags: '#'\n---\n",
    "---\ntags: [\"[[x]]\", \"\\u0041\"]\n---\n",
    "[[Ada#]] [[Ada#^]] [[#]] [[#^]] [[Ada#Notes#]]", "# \n## \n", "[[Ada|]] [[|x]] [[ Ada ]]",
  ])
  func hostileTextsAreAnswered(text: String) throws {
    let server = try TestServer(smallBox)
    let document = try server.open("new.md", text)
    for offset in 0...document.bytes.count {
      let position = document.lines.position(of: offset)
      for method in ShowingTests.methods { _ = try ShowingTests.ask(server, method, "new.md", position) }
    }
  }
}
