extension Note {
  /// Whether the value of a field is a plain decimal number without quotes.
  package func isNumber(_ field: FrontMatterField) -> Bool {
    guard let value = field.value.text, PlainNumber.isNumber(value) else { return false }
    let line = head.bytes[field.span].prefix { $0 != 0x0A }
    let end = line.lastIndex { $0 > 0x20 } ?? line.startIndex
    return line[..<(line.isEmpty ? end : end + 1)].suffix(value.utf8.count).elementsEqual(value.utf8)
  }
}
