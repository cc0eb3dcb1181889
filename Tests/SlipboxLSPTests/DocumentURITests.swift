import Testing

@testable import SlipboxLSP

struct DocumentURITests {
  @Test(arguments: [
    ("file:///a/b.md", "/a/b.md"), ("file:///a%20b/%C3%BC.md", "/a b/ü.md"), ("FILE:///a", "/a"),
    ("file://localhost/a", "/a"), ("file:///a%2Fb", "/a/b"), ("file:///100%", "/100%"),
    ("file:///a?x#y", "/a"),
  ])
  func anAddressIsAPath(uri: String, path: String) {
    #expect(DocumentURI.path(uri) == Array(path.utf8))
  }

  @Test(arguments: ["untitled:Untitled-1", "http://x/a", "file://server/a", "file:", "", "file:///a%00b"])
  func anyOtherAddressIsNone(uri: String) { #expect(DocumentURI.path(uri) == nil) }

  @Test(arguments: ["/a b/ü?#%[x].md", "/\u{1F600}/e\u{301}", "/a/../b", "/"])
  func aPathIsReadBack(path: String) {
    let uri = DocumentURI.uri(Array(path.utf8))
    #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#[]".utf8.contains($0) })
    #expect(DocumentURI.path(uri) == Array(path.utf8))
  }
}
