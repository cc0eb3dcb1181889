import CCmark

/// The headings and tasks that cmark-gfm finds in a text.
struct CmarkParts {
  struct Heading: Equatable {
    /// Counted from 1.
    let line: Int
    let level: Int
  }

  /// The headings that are in no list and no quotation.
  private(set) var headings: [Heading] = []
  /// The lines of the tasks, counted from 1.
  private(set) var tasks: [Int] = []

  init(_ markdown: String) {
    cmark_gfm_core_extensions_ensure_registered()
    guard let parser = cmark_parser_new(CMARK_OPT_FOOTNOTES) else { return }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "tasklist"] {
      cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
    }
    cmark_parser_feed(parser, markdown, markdown.utf8.count)
    guard let root = cmark_parser_finish(parser), let iterator = cmark_iter_new(root) else { return }
    defer {
      cmark_iter_free(iterator)
      cmark_node_free(root)
    }
    while true {
      let event = cmark_iter_next(iterator)
      if event == CMARK_EVENT_DONE { return }
      guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(iterator),
        let type = cmark_node_get_type_string(node)
      else { continue }
      let line = Int(cmark_node_get_start_line(node))
      switch String(cString: type) {
      case "tasklist": tasks.append(line)
      case "heading" where cmark_node_parent(node) == root:
        headings.append(Heading(line: line, level: Int(cmark_node_get_heading_level(node))))
      default: continue
      }
    }
  }

  /// Whether cmark-gfm looks for a box on the line: it wants one mark of a list before it, and a text behind it.
  static func mayHaveTask(_ line: some StringProtocol) -> Bool {
    var rest = line.utf8[...].drop { $0 == 0x20 || $0 == 0x09 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard let mark = rest.popFirst(), (digits.isEmpty ? "-+*" : ".)").utf8.contains(mark) else {
      return false
    }
    let blanks = rest.prefix { $0 == 0x20 || $0 == 0x09 }
    rest = rest.dropFirst(blanks.count)
    guard !blanks.isEmpty, rest.popFirst() == UInt8(ascii: "["), let box = rest.popFirst(),
      " xX".utf8.contains(box),
      rest.popFirst() == UInt8(ascii: "]")
    else { return false }
    let text = rest.drop { $0 == 0x20 || $0 == 0x09 }
    return text.startIndex > rest.startIndex && text.contains { $0 > 0x20 }
  }
}
