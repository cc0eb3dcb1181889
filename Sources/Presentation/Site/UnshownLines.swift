import Bytes
import Notes

/// The lines of a body that define labels of links, and the footnotes that nothing uses: no page shows them.
///
/// `[//]: # (words)` is the usual comment of Markdown.
enum UnshownLines {
  /// The bytes of these lines, in order.
  ///
  /// - Complexity: that of a scan of the body.
  static func all(in text: NoteText) -> [Range<Int>] {
    let (bytes, end) = (text.bytes, text.body.upperBound)
    let body = bytes[text.body]
    guard zip(body, body.dropFirst()).contains(where: { $0 == UInt8(ascii: "]") && $1 == UInt8(ascii: ":") })
    else { return [] }
    let uses = BodyLabels(body).uses
    var fences = FencedCode.all(in: text)[...]
    var found: [Range<Int>] = []
    var line = text.body.lowerBound
    while line < end {
      while let fence = fences.first, fence.upperBound <= line { fences.removeFirst() }
      let next = text.nextLine(after: line)
      if let fence = fences.first, fence.contains(line) {
        line = next
        continue
      }
      guard let (label, rest) = label(bytes[line..<next]) else {
        line = next
        continue
      }
      let last: Int
      if label.hasPrefix("^") {
        last = uses.contains(label) ? line : footnoteEnd(next, in: text)
      } else {
        last = definitionEnd(rest, next, in: text)
      }
      if last > line { found.append(line..<last) }
      line = max(last, next)
    }
    return found
  }

  /// A text with blanks in the place of such lines.
  static func blanked(_ lines: [Range<Int>], in text: NoteText) -> NoteText {
    guard !lines.isEmpty else { return text }
    var bytes = text.bytes
    for place in lines.joined() where bytes[place] != 0x0A && bytes[place] != 0x0D { bytes[place] = 0x20 }
    return NoteText(bytes)
  }

  /// The label that a line defines, in small letters, and the offset behind its colon. The line may be in a quotation or in a
  /// list.
  private static func label(_ line: ArraySlice<UInt8>) -> (label: String, rest: Int)? {
    let content = line.drop { "> \t-*+".utf8.contains($0) }
    guard content.first == UInt8(ascii: "["), let close = content.firstIndex(of: UInt8(ascii: "]")),
      content[close...].starts(with: "]:".utf8)
    else { return nil }
    let label = String(decoding: content[(content.startIndex + 1)..<close], as: UTF8.self)
    return label.isEmpty ? nil : (label.lowercased(), close + 2)
  }

  /// The end of a footnote whose first line ends at an offset. Lines that follow at once, and indented ones, belong to it.
  private static func footnoteEnd(_ start: Int, in text: NoteText) -> Int {
    var (end, line, isAfterBlank) = (start, start, false)
    while line < text.body.upperBound {
      let next = text.nextLine(after: line)
      let bytes = text.bytes[line..<next]
      if bytes.allSatisfy({ $0 <= 0x20 }) {
        isAfterBlank = true
      } else {
        let isIndented = bytes.first == 0x09 || bytes.starts(with: [0x20, 0x20])
        if isAfterBlank && !isIndented || bytes.starts(with: "[^".utf8) { break }
        end = next
      }
      line = next
    }
    return end
  }

