import Testing

@testable import Notes

@Suite struct ShortcodeTests {
  @Test(arguments: [
    ("{{< ref \"x.md\" >}}", "x.md"), ("{{% relref \"/posts/x\" %}}", "/posts/x"),
    ("{{<ref `a b.md`>}}y", "a b.md"), ("{{< ref x.md >}}", "x.md"),
    ("{{< ref path=\"x.md\" lang=\"de\" >}}", "x.md"),
    ("{{< figure src=\"/x.png\" title=\"A > B\" >}}", "/x.png"),
    ("{{< figure title=\"t\" src=x.png >}}", "x.png"), ("{{< figure title=\"t\" >}}", nil),
    ("{{< ref \"a >}}.md\" >}}", "a >}}.md"), ("{{< ref \"x.md >}}", nil),
    ("{% link _posts/x.md %}", "_posts/x.md"), ("{%link /a/x.pdf%}", "/a/x.pdf"),
    ("{% post_url 2010-07-21-name %}", "2010-07-21-name"), ("{% include x.md %}", nil),
    ("{{</* ref \"x.md\" */>}}", nil), ("{{< youtube x >}}", nil), ("{{ ref \"x.md\" }}", nil),
    ("{{< link x.md >}}", nil), ("{% ref x.md %}", nil), ("{{<", nil), ("{{< >}}", nil), ("{%%}", nil),
    ("{{< ref\n\"x.md\" >}}", nil), ("{{< ref \"\" >}}", nil), ("{{< ref = >}}", nil),
  ]) func namesOneFile(text: String, target: String?) {
    let bytes = Array(text.utf8)
    let found = bytes.withUnsafeBufferPointer { Shortcode($0, at: 0, to: bytes.count)?.target }
    #expect(found.map { String(decoding: bytes[$0], as: UTF8.self) } == target)
  }

  @Test(arguments: [
    ("{{< ref \"x\" >}}", true), ("{{< relref \"x\" >}}", true), ("{% link x.md %}", true),
    ("{% post_url x %}", true), ("{{< figure src=\"x.png\" >}}", false),
  ]) func `names a page or a picture`(_ text: String, _ isPage: Bool) {
    let bytes = Array(text.utf8)
    let code = bytes.withUnsafeBufferPointer { Shortcode($0, at: 0, to: bytes.count) }
    #expect(code?.isPageReference == isPage)
  }

  @Test func `other links are no page references`() {
    let links = BodyScan(NoteText(Array("[a](b.md) [[c]] <img src='d.png'>\n".utf8))).links
    #expect(links.map(\.isPageReference) == [false, false, false])
  }
}
