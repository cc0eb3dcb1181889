extension NoteText {
  /// Returns the note without the quotes around the plain numbers and booleans of a field; nothing else changes.
  ///
  /// - Throws: `EditError` if the front-matter is not writable or the field can't be changed.
  package func removingQuotes(ofField name: String) throws(EditError) -> NoteText {
    let editor = try FrontMatterEditor(self)
    guard let index = editor.index(of: name) else { return self }
    let value = editor.reading.fields[index].value
    var splices = Splices()
    for (range, text) in try editor.quotedScalars(of: index) {
      splices.replace(range, with: Array(text.utf8))
    }
    return try editor.finish(splices, name, expecting: value)
  }

  /// The names of the fields in which a plain number or a boolean has quotes, and the first such value of each.
  package func fieldsWithQuotedTypes() throws(EditError) -> [(name: String, line: Int, value: String)] {
    let editor = try FrontMatterEditor(self)
    var found: [(name: String, line: Int, value: String)] = []
    for (index, field) in editor.reading.fields.enumerated() {
      guard field.value.mayHaveTypes, editor.index(of: field.name) == index,
        editor.reading.shapes[index].isEditable, let first = try editor.quotedScalars(of: index).first
      else { continue }
      found.append((field.name, field.line, first.text))
    }
    return found
  }
}

extension FrontMatterEditor {
  /// The scalars of a field that have quotes, and would be numbers or booleans without.
  fileprivate func quotedScalars(of index: Int) throws(EditError) -> [(range: Range<Int>, text: String)] {
    let (form, value) = (try form(of: index), reading.fields[index].value)
    let scalars: [(range: Range<Int>, style: ScalarStyle, text: String)]
    switch (form, value) {
    case (.scalar(let range, let style), .text(let text)): scalars = [(range, style, text)]
    case (.flow(_, let spans), .list(let elements)), (.block(let spans), .list(let elements)):
      guard spans.count == elements.count else { return [] }
      scalars = zip(spans, elements).compactMap { span, element in
        element.text.map { (span.range, span.style, $0) }
      }
    default: return []
    }
    return scalars.filter { scalar in
      [.single, .double].contains(scalar.style) && ScalarType(scalar.text, isPlain: true) != .text
    }.map { ($0.range, $0.text) }
  }
}
