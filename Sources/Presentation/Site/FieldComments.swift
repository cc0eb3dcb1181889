import Notes

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
