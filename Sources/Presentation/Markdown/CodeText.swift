import Text

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
