import SlipboxTesting
import Testing

@testable import Git

/// The name of a blob with keywords, held against what git itself says.
@Suite struct IdentKeywordTests {
  private static let texts = [
    "$Id$", "$Id: 1$ and $Id: 2 $\n$Id$\n", "$Id: broken\n$ $Id: whole$", "$Identity costs 5$ $Id:x$",
    "$Id:$",
    "$Id", "$$Id$$", "$Id: a$Id: b$", "\r\n$Id: 1$\r\n$Id: 2$\r\n$Ie$ $Id: x\r\n$", "a\r$Id: 1$\r\r\n",
    "$Id: é$\r\n$Id$",
  ]

  @Test func storesWhatGitStores() throws {
    var random = SplitMix64(seed: 7)
    let pieces = ["$", "Id", "Id:", ":", " ", "\n", "\r\n", "\r", "x", "$Id$", "$Id: 1$"]
    let made = (0..<60).map { _ in
      (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
    }
    for (name, rules) in [
      ("a", "* ident"), ("b", "* ident text"), ("c", "* text=auto"), ("d", "* -ident eol=crlf"),
    ] {
      let folder = try TemporaryFolder()
      try folder.git("init", "-q")
      try folder.write(".gitattributes", rules + "\n")
      let repository = try #require(try Repository.discover(from: folder.bytes))
      let texts = Self.texts + made
      for (number, text) in texts.enumerated() { try folder.write("\(name)\(number).md", text) }
      let paths = texts.indices.map { "\(name)\($0).md" }
      let answer = try run("git", ["hash-object"] + paths, in: folder.path).output.split(separator: "\n")
      for (number, text) in texts.enumerated() {
        let id = try repository.conversion.contentID(of: Array(text.utf8), path: Array(paths[number].utf8))
        #expect(id.hex == answer[number], "\(rules): \(text.debugDescription)")
      }
    }
  }
}
