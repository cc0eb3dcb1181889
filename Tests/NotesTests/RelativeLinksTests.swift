import Testing

@testable import Notes

/// Links that begin at the folder of their note, for a note in another folder.
@Suite struct RelativeLinksTests {
  @Test(arguments: [
    ("a/b", "2026/11", "[x](c.md)", "[x](../../a/b/c.md)"),
    ("a/b", "a", "[x](c.md)", "[x](b/c.md)"),
    ("a", "a/b", "[x](c.md#Head)", "[x](../c.md#Head)"),
    ("", "2026/11", "[x](c.md \"Title\")", "[x](../../c.md \"Title\")"),
    ("a/b", "", "[x](../c.md)", "[x](a/c.md)"),
    ("a/b", "a/d", "![x](<my pic.png>)", "![x](<../b/my pic.png>)"),
    ("a/b", "d", "[x]: ./c.md", "[x]: ../a/b/c.md"),
    ("my notes (old)", "d", "[x](c%20d.md)", "[x](../my%20notes%20%28old%29/c%20d.md)"),
    ("a", "b", "[c.md](c.md)", "[c.md](../a/c.md)"),
    ("a", "b", "[x](/c.md)", "[x](/c.md)"), ("a", "b", "[[c]]", "[[c]]"), ("a", "b", "[x](#h)", "[x](#h)"),
    ("a", "b", "[x](https://x.org/c.md)", "[x](https://x.org/c.md)"),
    ("a", "b", "`[x](c.md)`", "`[x](c.md)`"),
    ("a/b", "c", "[x](../../../d.md)", "[x](../../../d.md)"),
  ])
  func rewrites(_ old: String, _ new: String, _ text: String, _ rewritten: String) {
    let links = RelativeLinks(from: Array(old.utf8), to: Array(new.utf8))
    var bytes = Array(text.utf8)
    for link in BodyScan(NoteText(bytes)).links.reversed() where links.file(of: link) != nil {
      guard let change = links.change(of: link, in: bytes) else { continue }
      bytes.replaceSubrange(change.range, with: change.target)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == rewritten)
  }
}
