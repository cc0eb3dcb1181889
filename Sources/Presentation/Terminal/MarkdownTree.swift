import CCmark
import Synchronization

/// A parsed document. Its nodes live as long as it does.
struct MarkdownTree: ~Copyable {
  let root: OpaquePointer

  /// Makes cmark's extensions known, once.
  private static let extensionsAreRegistered: Void = cmark_gfm_core_extensions_ensure_registered()

  /// Which letters begin something is kept by cmark for the whole process, and changed for the extensions of a parser
  /// while it finishes: two at once would take them from each other.
  private static let finishing = Mutex(())

  /// Parses Markdown; nil when memory is short. Any number of threads may call this at once.
  ///
  /// Wraps cmark_parser_new, cmark_parser_feed and cmark_parser_finish.
  init?(_ markdown: ArraySlice<UInt8>, tables: Bool, footnotes: Bool = false) {
    _ = Self.extensionsAreRegistered
    let options = CMARK_OPT_DEFAULT | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE
    guard let parser = cmark_parser_new(footnotes ? options | CMARK_OPT_FOOTNOTES : options) else {
      return nil
    }
    defer { cmark_parser_free(parser) }
    // Bare addresses are found elsewhere: cmark's extension for them takes quadratic time.
    for name in tables ? ["table", "strikethrough", "tasklist"] : ["strikethrough", "tasklist"] {
      guard let found = cmark_find_syntax_extension(name) else { continue }
      cmark_parser_attach_syntax_extension(parser, found)
    }
    markdown.withUnsafeBytes { buffer in
      cmark_parser_feed(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    let address = Self.finishing.withLock { _ in UInt(bitPattern: cmark_parser_finish(parser)) }
    guard let root = OpaquePointer(bitPattern: address) else { return nil }
    self.root = root
  }

  deinit { cmark_node_free(root) }
}

/// The type of a node of the document.
enum MarkdownNode {
  case text, code, html, softBreak, lineBreak, emphasis, strong, deleted, link, image
  case paragraph, heading, codeBlock, htmlBlock, rule, quote, list, item
  case table, tableRow, tableCell, footnote, footnoteReference
  case other

  private static let core: [UInt32: MarkdownNode] = [
    CMARK_NODE_TEXT.rawValue: .text, CMARK_NODE_CODE.rawValue: .code, CMARK_NODE_HTML_INLINE.rawValue: .html,
    CMARK_NODE_SOFTBREAK.rawValue: .softBreak, CMARK_NODE_LINEBREAK.rawValue: .lineBreak,
    CMARK_NODE_EMPH.rawValue: .emphasis, CMARK_NODE_STRONG.rawValue: .strong, CMARK_NODE_LINK.rawValue: .link,
    CMARK_NODE_IMAGE.rawValue: .image, CMARK_NODE_PARAGRAPH.rawValue: .paragraph,
    CMARK_NODE_HEADING.rawValue: .heading, CMARK_NODE_CODE_BLOCK.rawValue: .codeBlock,
    CMARK_NODE_HTML_BLOCK.rawValue: .htmlBlock, CMARK_NODE_THEMATIC_BREAK.rawValue: .rule,
    CMARK_NODE_BLOCK_QUOTE.rawValue: .quote, CMARK_NODE_LIST.rawValue: .list, CMARK_NODE_ITEM.rawValue: .item,
    CMARK_NODE_FOOTNOTE_DEFINITION.rawValue: .footnote,
    CMARK_NODE_FOOTNOTE_REFERENCE.rawValue: .footnoteReference, CMARK_NODE_DOCUMENT.rawValue: .other,
  ]

  init(_ node: OpaquePointer) {
    if let core = Self.core[UInt32(cmark_node_get_type(node).rawValue)] {
      self = core
      return
    }
    // The extensions' node types are known by name only.
    switch String(cString: cmark_node_get_type_string(node)) {
    case "strikethrough": self = .deleted
    case "table": self = .table
    case "table_header", "table_row": self = .tableRow
    case "table_cell": self = .tableCell
    default: self = .other
    }
  }

  /// Whether the node is a task of a task list.
  static func isTask(_ node: OpaquePointer) -> Bool {
    String(cString: cmark_node_get_type_string(node)) == "tasklist"
  }

  /// Returns the bytes of a C string that belongs to a node.
  ///
  /// cmark writes U+FFFE and U+FFFF of a character reference as the bytes 0xFE and 0xFF, which become U+FFFD.
  static func bytes(_ string: UnsafePointer<CChar>?) -> [UInt8] {
    guard let string else { return [] }
    var count = 0
    while string[count] != 0 { count += 1 }
    return string.withMemoryRebound(to: UInt8.self, capacity: count) {
      let bytes = UnsafeBufferPointer(start: $0, count: count)
      guard bytes.contains(where: { $0 >= 0xFE }) else { return Array(bytes) }
      return bytes.flatMap { $0 >= 0xFE ? Array("\u{FFFD}".utf8) : [$0] }
    }
  }
}

/// Looks into raw HTML as far as a terminal needs it.
enum HTMLText {
  private static let opening = Array("<!--".utf8)
  private static let closing = Array("-->".utf8)

  /// Returns the HTML without its comments; one that is not closed reaches to the end.
  ///
  /// - Complexity: O(n).
  static func withoutComments(_ html: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    while offset < html.count {
      guard html[offset...].starts(with: opening) else {
        result.append(html[offset])
        offset += 1
        continue
      }
      offset += opening.count
      while offset < html.count && !html[offset...].starts(with: closing) { offset += 1 }
      offset += closing.count
    }
    return result
  }

  /// Whether a tag breaks the line: `<br>`, `<br/>` or `<br />`.
  static func isLineBreak(_ tag: [UInt8]) -> Bool {
    let name = tag.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }.filter { $0 != 0x20 && $0 != 0x2F }
    return name.elementsEqual("<br>".utf8)
  }
}
