extension NoteText {
  /// Returns the note with another value of a field where it is: in the text, if only that has it.
  ///
  /// - Throws: as `setting(_:to:order:)`; `EditError.unsettable` if several lines have the field, or if the value would be
  ///   read as another one.
  package func settingField(
    _ name: String, to value: FieldValue, order: [String] = [], writesFractions: Bool = false
  ) throws(EditError) -> NoteText {
    guard let fields = inlineFields(named: name) else {
      if let text = addingPageProperty(name, value) { return text }
      return try setting(name, to: value, order: order, writesFractions: writesFractions)
    }
    return try replacing(fields, name, by: value)
  }

  /// Returns the note without the value of a field; a field in the text keeps its key.
  package func clearingField(_ name: String) throws(EditError) -> NoteText {
    guard let fields = inlineFields(named: name) else { return try clearing(name) }
    return try replacing(fields, name, by: .empty)
  }

  private func replacing(
    _ fields: [InlineField], _ name: String, by value: FieldValue
  ) throws(EditError) -> NoteText {
    guard fields.count == 1, let written = InlineField.bytes(of: value, isCommaList: fields[0].isCommaList)
    else {
      if fields.count > 1 { throw Self.shared(fields) }
      throw .unsettable(field: name, reason: "the value can't be on one line of the text")
    }
    return try replacing(fields[0], by: written, value, number: 0)
  }

  /// The note with another value in one place of the text.
  ///
  /// - Parameters:
  ///   - value: the value that has to be read there.
  ///   - number: the place's number among those of the field.
  private func replacing(
    _ field: InlineField, by written: [UInt8], _ value: FieldValue, number: Int
  ) throws(EditError) -> NoteText {
    let range = field.range
    // A blank separates the value from its key.
    let hasBlank = range.lowerBound > 0 && bytes[range.lowerBound - 1] != UInt8(ascii: ":")
    let blank: [UInt8] = hasBlank || written.isEmpty ? [] : [0x20]
    let text = NoteText(Array(bytes[..<range.lowerBound]) + blank + written + bytes[range.upperBound...])
    guard let fields = text.inlineFields(named: field.name), fields.indices.contains(number),
      fields[number].holds(value)
    else { throw Self.unwritable(field.name) }
    return text
  }

  private static func unwritable(_ name: String) -> EditError {
    .unsettable(field: name, reason: "the value can't be written in the text")
  }

  /// The fields in the text of a name that the front-matter does not have; nil for none.
  func inlineFields(named name: String) -> [InlineField]? {
    guard InlineFields.areRead else { return nil }
    let fields = InlineFields.all(in: self).filter { $0.name.isSameName(as: name) }
    guard !fields.isEmpty, !FrontMatter(self).fields.contains(where: { $0.name.isSameName(as: name) }) else {
      return nil
    }
    return fields
  }
}

/// Elements of lists that are in the text.
extension NoteText {
  /// Returns the note with one more element in a list where it is: in the text, if only that has it.
  ///
  /// A field on several lines gets one more line.
  /// - Throws: as `adding` and `settingField`.
  package func addingToField(
    _ name: String, _ element: String, order: [String] = [], kind: ElementKind? = nil,
    writesFractions: Bool = false
  ) throws(EditError) -> NoteText {
    guard let fields = inlineFields(named: name), let last = fields.last else {
      return try adding(element, to: name, order: order, kind: kind, writesFractions: writesFractions)
    }
    let kind = kind ?? ElementKind(fieldName: name)
    if fields.contains(where: { $0.elements(kind).contains { kind.areSame($0, element) } }) { return self }
    if let number = fields.lastIndex(where: \.isCommaList) {
      return try adding(element, toCommaList: fields[number], number: number)
    }
    if fields.count > 1 { return try addingLine(element, after: last, count: fields.count) }
    let added = InlineField.written(element: element)
    switch last.value {
    case .empty: return try replacing([last], name, by: .text(element))
    case .text(let text) where kind == .tags && CommaList.canHold(element):
      return try replacing([last], name, by: .text(CommaList(text).adding(element)))
    case .text(let text): return try replacing([last], name, by: .list([.text(text), .text(element)]))
    case .list(let elements):
      guard let added else { throw Self.unwritable(name) }
      return try replacing(
        last, by: Array("\(last.written), \(added)".utf8), .list(elements + [.text(element)]), number: 0)
    case .map: throw Self.unwritable(name)
    }
  }

  /// Returns the note without an element of a list where it is: in the text, if only that has it.
  ///
  /// The last element of a field leaves its key; of several lines, the one with the element goes.
  /// - Throws: as `removing` and `settingField`.
  package func removingFromField(
    _ name: String, _ element: String, kind: ElementKind? = nil
  ) throws(EditError) -> NoteText {
    guard let fields = inlineFields(named: name) else { return try removing(element, from: name, kind: kind) }
    let kind = kind ?? ElementKind(fieldName: name)
    let place = fields.lastIndex { $0.elements(kind).contains { kind.areSame($0, element) } }
    guard let place else { return self }
    let field = fields[place]
    let isGone = { (part: String) in kind.areSame(field.name(ofElement: InlineField.unquoted(part)), element)
    }
    switch field.value {
    case .list:
      let rest = InlineField.elements(of: field.written).filter { !isGone($0) }
      let values = rest.map { FieldValue.text(InlineField.unquoted($0)) }
      let value = values.count > 1 ? .list(values) : values.first ?? .empty
      return try replacing(field, by: Array(rest.joined(separator: ", ").utf8), value, number: place)
    case .text(let text):
      if kind == .tags, !field.isCommaList, let rest = CommaList(text).removing({ kind.areSame($0, element) })
      {
        return try replacing(field, by: Array(rest.utf8), .text(rest), number: place)
      }
      if fields.count == 1 { return try replacing(field, by: [], .empty, number: 0) }
      guard let line = wholeLine(of: field),
        bytes[field.range.upperBound..<line.upperBound].allSatisfy({ $0 <= 0x20 })
      else { throw Self.shared(fields) }
      return NoteText(Array(bytes[..<line.lowerBound] + bytes[line.upperBound...]))
    case .empty, .map: return self
    }
  }

