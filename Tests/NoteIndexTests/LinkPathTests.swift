import Testing

@testable import NoteIndex

struct LinkPathTests {
  @Test(arguments: [
    ("a.md", "", "a.md"), ("a.md", "x/y", "x/y/a.md"), ("./a.md", "x", "x/a.md"),
    ("../a.md", "x/y", "x/a.md"),
    ("../../a.md", "x/y", "a.md"), ("b/../a.md", "x", "x/a.md"), ("b/./c/a.md", "", "b/c/a.md"),
    ("//b//a.md/", "x//y/", "x/y/b/a.md"), ("../b/..//../a", "x/y/z", "x/a"), ("...", "x", "x/..."),
    (".a", "", ".a"), ("..a/b", "", "..a/b"), ("\u{E9}/\u{65}\u{301}", "", "\u{E9}/\u{65}\u{301}"),
  ])
  func isNormalised(path: String, folder: String, expected: String) {
    #expect(LinkPath.normalised(Array(path.utf8), from: Array(folder.utf8)[...]) == Array(expected.utf8))
  }

  @Test(arguments: [
    ("", ""), ("", "x"), (".", "x"), ("..", "x/y"), ("a/.", "x"), ("a/..", "x"), ("/", "x"), ("./", "x"),
    ("../a", ""), ("../../a", "x"), ("a/../../b", ""), ("../../x/a", "x"),
  ])
  func leadsOutOrToAFolder(path: String, folder: String) {
    #expect(LinkPath.normalised(Array(path.utf8), from: Array(folder.utf8)[...]) == nil)
  }
}
