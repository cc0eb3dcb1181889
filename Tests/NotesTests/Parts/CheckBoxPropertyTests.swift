import CCmark
import Notes
import SlipboxTesting
import Testing

/// The check boxes of our scanner compared with the tasks that cmark-gfm finds.
@Suite struct CheckBoxPropertyTests {
  @Test(arguments: 0..<8) func boxesAreTheTasksOfCmark(part: UInt64) {
    for number in 0..<500 {
      var generator = RandomMarkdown(seed: part << 32 + UInt64(number))
      let lines = generator.lines()
      // A first line of dashes would open front matter.
      let markdown = "x\n\n" + lines.flatMap { [$0, "- [ ] a", "  1. [x] b"] }.joined(separator: "\n") + "\n"
      let all = markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let ours = CheckBox.all(in: NoteText(Array(markdown.utf8))).filter { box in
        box.state != .other && Self.isPlain(all[box.line - 1])
      }
      let theirs = Self.taskLines(markdown).filter { Self.isPlain(all[$0 - 1]) }
      #expect(ours.map(\.line) == theirs, "\(markdown.debugDescription)")
    }
  }

  /// Whether cmark-gfm looks for a box on the line: it wants one mark of a list before it, and a text behind it.
  private static func isPlain(_ line: String) -> Bool {
    line.firstMatch(of: /^[ \t]*([-+*]|[0-9]+[.)])[ \t]+\[[ xX]\][ \t]+\S/) != nil
  }

  private static func taskLines(_ markdown: String) -> [Int] {
    cmark_gfm_core_extensions_ensure_registered()
    guard let parser = cmark_parser_new(CMARK_OPT_FOOTNOTES) else { return [] }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "tasklist"] {
      cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
    }
    cmark_parser_feed(parser, markdown, markdown.utf8.count)
    guard let root = cmark_parser_finish(parser), let iterator = cmark_iter_new(root) else { return [] }
    defer {
      cmark_iter_free(iterator)
      cmark_node_free(root)
    }
    var lines: [Int] = []
    while true {
      let event = cmark_iter_next(iterator)
      if event == CMARK_EVENT_DONE { return lines }
      let node = cmark_iter_get_node(iterator)
      guard event == CMARK_EVENT_ENTER, let type = cmark_node_get_type_string(node),
        String(cString: type) == "tasklist"
      else { continue }
      lines.append(Int(cmark_node_get_start_line(node)))
    }
  }
}
