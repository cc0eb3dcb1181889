extension SpanReader {
  /// Returns what fields can be made out line by line in a block that is not valid YAML, for display only.
  ///
  /// A line of a field that is not recognised gives the text after its colon as it was typed; a field whose value stands
  /// elsewhere, as that of an alias or below `|`, is left out.
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
      if range.isEmpty || !standsElsewhere(bytes[range.lowerBound]) {
        fields.append(
          FrontMatterField(
            name: text(at..<colon), value: value, line: line, span: at..<next, isEditable: false))
      }
    }
    at = next
    line += 1
  }

  /// Whether a sign begins an alias, an anchor, a tag of YAML or a text on the lines below.
  private func standsElsewhere(_ sign: UInt8) -> Bool {
    switch sign {
    case UInt8(ascii: "*"), UInt8(ascii: "&"), UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"): true
    default: false
    }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
    while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
    return lower..<upper
  }
}
