import CCmark
import Notes
import SlipboxTesting

/// Random Markdown from fragments that decide what is a link: links, code, tables, fences, HTML, entities and references.
///
/// Each link has a target of its own, `t0.md`, `t1.md` and so on, and each definition a label of its own.
struct RandomMarkdown {
  private var random: SplitMix64
  private var targets = 0
  private var labels = 0
  private var hasFootnote = false

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The lines of a document.
  mutating func lines() -> [String] {
    (0..<Int.random(in: 1...10, using: &random)).flatMap { _ in block() }
  }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func target() -> String {
    targets += 1
    let number = targets - 1
    return pick([
      "t\(number).md", "t\(number).md", "<t\(number).md>", "t\(number)&#46;md", "t\(number)\\.md",
      "<t \(number).md>",
      "t(\(number)).md", "t\(number)&uuml;.md", "t\(number)\\(.md", "t\(number)&period;md", "t\(number).md#a",
      "t\(number)`.md", "t\(number)\\|.md", "t\(number)<.md", "t\(number)\\a.md", "t\(number)*.md",
      "t\(number)].md",
    ])
  }

  private mutating func link() -> String {
    let title = pick([
      "", "", "", " \"t\"", " 't'", " (t)", "\n\"t\"", " \"t\n u\"", " \"t\\\"\"", "\"t\"", " t",
    ])
    let (before, after) = (pick(["", "", "", " ", "\n"]), pick(["", "", "", " ", "\n"]))
    let text =
      oneIn(4) ? inline() : pick(["a", "a b", "", "*a*", "`a`", "a\nb", "\\]", "![i](i)", "<b>", "a]"])
    return pick(["[", "[", "![", "\\[", "!\\[", "\\!["]) + text + "](" + before + target() + title + after
      + ")"
  }

  private mutating func reference() -> String {
    guard labels > 0 else { return "[a][r0]" }
    let label = "r\(Int.random(in: 0..<labels, using: &random))"
    return pick([
      "[\(label)]", "[a][\(label)]", "[\(label)][]", "![\(label)]", "[a \(inline())][\(label)]",
      "[\(label)] []",
    ])
  }

  private mutating func inline() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2: text += link()
      case 3: text += reference()
      default:
        text += pick([
          "word", " ", "`", "``", "`a`", "`` ` ``", "|", "\\|", "<b>", "</b>", "<b c=\"", "\">", "<b c='d'>",
          "<!-- ",
          " -->", "<!---->", "<!-->", "--", "<?", "?>", "<!X", ">", "<", "<https://x.y>", "<a@x.y>", "&amp;",
          "&#91;", "\\",
          "\\\\", "[", "]", "![", "(", ")", "*", "**", "_", "~~", "!", "#", ":", "[^", "\n", "  \n",
          "\\\n", "<b\n", "/>", "=", "[]", "é", "\"", "'",
        ])
      }
    }
    return text
  }

  private mutating func block() -> [String] {
    let margin =
      (0..<(oneIn(2) ? 0 : Int.random(in: 1...3, using: &random))).map { _ in
        pick([
          "> ", ">", "- ", "* ", "1. ", "2) ", "-", "-   ", "-     ", "  ", "   ", "    ", "\t", ">\t", "-\t",
          "10. ",
          "- [ ] ",
        ])
      }.joined() + footnote()
    let rest =
      oneIn(3) ? margin.map { $0 == "\t" ? "\t" : $0 == ">" ? ">" : " " }.map { String($0) }.joined() : ""
    let lines = content().split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { ($0.offset == 0 ? margin : rest) + $0.element }
  }

  private mutating func footnote() -> String {
    guard !hasFootnote, oneIn(20) else { return "" }
    hasFootnote = true
    return "[^f]: "
  }

  private mutating func content() -> String {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return ""
    case 1: return pick(["```", "~~~", "````", "``` x", "~~~ `", "``", "```\n\(inline())\n```"])
    case 2: return pick(["---", "===", "-", "=", "***", "- - -", "--", "_ _ _"])
    case 3: return pick(["#", "##", "# ", "#x", "####### "]) + inline() + pick(["", " #", " ##", "#"])
    case 4:
      labels += 1
      let (gap, title) = (
        pick([" ", "", "\n", "  "]),
        pick(["", "", " \"t\"", "\n\"t\"", "\n't", " 't' x", "\n(t) x", "\n\"t\n u\"", " x"])
      )
      return "[r\(labels - 1)]:\(gap)\(target())\(title)" + pick(["", "", "\n" + inline()])
    case 5:
      return pick([
        "<div>", "</div>", "<pre>", "</pre>", "<script>", "<style", "<!--", "-->", "<!-- a -->", "<?", "?>",
        "<!X", ">",
        "<b>", "<b c='d'>", "<b>x", "<p", "<![CDATA[", "]]>", "<table><tr>", "<img src=\"x\">", "</b>",
        "<textarea>", "<hr/>",
      ])
    case 6: return "|" + inline() + "|" + inline() + pick(["|", ""])
    case 7: return pick(["|-|-|", "-|-", "|---|", ":-:|-", "|:-|-:|", "| - | - | - |", "--|", "|-"])
    case 8:
      let (first, second) = (cell(), cell())
      return "\(first)|\(second)\n-|-\n" + (0..<2).map { _ in "\(cell())|\(cell())" }.joined(separator: "\n")
    default: return inline()
    }
  }

  private mutating func cell() -> String { inline().split(separator: "\n").joined() }
}

