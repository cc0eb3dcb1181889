import CCmark
import SlipboxTesting
import Testing

@testable import Notes

/// The labels in the lines of a body, outside of the fenced code that cmark-gfm finds.
@Suite struct BodyLabelsTests {
  @Test(
    arguments: [
      ("[a]\n```\n[b]\n```\n[c]\n", ["a", "c"]), ("````\n```\n[b]\n````\n[c]\n", ["c"]),
      ("```\n~~~\n[b]\n```\n[c]\n", ["c"]), ("```\n[b]\n``` x\n[c]\n", []), ("``` a`b\n[b]\n", ["b"]),
      ("    ```\n[b]\n", ["b"]), ("a\n    ```\n[b]\n", ["b"]), ("```\n[b]\n    ```\n[c]\n", []),
      ("> ```\n> [b]\n\n[c]\n", ["c"]), ("- a\n\n  ```\n  [b]\n\n[c]\n", ["c"]),
      ("~~~~\n[b]\n~~~\n[c]\n", []),
      ("```\r\n[b]\r\n```\r\n[c]\r\n", ["c"]), ("```", []), ("<!--\n```\n-->\n[b]\n", ["b"]),
    ] as [(String, [String])])
  func `leaves out fenced code`(body: String, labels: [String]) {
    #expect(BodyLabels(Array(body.utf8)[...]).uses.sorted() == labels)
    // The same lines in the middle of a note.
    let note = Array("---\na: b\n---\n\(body)".utf8)
    #expect(BodyLabels(note[NoteText(note).body]).uses.sorted() == labels)
  }

  @Test(arguments: 0..<8) func `finds the fenced code of cmark-gfm`(part: UInt64) {
    for number in 0..<250 {
      var generator = RandomMarkdown(seed: part << 32 + UInt64(number))
      let lines = generator.lines() + ["```", "  ~~~", "> ````"]
      let marked = lines.enumerated().flatMap { index, line in [line, "[q\(index)] x"] }
      let markdown = marked.joined(separator: "\n") + "\n"
      let code = Self.fencedCode(of: markdown)
      let expected = lines.indices.filter { !code.contains("[q\($0)]") }.map { "q\($0)" }
      let labels = BodyLabels(Array(markdown.utf8)[...]).uses
      #expect(
        lines.indices.map { "q\($0)" }.filter(labels.contains) == expected, "\(markdown.debugDescription)")
    }
  }

  /// The text in the fenced blocks of code that cmark-gfm finds.
  private static func fencedCode(of markdown: String) -> String {
    cmark_gfm_core_extensions_ensure_registered()
    guard let parser = cmark_parser_new(CMARK_OPT_FOOTNOTES) else { return "" }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "tasklist"] {
      cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
    }
    cmark_parser_feed(parser, markdown, markdown.utf8.count)
    guard let root = cmark_parser_finish(parser), let iterator = cmark_iter_new(root) else { return "" }
    defer {
      cmark_iter_free(iterator)
      cmark_node_free(root)
    }
    var code = ""
    while cmark_iter_next(iterator) != CMARK_EVENT_DONE {
      guard let node = cmark_iter_get_node(iterator), cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK
      else { continue }
      var (length, offset, mark): (Int32, Int32, CChar) = (0, 0, 0)
      guard cmark_node_get_fenced(node, &length, &offset, &mark) != 0,
        let text = cmark_node_get_literal(node)
      else { continue }
      code += String(cString: text)
    }
    return code
  }
}
