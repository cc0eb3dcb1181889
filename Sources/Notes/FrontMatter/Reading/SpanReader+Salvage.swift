extension SpanReader {
  /// Returns what fields can be made out line by line in a block that is not valid YAML, for display only.
  ///
  /// A line of a field that is not recognised gives the text after its colon as it was typed.
  static func salvage(_ bytes: [UInt8], in range: Range<Int>) -> [FrontMatterField] {
    var reader = SpanReader(bytes, in: range, keepsShapes: false)
    while reader.at < reader.end {
      if reader.colon(of: reader.at) == nil || !reader.readField() { reader.salvageLine() }
    }
    return reader.fields.map { field in
      FrontMatterField(
        name: field.name, value: field.value, line: field.line, span: field.span, isEditable: false)
    }
  }

  /// Takes one line as it is typed and goes to the next.
  private mutating func salvageLine() {
    let next = nextLine(from: at)
    if let colon = colon(of: at) {
      let range = trimmed(colon + 1..<next)
      let value = range.isEmpty ? FieldValue.empty : .text(text(range))
      fields.append(
        FrontMatterField(
          name: text(at..<colon), value: value, line: line, span: at..<next, isEditable: false))
    }
    at = next
    line += 1
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
    while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
    return lower..<upper
  }
}