  private func adding(
    _ element: String, toCommaList field: InlineField, number: Int
  ) throws(EditError) -> NoteText {
    guard let added = InlineField.bytes(of: .list([.text(element)]), isCommaList: true) else {
      throw Self.unwritable(field.name)
    }
    let before = field.written.isEmpty ? "" : "\(field.written), "
    let elements = field.value.strings + [element]
    return try replacing(
      field, by: Array(before.utf8) + added, .list(elements.map(FieldValue.text)), number: number)
  }

  /// Returns the note with its tags or other titles in a new line among the properties that begin the page; nil for other
  /// fields, and if the page does not begin with properties.
  ///
  /// Logseq reads no properties below front-matter.
  func addingPageProperty(_ name: String, _ value: FieldValue) -> NoteText? {
    let names = ["tags", "alias", "aliases"]
    guard names.contains(where: name.isSameName), let last = InlineFields.lastPageProperty(of: self),
      let written = InlineField.bytes(of: value, isCommaList: true), !written.isEmpty
    else { return nil }
    let start = lineStart(before: last.range.lowerBound)
    let end = nextLine(after: last.range.upperBound)
    // The lines of a block's properties are below its text, without its mark.
    let indent = bytes[start..<end].prefix { isSpaceByte($0) || "-*+".utf8.contains($0) }
    let key = name.isSameName(as: "aliases") ? "alias" : name
    let line = indent.map { isSpaceByte($0) ? $0 : 0x20 } + Array("\(key):: ".utf8) + written
    let isEnded = bytes[end - 1] == 0x0A
    let added = isEnded ? line + lineEnd : lineEnd + line
    let text = NoteText(Array(bytes[..<end]) + added + bytes[end...])
    guard let field = text.inlineFields(named: key)?.first, field.isOfPage, field.holds(value) else {
      return nil
    }
    return text
  }

  /// The note with the line of a field once more, and an element as its value.
  private func addingLine(
    _ element: String, after field: InlineField, count: Int
  ) throws(EditError) -> NoteText {
    guard let line = wholeLine(of: field), let written = InlineField.bytes(of: .text(element)) else {
      throw .unsettable(
        field: field.name, reason: "line \(field.line) of the text has it among other words; edit it by hand")
    }
    let key = bytes[line.lowerBound..<field.range.lowerBound]
    let blank: [UInt8] = key.last == UInt8(ascii: ":") ? [0x20] : []
    let before: [UInt8] = bytes[line.upperBound - 1] == 0x0A ? [] : lineEnd
    let added = before + key + blank + written + (before.isEmpty ? lineEnd : [])
    let text = NoteText(Array(bytes[..<line.upperBound]) + added + bytes[line.upperBound...])
    guard let fields = text.inlineFields(named: field.name), fields.count == count + 1,
      fields.last?.value == .text(element)
    else { throw Self.unwritable(field.name) }
    return text
  }

  /// The line of a field with its line end; nil if the field is among other words or in a task.
  private func wholeLine(of field: InlineField) -> Range<Int>? {
    let start = lineStart(before: field.range.lowerBound)
    let key = bytes[start..<field.range.lowerBound]
    guard !key.contains(where: { "[(".utf8.contains($0) }) else { return nil }
    return start..<nextLine(after: field.range.upperBound)
  }

  private static func shared(_ fields: [InlineField]) -> EditError {
    let lines = fields.map { String($0.line) }.joined(separator: ", ")
    return .unsettable(
      field: fields[0].name, reason: "it is on the lines \(lines) of the text; edit them by hand")
  }
}

extension InlineField {
  /// An element as it is written in a list; nil if it can't be.
  fileprivate static func written(element: String) -> String? {
    if isElement(element), !element.contains(",") || element.hasPrefix("[[") { return element }
    return element.contains("\"") || element.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      ? nil : "\"\(element)\""
  }

  /// Whether a value that was written here is read again.
  fileprivate func holds(_ wanted: FieldValue) -> Bool {
    if value == wanted { return true }
    guard isCommaList else { return false }
    return wanted.text.map { $0.hasSameBytes(as: written) } ?? (value.strings == wanted.strings)
  }

  /// The tag or title that an element means: in a list of the page, `[[Bread]]` means Bread.
  fileprivate func name(ofElement element: String) -> String {
    isCommaList ? String(InlineField.bareName(element[...].utf8)) ?? element : element
  }

  /// The texts in the value.
  fileprivate func elements(_ kind: ElementKind) -> [String] {
    if isCommaList { return value.strings.map(name(ofElement:)) }
    if kind == .tags, case .text(let text) = value { return CommaList(text).elements }
    return value.strings
  }
}