  /// The end of a definition, whose title may be on several lines; the begin of its first line if the line defines nothing.
  private static func definitionEnd(_ rest: Int, _ next: Int, in text: NoteText) -> Int {
    let bytes = text.bytes
    let begin = text.lineStart(before: rest)
    /// The offset of the next word, on this line or the next one.
    func word(_ start: Int) -> Int? {
      var (place, count) = (start, 0)
      while place < text.body.upperBound,
        bytes[place] <= 0x20 || bytes[place] == UInt8(ascii: ">") && count > 0
      {
        if bytes[place] == 0x0A { count += 1 }
        if count > 1 { return nil }
        place += 1
      }
      return place < text.body.upperBound ? place : nil
    }
    guard let target = word(rest) else { return begin }
    var end = target
    if bytes[target] == UInt8(ascii: "<") {
      guard let close = bytes[target..<text.body.upperBound].firstIndex(where: { $0 == 0x3E || $0 == 0x0A }),
        bytes[close] == 0x3E
      else { return begin }
      end = close + 1
    } else {
      while end < text.body.upperBound, bytes[end] > 0x20 { end += 1 }
    }
    let lineEnd = text.nextLine(after: end)
    guard let title = word(end), let close = closing(bytes[title]) else {
      return isBlank(bytes[end..<lineEnd]) ? lineEnd : begin
    }
    var place = title + 1
    while place < text.body.upperBound, bytes[place] != close {
      // A blank line ends every paragraph.
      if bytes[place] == 0x0A, isBlank(bytes[(place + 1)..<text.nextLine(after: place + 1)]) { break }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    if place < text.body.upperBound, bytes[place] == close {
      let after = text.nextLine(after: place)
      if isBlank(bytes[(place + 1)..<after]) { return after }
    }
    return isBlank(bytes[end..<lineEnd]) ? lineEnd : begin
  }

  private static func closing(_ mark: UInt8) -> UInt8? {
    switch mark {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): mark
    case UInt8(ascii: "("): UInt8(ascii: ")")
    default: nil
    }
  }

  private static func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { $0 <= 0x20 } }
}

/// The comments in values of fields: `%%` of Obsidian, and those of HTML.
enum FieldComments {
  /// Whether a value may hold a comment.
  static func areIn(_ value: FieldValue) -> Bool {
    switch value {
    case .empty: false
    case .text(let text): removed(from: text).utf8.count != text.utf8.count
    case .list(let elements): elements.contains(where: areIn)
    case .map(let entries): entries.contains { areIn($0.value) }
    }
  }

  /// A text without its comments. A comment of HTML that nothing closes goes on to the end.
  static func removed(from text: String) -> String {
    var rest = text[...]
    for (open, close) in [("<!--", "-->"), ("%%", "%%")] where rest.contains(open) {
      var kept = ""
      while let start = rest.firstRange(of: open) {
        let end = rest[start.upperBound...].firstRange(of: close)
        if end == nil, open == "%%" { break }
        kept += rest[..<start.lowerBound]
        rest = end.map { rest[$0.upperBound...] } ?? ""
      }
      rest = (kept + rest)[...]
    }
    return String(rest)
  }
}

/// The comments of TeX in formulas: `%` and the rest of the line.
enum FormulaComments {
  /// A text without these comments.
  static func removed(from text: NoteText) -> NoteText {
    let body = text.bytes[text.body]
    guard body.contains(UInt8(ascii: "$")), body.contains(UInt8(ascii: "%")) else { return text }
    var bytes = text.bytes
    for formula in BodyScan(text).formulas.reversed() {
      let marks = formula.isBlock ? 2 : 1
      let inside = formula.range.dropFirst(marks).dropLast(marks)
      guard bytes[inside].contains(UInt8(ascii: "%")) else { continue }
      var shown = withoutComments(bytes[inside])
      if !formula.isBlock, shown.count < inside.count {
        // A blank before the last mark would make text of the formula.
        while let last = shown.last, last <= 0x20 { shown.removeLast() }
        if shown.isEmpty { shown = Array("{}".utf8) }
      }
      bytes.replaceSubrange(inside, with: shown)
    }
    return bytes.count == text.bytes.count ? text : NoteText(bytes)
  }

  private static func withoutComments(_ formula: ArraySlice<UInt8>) -> [UInt8] {
    var (result, isComment, isEscaped) = ([UInt8](), false, false)
    for byte in formula {
      if byte == 0x0A || byte == 0x0D { isComment = false }
      if byte == UInt8(ascii: "%"), !isEscaped { isComment = true }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if !isComment { result.append(byte) }
    }
    return result
  }
}