/// The targets of the links in Markdown, without escapes and entities, by two readers.
enum MarkdownLinks {
  /// The links and definitions that our scanner finds.
  static func ofScanner(_ markdown: String) -> Set<String> {
    let forms: Set<BodyScan.Link.Form> = [.markdown, .image, .reference]
    let links = BodyScan(NoteText(Array((uses + markdown).utf8))).links.filter { forms.contains($0.form) }
    return Set(links.flatMap { decoded($0.target) })
  }

  /// A target as cmark-gfm reads it.
  private static func decoded(_ target: String) -> Set<String> {
    let plain = ofCmark("[r0]: \(target)\n")
    return plain.isEmpty ? ofCmark("[a](<\(target)>)") : plain
  }

  /// A paragraph that uses every label of `RandomMarkdown`.
  private static let uses = (0..<40).map { "[r\($0)]" }.joined(separator: " ") + " [^f]\n\n"

  private static let extensions: [UInt] = {
    cmark_gfm_core_extensions_ensure_registered()
    return ["table", "strikethrough", "tasklist"].map { (name: String) in
      UInt(bitPattern: cmark_find_syntax_extension(name))
    }
  }()

  /// The links and images that cmark-gfm makes, but for addresses in `<>` and links without a target.
  static func ofCmark(_ markdown: String) -> Set<String> {
    let options = CMARK_OPT_FOOTNOTES | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE
    guard let parser = cmark_parser_new(options) else { return [] }
    defer { cmark_parser_free(parser) }
    for address in extensions {
      cmark_parser_attach_syntax_extension(parser, OpaquePointer(bitPattern: address))
    }
    cmark_parser_feed(parser, uses, uses.utf8.count)
    cmark_parser_feed(parser, markdown, markdown.utf8.count)
    guard let root = cmark_parser_finish(parser), let iterator = cmark_iter_new(root) else { return [] }
    defer {
      cmark_iter_free(iterator)
      cmark_node_free(root)
    }
    var targets: Set<String> = []
    while cmark_iter_next(iterator) != CMARK_EVENT_DONE {
      let node = cmark_iter_get_node(iterator)
      guard [CMARK_NODE_LINK, CMARK_NODE_IMAGE].contains(cmark_node_get_type(node)),
        let url = cmark_node_get_url(node)
      else { continue }
      let target = String(cString: url)
      if !target.isEmpty, !target.hasPrefix("https:"), !target.hasPrefix("mailto:") { targets.insert(target) }
    }
    return targets
  }
}
