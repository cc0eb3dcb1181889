/// A value of a field in a cell of a table, such that it can be read again: a text stands as it is, but one that would read
/// as something else stands in quotes; lists and maps stand in brackets, as in front-matter.
package enum CSVValue {
  /// The cell of a value.
  package static func text(_ value: FieldValue) -> String {
    switch value {
    case .empty: return ""
    case .text(let text):
      if text.isEmpty || read(text) == value { return text }
      return String(decoding: YAMLScalar.write(text, in: .flowElement, like: .double), as: UTF8.self)
    case .list, .map:
      let flow = String(decoding: NoteText.flow(value), as: UTF8.self)
      // What begins with two brackets is the link of a text.
      return flow.hasPrefix("[[") ? "[ " + flow.dropFirst() : flow
    }
  }

  /// The value of a cell.
  package static func read(_ cell: String) -> FieldValue {
    guard let first = cell.utf8.first, let last = cell.utf8.last, cell.utf8.count > 1, !cell.hasPrefix("[["),
      [("[", "]"), ("{", "}"), ("\"", "\""), ("'", "'")].contains(where: {
        first == $0.0.utf8.first && last == $0.1.utf8.first
      })
    else { return .text(cell) }
    let block = FrontMatter(NoteText(Array("---\nv: \(cell)\n---\n".utf8)))
    guard block.isWritable, block.fields.count == 1, let value = block["v"], value != .empty else {
      return .text(cell)
    }
    return value
  }
}
