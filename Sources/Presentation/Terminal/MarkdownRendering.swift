import CCmark
import Text

/// Shows Markdown on a terminal.
package enum MarkdownRendering {
  /// Returns Markdown (GitHub's, with wiki links and tags) as lines for a terminal, each with its line end.
  ///
  /// The text can't control the terminal: all of it goes through `Visible`. Lines of code are not
  /// wrapped; blocks nested too deeply for the width are not indented further. Text that is crafted to be
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

/// Prepares lines that are shown as they are written.
enum CodeText {
  private static let tabStop = 4

  /// Returns the lines of a block fit for a terminal, with tabs expanded and without blanks at the end.
  ///
  /// Line ends are LF, CRLF or CR. A last empty line is left out.
  /// - Complexity: O(n).
  static func lines(of code: [UInt8]) -> [String] {
    var lines: [String] = []
    forEachLine(of: code) { lines.append($0) }
    return lines
  }

  /// Hands each of these lines to a closure.
  static func forEachLine(of code: [UInt8], _ body: (String) -> Void) {
    var start = 0
    while start < code.count {
      var end = start
      while end < code.count && code[end] != 0x0A && code[end] != 0x0D { end += 1 }
      body(shown(code[start..<end]))
      let isPair = end + 1 < code.count && code[end] == 0x0D && code[end + 1] == 0x0A
      start = end + (isPair ? 2 : 1)
    }
  }

  private static func shown(_ line: ArraySlice<UInt8>) -> String {
    var shown: [UInt8] = []
    Visible.append(line.span, to: &shown)
    if shown.contains(0x09) { shown = expanded(shown) }
    while shown.last == 0x20 { shown.removeLast() }
    return String(decoding: shown, as: UTF8.self)
  }

  private static func expanded(_ line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var cells = 0
    var start = 0
    for index in line.indices where line[index] == 0x09 {
      result += line[start..<index]
      cells += CellWidth.of(line[start..<index].span)
      let missing = tabStop - cells % tabStop
      result += [UInt8](repeating: 0x20, count: missing)
      cells += missing
      start = index + 1
    }
    return result + line[start...]
  }
}

/// Estimates, before parsing, where cmark's work would grow faster than the text.
///
/// cmark-gfm 0.29.0.gfm.6 takes quadratic time or memory for containers nested deeply, for `<!`, `<?` without
/// an end, for long addresses that are referred to often, and for tables
/// with many columns; the estimates may be too high, never too low. It also keeps several hundred bytes for each
/// line and each mark, so that a text of millions of short lines would take hundreds of times its size.
/// - Complexity: O(n) to make.
struct MarkdownHazards {
  /// The steps that cmark may take, about a tenth of a second.
  private static let patience = 1e8
  private static let mostTableCells = 2e6
  /// The lines and marks for which cmark may keep nodes, about 100 MB.
  private static let mostNodes = 200_000

  private var nodeCount = 0

  private var lineCount = 0.0
  private var longestMargin = 0.0
  private var unfinishedMarkup = 0.0
  private var longestParagraph = 0.0
  private var brackets = 0.0
  private var longestDefinition = 0.0
  private var squaredPipes = 0.0
  private var mostColumns = 0.0
  private var delimiterCost = 0.0
  // The paragraph being read.
  private var paragraphBytes = 0.0
  private var paragraphLines = 0.0
  /// The bytes since a link's definition may have begun in it.
  private var definitionBytes: Double?

  /// Whether the document can be parsed in reasonable time.
  var allowsParsing: Bool {
    nodeCount <= Self.mostNodes && longestMargin * lineCount <= Self.patience
      && unfinishedMarkup * longestParagraph <= Self.patience
      && brackets * longestDefinition <= Self.patience
  }

  /// Whether its tables can.
  var allowsTables: Bool {
    squaredPipes <= Self.patience && delimiterCost <= Self.patience
      && mostColumns * lineCount <= Self.mostTableCells
  }

  init(_ markdown: ArraySlice<UInt8>) {
    var start = markdown.startIndex
    while start < markdown.endIndex {
      var end = start
      while end < markdown.endIndex && markdown[end] != 0x0A && markdown[end] != 0x0D { end += 1 }
      read(markdown[start..<end])
      start = end + 1
    }
    endParagraph()
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    var isInMargin = true
    var isDelimiter = true
    var pipes = 0.0
    var margin = 0.0
    var previous: UInt8 = 0
    var mayDefine = false
    for byte in line {
      isInMargin = isInMargin && Self.isMargin(byte)
      if isInMargin { margin += 1 }
      if byte == UInt8(ascii: "|") { pipes += 1 }
      isDelimiter = isDelimiter && Self.isDelimiter(byte)
      if previous == UInt8(ascii: "<") && (byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")) {
        unfinishedMarkup += 1
      }
      if byte == UInt8(ascii: "[") { brackets += 1 }
      if Self.isMark(byte) { nodeCount += 1 }
      if previous == UInt8(ascii: "]") && byte == UInt8(ascii: ":") { mayDefine = true }
      previous = byte
    }
    lineCount += 1
    nodeCount += 1
    longestMargin = max(longestMargin, margin)
    squaredPipes += pipes * pipes
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
      endParagraph()
    } else {
      extendParagraph(by: Double(line.count + 1), mayDefine: mayDefine)
    }
    if isDelimiter && line.contains(UInt8(ascii: "-")) {
      mostColumns = max(mostColumns, pipes + 1)
      delimiterCost += paragraphLines * paragraphLines
    }
  }

  private mutating func extendParagraph(by count: Double, mayDefine: Bool) {
    paragraphBytes += count
    paragraphLines += 1
    if mayDefine || definitionBytes != nil {
      definitionBytes = (mayDefine ? 0 : definitionBytes ?? 0) + count
      longestDefinition = max(longestDefinition, definitionBytes ?? 0)
    }
  }

  private mutating func endParagraph() {
    longestParagraph = max(longestParagraph, paragraphBytes)
    (paragraphBytes, paragraphLines, definitionBytes) = (0, 0, nil)
  }

  /// Whether a byte may begin or end a node inside of a line.
  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"),
      UInt8(ascii: "&"), UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "~"), UInt8(ascii: "!"):
      true
    default: false
    }
  }

  /// Whether a byte can be part of the markers and blanks that open containers.
  private static func isMargin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"),
      UInt8(ascii: "."), UInt8(ascii: ")"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Whether a byte can be part of the line under a table's header, containers around it included.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    isMargin(byte) || byte == UInt8(ascii: "|") || byte == UInt8(ascii: ":") || byte == 0x0B || byte == 0x0C
  }
}
