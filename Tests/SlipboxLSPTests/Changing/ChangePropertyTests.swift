import Notes
import SlipboxCore
import SlipboxTesting
import Testing

@testable import SlipboxLSP

/// Edits of the server, made by an editor, come to what the core makes of the text, and change nothing else.
struct ChangePropertyTests {
  private static let pieces = [
    "word ", "\u{1F600}", "\u{E9}\u{301}", "\u{4E16}\u{754C} ", "#work ", "#work/deep ", "[[Ada Lovelace]] ",
    "[[Ada Lovelace|\u{1F600}]] ", "[x](ada.md) ", "`#work` ", "[[Ada Lovelace#Life]] ",
  ]

  /// A text of random lines with ends of one sort.
  private static func text(_ random: inout SplitMix64) -> String {
    let end = Bool.random(using: &random) ? "\n" : "\r\n"
    var text = Bool.random(using: &random) ? "---\(end)tags: [work, other]\(end)---\(end)" : ""
    for _ in 0..<Int.random(in: 1..<12, using: &random) {
      if Int.random(in: 0..<5, using: &random) == 0 { text += "## " }
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
      }
      text += end
    }
    if Bool.random(using: &random), text.hasSuffix(end) { text.removeLast() }
    return text
  }

  private static let capabilities = PositionEncoding.allCases.map { encoding in
    EditorInTest.able.replacing("\"utf-16\"", with: "\"\(encoding.rawValue)\"")
  }

  @Test(arguments: capabilities) func editsComeToWhatTheCoreMakes(capabilities: String) throws {
    let ada = "---\ntitle: Ada Lovelace\n---\n# Life\n"
    let box = try ChangingTestBox(
      ["ada.md": ada, "b.md": "# B\n", "t.md": "#work\n"], capabilities: capabilities)
    try box.open("ada.md")
    try box.open("b.md")
    for seed in 0..<25 {
      var random = SplitMix64(seed: UInt64(seed))
      box.editor.change(box.uri("ada.md"), to: ada)
      let before = Self.text(&random)
      box.editor.change(box.uri("b.md"), to: before)
      let expected = before.replacing("[[Ada Lovelace", with: "[[Ada King")
      try box.rename("ada.md", "title", to: "Ada King")
      #expect(box.open(text: "b.md") == expected, "\(seed)")
      guard let place = Self.tag(in: expected) else { continue }
      let tagged = Self.renamed(expected, to: "job\(seed)")
      try box.rename("b.md", "", place, to: "job\(seed)")
      #expect(box.open(text: "b.md") == tagged, "\(seed)")
    }
  }

  /// The text with its tags renamed, each read by the core in its place.
  private static func renamed(_ text: String, to name: String) -> String {
    var bytes = Array(text.utf8)
    let note = Note(path: Array("b.md".utf8), text: NoteText(bytes))
    for tag in note.inlineTags.reversed() where tag.name.hasPrefix("work") {
      bytes.replaceSubrange(tag.offset + 1..<tag.offset + 5, with: Array(name.utf8))
    }
    return String(decoding: bytes, as: UTF8.self).replacing("tags: [work,", with: "tags: [\(name),")
  }

  /// The offset of a tag `work` in a text, in bytes.
  private static func tag(in text: String) -> Int? {
    let note = Note(path: Array("b.md".utf8), text: NoteText(Array(text.utf8)))
    if let tag = note.inlineTags.first(where: { $0.name == "work" }) { return tag.offset + 2 }
    return note.frontMatterTags.contains("work") ? "---\ntags: [wo".utf8.count : nil
  }

  @Test func actionsChangeOnlyTheirSpans() throws {
    let box = try ChangingTestBox(["t.md": "# T\n", "ada.md": "---\ntitle: Ada Lovelace\n---\n"])
    try box.open("t.md")
    for seed in 0..<30 {
      var random = SplitMix64(seed: UInt64(1_000 + seed))
      let (head, tail) = (Self.text(&random), Self.text(&random))
      let body = head.hasPrefix("---") ? head : "# T\n" + head
      let before = body + "\r\n- [ ] \u{1F600} box\r\n" + tail
      box.editor.change(box.uri("t.md"), to: before)
      guard NoteText(Array(before.utf8)).body.lowerBound < before.utf8.count else { continue }
      try box.act("Tick the check box", "t.md", "\u{1F600} box")
      #expect(box.open(text: "t.md") == body + "\r\n- [x] \u{1F600} box\r\n" + tail, "\(seed)")
    }
  }
}
