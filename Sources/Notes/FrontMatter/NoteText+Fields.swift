extension NoteText {
  /// Makes a new note of fields and a text: front-matter as slip writes it, then the text as it is.
  ///
  /// Lists are written in brackets, maps in braces. Fields of one name must not be given twice, and `canName` must hold
  /// for each.
  ///
  /// - Parameters:
  ///   - plainScalars: for fields by name, whether each scalar is a number or boolean if it looks like one, so that it stands
  ///     without quotes, or text, so that it stands in quotes.
  package init(
    fields: [(name: String, value: FieldValue)], plainScalars: [String: [Bool]] = [:], body: [UInt8]
  ) {
    var bytes = Array("---\n".utf8)
    for (name, value) in fields {
      bytes += YAMLScalar.write(name, in: .key) + [UInt8(ascii: ":")]
      var plain = (plainScalars[name] ?? [])[...]
      if case .text(let text) = value {
        bytes += [0x20] + Self.scalar(text, in: .value, isPlain: plain.first)
      } else if value != .empty {
        bytes += [0x20] + Self.flow(value, &plain)
      }
      bytes.append(0x0A)
    }
    self.init(bytes + Array("---\n".utf8) + body)
  }

  /// Whether a field of a note can have a name.
  package static func canName(_ name: String) -> Bool {
    let hasControls = name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return !name.isEmpty && name.utf8.count <= SpanReader.longestName && !hasControls && name != "<<"
  }

  static func flow(_ value: FieldValue) -> [UInt8] {
    var plain: ArraySlice<Bool> = []
    return flow(value, &plain)
  }

  /// Writes a value in brackets and braces.
  ///
  /// - Parameter plain: whether each scalar that follows has no quotes if it looks like a number or boolean.
  private static func flow(_ value: FieldValue, _ plain: inout ArraySlice<Bool>) -> [UInt8] {
    switch value {
    case .text(let text): return scalar(text, in: .flowElement, isPlain: plain.popFirst())
    case .empty:
      _ = plain.popFirst()
      return [UInt8(ascii: "~")]
    case .list(let elements):
      let written = elements.map { flow($0, &plain) }
      return [UInt8(ascii: "[")] + written.joined(separator: ", ".utf8) + [UInt8(ascii: "]")]
    case .map(let entries):
      let written = entries.map {
        YAMLScalar.write($0.key, in: .key) + Array(": ".utf8) + flow($0.value, &plain)
      }
      return [UInt8(ascii: "{")] + written.joined(separator: ", ".utf8) + [UInt8(ascii: "}")]
    }
  }

  private static func scalar(_ text: String, in place: YAMLScalar.Place, isPlain: Bool?) -> [UInt8] {
    let looksTyped = ScalarType(text, isPlain: true) != .text
    guard let isPlain, looksTyped else { return YAMLScalar.write(text, in: place) }
    return isPlain ? Array(text.utf8) : YAMLScalar.write(text, in: place, like: .double)
  }
}

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
