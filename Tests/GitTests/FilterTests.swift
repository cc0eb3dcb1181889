import Foundation
import Git
import SlipboxTesting
import Testing

/// Blobs are what git itself would store.
@Suite struct FilterTests {
  static let texts: [String] = [
    "plain\n", "crlf\r\nfile\r\n", "mixed\r\nends\n", "lone\rcr\n", "\0binary\r\n", "", "\r\n", "$Id$\n",
    "$Id: abc$\r\n",
    "no end\r\nlast", "\u{FEFF}bom\r\n",
  ]

  @Test func storesWhatGitStores() throws {
    let attributes = [
      "", "* text=auto", "* text", "* -text", "* eol=crlf", "* eol=lf", "* text=auto eol=crlf", "* ident",
    ]
    for attribute in attributes {
      for setting in ["false", "true", "input"] {
        let test = try TestRepository([:], settings: ["core.autocrlf": setting, "core.safecrlf": "false"])
        try test.folder.write(".gitattributes", attribute + "\n")
        for (number, text) in Self.texts.enumerated() { try test.folder.write("\(number).md", text) }
        let names = Self.texts.indices.map { "\($0).md\n" }.joined()
        let expected = try test.git("hash-object", "--stdin-paths", input: names).split(separator: "\n")
        for (number, text) in Self.texts.enumerated() {
          let path = Array("\(number).md".utf8)
          let id = try test.repository.conversion.contentID(of: Array(text.utf8), path: path)
          #expect(id.hex == expected[number], "\(attribute) \(setting) \(text.debugDescription)")
          #expect(try test.repository.conversion.writeBlob(Array(text.utf8), path: path) == id)
        }
      }
    }
  }

  @Test func keepsReturnsThatTheIndexHas() throws {
    let test = try TestRepository([:])
    try test.folder.write("a.md", "one\r\n")
    try test.git("add", "a.md")
    try test.git("commit", "-q", "-m", "x")
    try test.git("config", "core.autocrlf", "true")
    try test.change("a.md", "two\r\n")
    try test.verify()
    #expect(try test.git("cat-file", "blob", "HEAD:a.md") == "two\r\n")
    try test.change("b.md", "new\r\n")
    #expect(try test.git("cat-file", "blob", "HEAD:b.md") == "new\n")
    try test.verify()
  }

  @Test func staysCleanWithConvertedEnds() throws {
    let test = try TestRepository([:])
    try test.change("b.md", "read the attributes once\n")
    try test.change(".gitattributes", "*.md text eol=crlf\n")
    try test.change([Array("a.md".utf8): "one\r\ntwo\r\n", Array("d/b.md".utf8): "lf\n"])
    try test.verify()
    #expect(try test.git("cat-file", "blob", "HEAD:a.md") == "one\ntwo\n")
  }

  @Test func refusesProgramsAndEncodings() throws {
    let test = try TestRepository()
    try test.folder.write(
      ".gitattributes",
      "*.bin filter=lfs\n*.crypt filter=git-crypt\n*.u16 working-tree-encoding=UTF-16\n"
        + "*.u8 working-tree-encoding=utf-8\n*.off -filter\nd/*.md filter=x\n")
    let bytes = Array("x\n".utf8)
    for (path, attribute) in [
      ("a.bin", "filter=lfs"), ("d/a.crypt", "filter=git-crypt"), ("a.u16", "working-tree-encoding=UTF-16"),
      ("d/a.md", "filter=x"),
    ] {
      let path = Array(path.utf8)
      let reason = GitError.Reason.filtered(path: path, attribute: attribute)
      #expect(gitError { try test.repository.conversion.writeBlob(bytes, path: path) }?.reason == reason)
      #expect(gitError { try test.repository.conversion.contentID(of: bytes, path: path) }?.reason == reason)
    }
    for path in ["a.u8", "a.off", "a.md"] {
      #expect(gitError { try test.repository.conversion.writeBlob(bytes, path: Array(path.utf8)) } == nil)
    }
  }

  @Test func worksWithIndexesThatLibgit2CannotRead() throws {
    let test = try TestRepository(IndexTests.files)
    try test.git("sparse-checkout", "set", "--cone", "--sparse-index", "d")
    try test.folder.write(".git/info/attributes", "*.md text=auto\n")
    #expect(!FileManager.default.fileExists(atPath: test.folder.path + "/x/y.md"))
    try test.change("d/c.md", "changed\n")
    try test.change("d/new.md", "new\r\n")
    try test.verify()
    #expect(try test.git("ls-files") == "a.md\nb.md\nd/c.md\nd/e/f.md\nd/new.md\nx/y.md\n")
    let entries = try test.repository.index.entries()
    #expect(entries.filter(\.skipWorktree).map(\.path) == [Array("x/y.md".utf8)])
    #expect(try test.git("cat-file", "blob", "HEAD:d/new.md") == "new\n")
  }

  @Test func readsAttributesThatASparseCheckoutLeavesOut() throws {
    let test = try TestRepository(["a.md": "x\n", "d/.gitattributes": "*.md filter=lfs\n", "d/n.md": "x\n"])
    try test.git("sparse-checkout", "set", "--no-cone", "/a.md", "/d/n.md")
    #expect(!FileManager.default.fileExists(atPath: test.folder.path + "/d/.gitattributes"))
    let repository = try test.reopened()
    let error = gitError { try repository.conversion.writeBlob([65], path: Array("d/n.md".utf8)) }
    #expect(error?.reason == .filtered(path: Array("d/n.md".utf8), attribute: "filter=lfs"))
  }
}
