import Bytes
import Testing

@Suite struct BytePathTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: [
    ("a/b/../c.md", "a/c.md"), ("./a//b", "a/b"), ("a/..", ""), ("/a/../../b", "/b"),
  ])
  func normalises(_ path: String, _ expected: String) {
    #expect(BytePath.normalised(bytes(path)) == bytes(expected))
  }

  @Test func doesNotLeaveARelativeFolder() { #expect(BytePath.normalised(bytes("a/../../b")) == nil) }

  @Test func knowsWhatIsBelow() {
    #expect(BytePath.relative(bytes("/box/a.md"), to: bytes("/box")) == bytes("a.md"))
    #expect(BytePath.relative(bytes("/boxes/a.md"), to: bytes("/box")) == nil)
    #expect(BytePath.relative(bytes("/box"), to: bytes("/box")) == [])
  }

  @Test func takesPathsApart() {
    #expect(BytePath.folder(of: bytes("a/b.md")) == bytes("a"))
    #expect(BytePath.folder(of: bytes("b.md")) == [])
    #expect(BytePath.folder(of: bytes("/b")) == bytes("/"))
    #expect(BytePath.folder(of: bytes("/")) == [])
    for path in ["/a//b", "//", "///a", "a//", "./..", "/./a/"] {
      var (folder, steps) = (bytes(path), 0)
      while !folder.isEmpty, steps < 20 { (folder, steps) = (BytePath.folder(of: folder), steps + 1) }
      #expect(folder.isEmpty, "\(path)")
    }
    #expect(BytePath.name(of: bytes("a/b.md")) == bytes("b.md"))
  }

  @Test func joinsWithOneSlash() {
    #expect(bytes("/box") / "a.md" == bytes("/box/a.md"))
    #expect(bytes("/") / bytes("a.md") == bytes("/a.md"))
    #expect(bytes("/box") / bytes("/other") == bytes("/other"))
    #expect(bytes("a") / "" == bytes("a/") && bytes("a/") / "" == bytes("a/") && [] / "" == [])
    #expect(BytePath.join([], bytes("a")) == bytes("a") && BytePath.join(bytes("a"), []) == bytes("a"))
  }

  @Test func lendsACString() {
    #expect(bytes("a/ż").withCPath { String(cString: $0) } == "a/ż")
    #expect([].withCPath { String(cString: $0) } == "")
  }
}
