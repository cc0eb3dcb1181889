import CCmark

/// Shows Markdown on a terminal.
package enum MarkdownRendering {
  /// Returns Markdown (GitHub's, with wiki links and tags) as lines for a terminal, each with its line end.
  ///
  /// Nothing in the text acts on the terminal: all of it goes through `Visible`. Lines of code are not
  /// wrapped; what is nested too deeply for the width is not indented further. Text that is made to be
  /// slow to parse is shown as it is written.
  /// - Parameters:
  ///   - markdown: UTF-8, without front-matter; invalid bytes are shown as `\xff`.
  ///   - width: the cells of a line; at least 10 are used.
  /// - Complexity: O(n).
  package static func terminal(_ markdown: ArraySlice<UInt8>, width: Int, style: Style) -> String {
    let hazards = MarkdownHazards(markdown)
    guard hazards.allowsParsing, let tree = MarkdownTree(markdown, tables: hazards.allowsTables) else {
      return asWritten(markdown)
    }
    var layout = MarkdownLayout(
      width: max(10, width), style: style, addressBudget: 100_000 + 4 * markdown.count)
    guard let iterator = cmark_iter_new(tree.root) else { return asWritten(markdown) }
    defer { cmark_iter_free(iterator) }
    while true {
      let event = cmark_iter_next(iterator)
      guard event == CMARK_EVENT_ENTER || event == CMARK_EVENT_EXIT else { break }
      guard let node = cmark_iter_get_node(iterator) else { break }
      if event == CMARK_EVENT_ENTER { layout.enter(node) } else { layout.leave(node) }
    }
    return String(decoding: layout.output.bytes, as: UTF8.self)
  }

  private static func asWritten(_ markdown: ArraySlice<UInt8>) -> String {
    var text = ""
    text.reserveCapacity(markdown.count)
    CodeText.forEachLine(of: Array(markdown)) { line in
      text += line
      text += "\n"
    }
    return text
  }
}
